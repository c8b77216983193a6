import type { ConsentRequest, ConsentRunner } from '../../ports/consent.ts'
import { inQuotes, quoteName, showName } from '@repertoire/skill-md/internal'

/** Characters of one item. */
const MAX_ITEM_CHARS = 2_000

/** What the lines begin with that say what is agreed to. */
export const DIGEST = '  sha256:        '
export const RUNNER = '  run by:        '
export const MEANING = '  a yes means:   '

/**
 * Returns whether a text is what a person was shown of a folder with exactly this content, or of this call. For adapters whose framework
 * keeps the text of a request and not its id: what else the text says may differ, since it depends on the tools that the
 * host has in a step.
 */
export function isTextOfContent(text: string, request: ConsentRequest): boolean {
  if (request.skill === undefined) return text === request.text
  const { skill, digest, runner, meaning } = request
  const lines = text.split('\n')
  const only = (beginning: string, expected: string | undefined): boolean => {
    const found = lines.filter((line) => line.startsWith(beginning))
    return expected === undefined ? found.length === 0 : found.length === 1 && found[0] === `${beginning}${expected}`
  }
  return (
    lines[0] === question(skill) &&
    only(DIGEST, digest) &&
    only(RUNNER, runner && runnerText(runner)) &&
    only(MEANING, meaning)
  )
}

/** What runs the scripts, on one line: whoever agrees to this agrees to nothing weaker. */
export function runnerText({ name, isolation, isolated, network }: ConsentRunner): string {
  const held = isolated ? `isolated: ${item(isolation)}` : 'NOT ISOLATED'
  return `${item(name)} (${held}, ${network ? 'with the network' : isolated ? 'no network' : 'the network is not kept from them'})`
}

/** The first line of a request. */
export function question(skill: string): string {
  return `Activate the skill ${quoteName(skill)}?`
}

/** An item with a comma, or the item "none", must not pass for several, or for none. */
export function item(text: string): string {
  return /[,"]|^none$|\s/.test(text) ? inQuotes(named(text)) : named(text)
}

/** A name, a path, a rule or a command: two that differ never look the same. */
export function named(text: string): string {
  return cut(text, showName)
}

/** The beginning of a long text, and how much more there is. */
export function cut(text: string, shown: (text: string) => string): string {
  const more = text.length - MAX_ITEM_CHARS
  return more > 0 ? `${shown(text.slice(0, MAX_ITEM_CHARS))}… and ${more} more characters` : shown(text)
}
