import { type Diagnostic, type Manifest, type ToolRule, shown } from '@repertoire/skill-md/internal'
import { commands, loadCommands, loadedCommands } from './load-commands.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { ruleText } from './rules.ts'
import { MAX_PATTERN_CHARS } from './limits.ts'
import { isOnDrive, readPath } from './path.ts'
import { hostOf, readUrl } from './url.ts'
import { openToolTable } from './host-tools/table.ts'

/** Rules that hand out more than their words say, or nothing. */
export interface RiskyRules {
  /** Rules for programs that run code by their nature, or for a shell as a whole, as they are written. */
  readonly runsCode: readonly string[]
  /** Rules for programs of which it is not known what their options run or write. */
  readonly unknown: readonly string[]
  /** Rules that permit no call at all, and why: a clause. */
  readonly noEffect: readonly { readonly rule: string; readonly why: string }[]
}

/** Returns the rules of a list that hand out programs which run code, and those that permit nothing. */
export async function findRiskyRules(rules: readonly ToolRule[] = [], tools: Toolset): Promise<RiskyRules> {
  await loadCommands()
  const shells = rules.filter(({ tool }) => tools.find(tool).argument?.kind === 'shell')
  const found = shells.map((rule) => ({ text: ruleText(rule), risk: commands().riskOf(rule.pattern ?? '*') }))
  const textsOf = (wanted: string): readonly string[] => [
    ...new Set(found.flatMap(({ text, risk }) => (risk === wanted ? [text] : []))),
  ]
  return { runsCode: textsOf('runs-code'), unknown: textsOf('unknown'), noEffect: rulesWithoutEffect(rules, tools) }
}

/** Returns the rules of a list that permit no call at all. */
export function rulesWithoutEffect(rules: readonly ToolRule[], tools: Toolset): RiskyRules['noEffect'] {
  const found = rules.flatMap((rule) => {
    const why = patternProblem(rule, tools)
    return why === undefined ? [] : [[ruleText(rule), why] as const]
  })
  return Array.from(new Map(found), ([rule, why]) => ({ rule, why }))
}

/**
 * Returns why a rule permits no call at all, as a clause; undefined if it may permit one. Before `loadCommands`, patterns
 * for commands count as permitting some.
 */
function patternProblem({ tool, pattern }: ToolRule, tools: Toolset): string | undefined {
  const argument = tools.find(tool).argument
  if (pattern === undefined || argument === undefined) return undefined
  if (pattern.length > MAX_PATTERN_CHARS) return 'its pattern is too long'
  switch (argument.kind) {
    case 'shell':
      return loadedCommands()?.commandPatternProblem(pattern)
    case 'path': {
      const path = readPath(pattern, isOnDrive(pattern))
      return 'problem' in path ? `its pattern ${path.problem}` : undefined
    }
    case 'url':
      return isAddressPattern(pattern) ? undefined : 'its pattern is neither "domain:host" nor an http or https address'
    default:
      return /^:?\**$/.test(pattern) && pattern !== '*' ? 'its pattern is empty' : undefined
  }
}

function isAddressPattern(pattern: string): boolean {
  if (pattern === '*' || pattern === 'domain:*') return true
  if (pattern.startsWith('domain:')) return hostOf(pattern.slice('domain:'.length).replace(/^\*\./, '')) !== undefined
  const host = /^https?:\/\/([^/?#]+)/i.exec(pattern)?.[1]?.replace(/^\*\./, '')
  // An address is compared without its fragment.
  if (host === undefined || host.includes('*') || pattern.includes('#')) return false
  return !('problem' in readUrl(`https://${host}`))
}

/** Rules that one finding names. */
const MAX_NAMED = 5

/**
 * Advises the author of a skill on rules that hand out more than their words say. The host's tools are not known here:
 * those that are well known count.
 */
export async function adviseOnRules(
  { manifest }: { readonly manifest?: Manifest },
  path: string,
): Promise<readonly Diagnostic[]> {
  const { runsCode, noEffect } = await findRiskyRules(manifest?.allowedTools, openToolTable({}).of(undefined))
  const found: Diagnostic[] = []
  if (runsCode.length > 0) {
    found.push({
      code: 'RULE_RUNS_CODE',
      severity: 'info',
      path,
      message: `allowed-tools hands out programs that run any code: ${listed(runsCode)}.`,
      hint: 'Name the commands that are needed word by word, such as Bash(npm test): a host may refuse rules for whole programs of this kind.',
    })
  }
  const [first] = noEffect
  if (first !== undefined) {
    found.push({
      code: 'RULE_PERMITS_NOTHING',
      severity: 'warning',
      path,
      message: `allowed-tools has rules that permit nothing: ${listed(noEffect.map(({ rule }) => rule))}. In ${shown(first.rule)}, ${first.why}.`,
      hint: 'Write the command in full, or a prefix such as Bash(git log:*). Remove the rules that are not needed.',
    })
  }
  return found
}

/** The first rules, and how many more there are. */
function listed(rules: readonly string[]): string {
  const more = rules.length > MAX_NAMED ? `, and ${rules.length - MAX_NAMED} more` : ''
  return `${rules.slice(0, MAX_NAMED).map(shown).join(', ')}${more}`
}
