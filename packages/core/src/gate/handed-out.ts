import type { ToolRule } from '../ports/manifest.ts'
import { patternProblem } from './allow/no-effect.ts'
import type { Commands } from './call.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { COMMANDS } from './lazy-commands.ts'
import { ruleText } from './rules.ts'

/** Rules that hand out more than their words say, or nothing. */
export interface HandedOut {
  /** Rules for programs that run code by their nature, or for a shell as a whole, as they are written. */
  readonly runsCode: readonly string[]
  /** Rules for programs of which it is not known what their options run or write. */
  readonly unknown: readonly string[]
  /** Rules that permit no call at all, and why: a clause. */
  readonly noEffect: readonly { readonly rule: string; readonly why: string }[]
}

const NOTHING: HandedOut = { runsCode: [], unknown: [], noEffect: [] }

/**
 * Returns the rules of a list that hand out programs which run code, and those that permit nothing. A promise only where what reads commands is not
 * imported yet.
 */
export function findHandedOut(rules: readonly ToolRule[] = [], tools: Toolset): HandedOut | Promise<HandedOut> {
  const shells = rules.filter(({ tool }) => tools.find(tool).argument?.kind === 'shell')
  if (shells.length === 0) return { ...NOTHING, noEffect: rulesWithoutEffect(rules, tools, undefined) }
  if (COMMANDS.loaded === undefined) return COMMANDS.load().then((commands) => sort(rules, shells, tools, commands))
  return sort(rules, shells, tools, COMMANDS.loaded)
}

/**
 * Returns the rules of a list that permit no call at all.
 * @param commands absent: nothing is said of rules for commands
 */
export function rulesWithoutEffect(
  rules: readonly ToolRule[],
  tools: Toolset,
  commands: Pick<Commands, 'commandPatternProblem'> | undefined,
): HandedOut['noEffect'] {
  const problemOf = commands?.commandPatternProblem ?? ((): undefined => undefined)
  const found = rules.flatMap((rule) => {
    const why = patternProblem(rule, tools, problemOf)
    return why === undefined ? [] : [[ruleText(rule), why] as const]
  })
  return Array.from(new Map(found), ([rule, why]) => ({ rule, why }))
}

function sort(rules: readonly ToolRule[], shells: readonly ToolRule[], tools: Toolset, commands: Commands): HandedOut {
  const found = shells.map((rule) => ({ text: ruleText(rule), risk: commands.riskOf(rule.pattern ?? '*') }))
  const textsOf = (wanted: string): readonly string[] => [
    ...new Set(found.flatMap(({ text, risk }) => (risk === wanted ? [text] : []))),
  ]
  const noEffect = rulesWithoutEffect(rules, tools, commands)
  return { runsCode: textsOf('runs-code'), unknown: textsOf('unknown'), noEffect }
}
