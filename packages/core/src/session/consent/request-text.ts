import { type Unseen, showInvisible, inQuotes, quoteName, showName } from '@repertoire/skill-md/internal'
import { listSome } from '../../text/message.ts'
import type { ToolFit } from '../tool-fit.ts'
import type { ConsentExecution, ConsentRequest, ConsentRunner, SkillConsentRequest } from '../../ports/consent.ts'

/** Items of each kind that a request names; it says how many more there are. */
const MAX_NAMED = { rules: 100, scripts: 20, hooks: 100, unseen: 5, odd: 20 }

/** A request as a person reads it. */
export function requestText(request: Omit<SkillConsentRequest, 'text'>): string {
  const { skill, args, description, layer, source, location, digest, meaning } = request
  const { allowedTools, assumedTools, disallowedTools = [], warnings } = request
  const { scripts, hooks, toolsets, runner, execution } = request
  // Whole tools first: what is cut from a long list must not be what grants the most.
  const rules = allowedTools?.toSorted((a, b) => Number(a.includes('(')) - Number(b.includes('(')))
  let text = question(skill)
  if (args !== undefined) text += `\n  arguments:     ${prose(args)}`
  text += `\n  what it says:  ${prose(description.replace(/\s+/g, ' '))}`
  text += `\n${FROM}${layer} layer, ${named(source)}`
  text += `\n${FOLDER}${named(location)}`
  text += `\n  tools:         ${rules === undefined ? 'any tool (it has no allowed-tools)' : listed(rules, MAX_NAMED.rules)}`
  if (assumedTools) text += ' (the skill names none: the host gives it these)'
  text += rulesLine('but not:       ', disallowedTools)
  text += `\n${MEANING}${meaning}`
  for (const warning of warnings) text += `\n  warning:       ${warning}`
  if (execution !== undefined) text += `\n  when called:   ${executionText(execution)}`
  text += `\n  scripts:       ${listed(scripts, MAX_NAMED.scripts)}`
  text += `\n  hooks:         ${listed(hooks, MAX_NAMED.hooks)}`
  if (runner !== undefined) {
    text += `\n${RUNNER}${runnerText(runner)}`
    if (!runner.isolated)
      text += '\n  warning:       scripts have all the rights of this program: your files, its processes, the network'
    for (const note of runner.notes) text += `\n${RUNNER_NOTE}${prose(note)}`
  }
  text += rulesLine('brings tools:  ', toolsets)
  text += `\n${DIGEST}${digest}`
  return text
}

/** A line that is there if there is something to name. */
function rulesLine(label: string, rules: readonly string[]): string {
  return rules.length === 0 ? '' : `\n  ${label}${listed(rules, MAX_NAMED.rules)}`
}

/** @param areDropped whether the host permits no rules without bounds to skills */
export function ruleWarnings({ unmatched, leavesNone, findings }: ToolFit, areDropped: boolean): readonly string[] {
  const { unbounded, unboundedText, gitText, noEffect } = findings
  const warnings: string[] = []
  const name = (what: string, rules: readonly string[]): void => {
    if (rules.length > 0) warnings.push(`${what}: ${listed(rules, MAX_NAMED.rules)}`)
  }
  name('this agent has no tool for', unmatched)
  if (leavesNone) warnings.push('this agent can use none of its tools while the skill is active')
  if (areDropped) name('left out, since this host permits no rules without bounds', unbounded)
  else if (unboundedText !== undefined) warnings.push(`unbounded rules: it ${unboundedText}`)
  if (gitText !== undefined) warnings.push(gitText)
  name(
    'rules that permit nothing',
    noEffect.map(({ rule }) => rule),
  )
  return warnings
}

function executionText({ type, language = 'sh', tools = [], agent, model }: ConsentExecution): string {
  if (type === 'fork') {
    const kind = agent === undefined ? '' : ` of the kind ${quoteName(agent)}`
    const on = model === undefined ? '' : ` on the model ${quoteName(model)}`
    return `a sub-agent${kind} does it${on}`
  }
  if (type === 'template') return 'it renders a template'
  if (type === 'script') return `it runs the script in its SKILL.md (${item(language)})`
  return `it calls tools, step by step: ${listed(tools, MAX_NAMED.rules)}`
}

