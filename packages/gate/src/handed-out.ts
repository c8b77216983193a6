import type { ToolRule } from '@repertoire/skill-md/internal'
import { commands, loadCommands } from './load-commands.ts'
import { patternProblem } from './allow/no-effect.ts'
import type { Toolset } from './host-tools/toolset.ts'
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

/** Returns the rules of a list that hand out programs which run code, and those that permit nothing. */
export async function findHandedOut(rules: readonly ToolRule[] = [], tools: Toolset): Promise<HandedOut> {
  await loadCommands()
  const shells = rules.filter(({ tool }) => tools.find(tool).argument?.kind === 'shell')
  const found = shells.map((rule) => ({ text: ruleText(rule), risk: commands().riskOf(rule.pattern ?? '*') }))
  const textsOf = (wanted: string): readonly string[] => [
    ...new Set(found.flatMap(({ text, risk }) => (risk === wanted ? [text] : []))),
  ]
  return { runsCode: textsOf('runs-code'), unknown: textsOf('unknown'), noEffect: rulesWithoutEffect(rules, tools) }
}

/** Returns the rules of a list that permit no call at all. */
export function rulesWithoutEffect(rules: readonly ToolRule[], tools: Toolset): HandedOut['noEffect'] {
  const found = rules.flatMap((rule) => {
    const why = patternProblem(rule, tools)
    return why === undefined ? [] : [[ruleText(rule), why] as const]
  })
  return Array.from(new Map(found), ([rule, why]) => ({ rule, why }))
}
