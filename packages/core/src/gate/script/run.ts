import { argumentValues } from '../arguments.ts'
import type { CallContext, GatedCall } from '../call.ts'
import { MAX_COMMAND_CHARS } from '../limits.ts'
import { findScript, type SkillScripts } from './skill.ts'

/** Words of a command that are looked at. */
const MAX_WORDS = 200

/**
 * The script of an active skill that a command names, if the tool is one that runs commands. For figures: it looks for
 * paths among the words and does not read the command as a shell would, so that it needs no parser.
 */
export function scriptRunBy(
  { tool, input }: GatedCall,
  active: readonly SkillScripts[],
  { tools, cwd }: CallContext,
): { readonly skill: string; readonly path: string } | undefined {
  const argument = active.length === 0 ? undefined : tools.find(tool).argument
  if (argument?.kind !== 'shell') return undefined
  for (const { value } of argumentValues(argument, input) ?? []) {
    if (typeof value !== 'string') continue
    for (const word of splitWords(value)) {
      for (const skill of active) {
        const path = findScript(word, skill, cwd)
        if (path !== undefined) return { skill: skill.name, path }
      }
    }
  }
  return undefined
}

/** What is between blanks, quotes and operators; in quotes, a path with blanks in it is one word. */
function splitWords(command: string): readonly string[] {
  const words = command.slice(0, MAX_COMMAND_CHARS).match(/"[^"]+"|'[^']+'|[^\s"';&|<>()]+/g) ?? []
  return words.slice(0, MAX_WORDS).map((word) => word.replace(/^["']|["']$/g, ''))
}