/**
 * Names the files whose names contain invisible characters, also those that are not run: the model is shown all of
 * them. Empty if all names are visible.
 */
export function hiddenNamesNote(paths: readonly string[]): string {
  const odd = paths.filter((path) => showName(path) !== path)
  return odd.length === 0 ? '' : `\n  odd names:     ${listed(odd, MAX_NAMED.odd)}`
}

/** Says why an answer holds once; without it the same would be asked at every activation for no visible reason. */
export function unseenNote(unseen: readonly Unseen[]): string {
  const parts = unseen.map(({ path, reason }) => (path === undefined ? reason : `${item(path)} (${prose(reason)})`))
  const which = parts.length === 0 ? '' : `: ${listSome(parts, MAX_NAMED.unseen, String)}`
  return `\n  note:          the answer is for this activation alone, since the folder holds what cannot be checked${which}`
}

function listed(items: readonly string[], max: number): string {
  return items.length === 0 ? 'none' : listSome(items, max, item)
}

function prose(text: string): string {
  return beginningOf(text, MAX_ITEM_CHARS, showInvisible)
}

const MAX_ITEM_CHARS = 2_000

/** What the lines begin with that may name places of this machine. */
const FROM = '  from:          '
const FOLDER = '  folder:        '
const RUNNER_NOTE = '  of the runner: '

/** The text of a request without its source, its folder and the notes of its runner: for a person elsewhere. */
export function textWithoutPlaces({ text, layer }: SkillConsentRequest): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(FOLDER) && !line.startsWith(RUNNER_NOTE))
    .map((line) => (line.startsWith(FROM) ? `${FROM}${layer} layer` : line))
    .join('\n')
}

/** What the lines begin with that say what is agreed to. */
const DIGEST = '  sha256:        '
const RUNNER = '  run by:        '
const MEANING = '  a yes means:   '

/**
 * Returns whether a text is what a person was shown of a folder with exactly this content, or of this call. For
 * adapters whose framework keeps the text of a request and not its id: what else the text says may differ, since it
 * depends on the tools that the host has in a step.
 */
export function isTextOfContent(text: string, request: ConsentRequest): boolean {
  if (request.skill === undefined) return text === request.text
  const { skill, digest, runner, meaning } = request
  const lines = text.split('\n')
  const only = (beginning: string, expected: string | undefined): boolean => {
    const found = lines.filter((line) => line.startsWith(beginning)).join('\n')
    return found === (expected === undefined ? '' : `${beginning}${expected}`)
  }
  return (
    lines[0] === question(skill) &&
    only(DIGEST, digest) &&
    only(RUNNER, runner && runnerText(runner)) &&
    only(MEANING, meaning)
  )
}

/** What runs the scripts, on one line: whoever agrees to this agrees to nothing weaker. */
function runnerText({ name, isolation, isolated, network }: ConsentRunner): string {
  const held = isolated ? `isolated: ${item(isolation)}` : 'NOT ISOLATED'
  return `${item(name)} (${held}, ${network ? 'with the network' : isolated ? 'no network' : 'the network is not kept from them'})`
}

function question(skill: string): string {
  return `Activate the skill ${quoteName(skill)}?`
}

/** An item with a comma, or the item "none", must not pass for several, or for none. */
function item(text: string): string {
  return /[,"]|^none$|\s/.test(text) ? inQuotes(named(text)) : named(text)
}

/** A name, a path, a rule or a command: two that differ never look the same. */
function named(text: string): string {
  return beginningOf(text, MAX_ITEM_CHARS, showName)
}

/** Returns the beginning of a text as it is shown, and how much more there is. */
export function beginningOf(text: string, maxChars: number, show: (text: string) => string): string {
  const more = text.length - maxChars
  return more > 0 ? `${show(text.slice(0, maxChars))}… and ${more} more characters` : show(text)
}
