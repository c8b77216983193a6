import { type Diagnostic, type Manifest, shown, type ToolRule } from '@repertoire/skill-md/internal'
import { hostOf } from './addresses/url.ts'
import { commandPatternProblem, configuredReader, coversAnyCommand, unboundedProgram } from './command/rule.ts'
import { distinct } from './host-tools/named.ts'
import { openToolTable } from './host-tools/table.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { MAX_LISTED_RULES, MAX_PATTERN_CHARS } from './limits.ts'
import { isOnDrive, readPath } from './paths/path.ts'
import { listRules, ruleText } from './rules.ts'
import { textPrefix } from './texts.ts'

export interface RuleFindings {
  readonly unbounded: readonly string[]
  readonly unboundedText?: string
  readonly gitText?: string
  readonly noEffect: readonly { readonly rule: string; readonly why: string }[]
}

/**
 * Returns what is to be said about a list of rules.
 * @param safeGit whether the host's shell has `safeGitEnvironment`
 */
export function describeRules(rules: readonly ToolRule[] = [], tools: Toolset, safeGit = false): RuleFindings {
  const ofShells = rules.filter((rule) => isOfShell(rule, tools))
  const unbounded = ofShells.filter(({ pattern }) => unboundedProgram(pattern) !== undefined)
  const readers = safeGit ? [] : ofShells.flatMap(({ pattern }) => configuredReader(pattern ?? '*') ?? [])
  return {
    unbounded: distinct(unbounded.map(ruleText)),
    ...(unbounded.length > 0 && { unboundedText: textOf(unbounded) }),
    ...(readers.length > 0 && {
      gitText: `${joined(readers)} may run what the repository's git configuration names`,
    }),
    noEffect: rulesWithoutEffect(rules, tools),
  }
}

function textOf(unbounded: readonly ToolRule[]): string {
  if (unbounded.some(({ pattern }) => coversAnyCommand(pattern))) return 'may run any command on this machine'
  const programs = unbounded.map(({ pattern }) => unboundedProgram(pattern)!)
  return `may do anything that ${joined(programs)} can do on this machine`
}

/** Returns what the unbounded rules of a list mean, by names of well-known tools. Undefined: all are bounded. */
export function unboundedText(rules: readonly ToolRule[] | undefined): string | undefined {
  return describeRules(rules, openToolTable({}).of(undefined)).unboundedText
}

export function isUnbounded(rule: ToolRule, tools: Toolset): boolean {
  return isOfShell(rule, tools) && unboundedProgram(rule.pattern) !== undefined
}

function isOfShell({ tool }: ToolRule, tools: Toolset): boolean {
  return tools.find(tool).argument?.kind === 'shell'
}

function joined(all: readonly string[]): string {
  const names = distinct(all)
  const more = names.length > MAX_LISTED_RULES ? [`${names.length - MAX_LISTED_RULES} more`] : []
  return new Intl.ListFormat('en').format([...names.slice(0, MAX_LISTED_RULES).map(shown), ...more])
}

/** Returns the rules of a list that permit no call at all, and why. */
function rulesWithoutEffect(rules: readonly ToolRule[], tools: Toolset): RuleFindings['noEffect'] {
  const found = rules.flatMap((rule) => {
    const why = patternProblem(rule, tools)
    return why === undefined ? [] : [[ruleText(rule), why] as const]
  })
  return Array.from(new Map(found), ([rule, why]) => ({ rule, why }))
}

function patternProblem({ tool, pattern }: ToolRule, tools: Toolset): string | undefined {
  const argument = tools.find(tool).argument
  if (pattern === undefined || argument === undefined) return undefined
  if (pattern.length > MAX_PATTERN_CHARS) return 'its pattern is too long'
  switch (argument.kind) {
    case 'shell':
      return commandPatternProblem(pattern)
    case 'path': {
      const path = readPath(pattern, isOnDrive(pattern))
      return 'problem' in path ? `its pattern ${path.problem}` : undefined
    }
    case 'url':
      return isAddressPattern(pattern) ? undefined : 'its pattern is neither "domain:host" nor an http or https address'
    default:
      if (pattern === '*' || !pattern.includes('*') || textPrefix(pattern) !== undefined) return undefined
      return 'a "*" stands for what follows at the end of a pattern alone'
  }
}

/** An address is compared without its fragment. */
const ADDRESS = /^(?:domain:(?:\*\.)?([^/?#]+)|https?:\/\/(?:\*\.)?([^/?#]+)[^#]*)$/i

function isAddressPattern(pattern: string): boolean {
  const [, domain, host = ''] = ADDRESS.exec(pattern) ?? []
  return pattern === '*' || domain === '*' || hostOf(domain ?? host.replace(/:\d+$/, '')) !== undefined
}

/** Advises the author of a skill on its rules. The host's tools are not known here: those that are well known count. */
export function adviseOnRules({ manifest }: { readonly manifest?: Manifest }, path: string): readonly Diagnostic[] {
  const { allowedTools, disallowedTools = [] } = manifest ?? {}
  const tools = openToolTable({}).of(undefined)
  const { unbounded, unboundedText: meaning, noEffect } = describeRules(allowedTools, tools)
  const options = disallowedTools
    .filter((rule) => isOfShell(rule, tools) && /\s-/.test(rule.pattern ?? ''))
    .map(ruleText)
  const found: Diagnostic[] = []
  const add = (code: Diagnostic['code'], severity: Diagnostic['severity'], message: string, hint: string): void => {
    found.push({ code, severity, path, message, hint })
  }
  if (meaning !== undefined) {
    const message = `allowed-tools has rules without bounds (${listRules(unbounded)}): the skill ${meaning}.`
    const hint =
      'Write the commands that are needed in full, such as Bash(npm test): a host may refuse rules without bounds.'
    add('RULE_UNBOUNDED', 'info', message, hint)
  }
  const [first] = noEffect
  if (first !== undefined) {
    const message = `allowed-tools has rules that permit nothing: ${listRules(noEffect.map(({ rule }) => rule))}. In ${shown(first.rule)}, ${first.why}.`
    const hint = 'Write the command in full, or a prefix such as Bash(git log:*). Remove the rules that are not needed.'
    add('RULE_PERMITS_NOTHING', 'warning', message, hint)
  }
  if (options.length > 0) {
    const message = `disallowed-tools names options (${listRules(options)}): they match only as they are written.`
    add('RULE_DENIES_OPTION', 'warning', message, 'Disallow the command without its options.')
  }
  return found
}
