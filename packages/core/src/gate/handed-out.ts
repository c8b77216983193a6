import type { ToolRule } from '../ports/manifest.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { COMMANDS } from './lazy-commands.ts'
import { ruleText } from './rules.ts'

/** Rules that hand out more than their words say. */
export interface HandedOut {
  /** Rules for programs that run code by their nature, or for a shell as a whole, as they are written. */
  readonly runsCode: readonly string[]
  /** Rules for programs of which it is not known what their options run or write. */
  readonly unknown: readonly string[]
}

const NOTHING: HandedOut = { runsCode: [], unknown: [] }

/**
 * Returns the rules of a list that hand out programs which run code. A promise only where what reads commands is not
 * imported yet.
 */
export function findHandedOut(rules: readonly ToolRule[] = [], tools: Toolset): HandedOut | Promise<HandedOut> {
  const shells = rules.filter(({ tool }) => tools.find(tool).argument?.kind === 'shell')
  if (shells.length === 0) return NOTHING
  return COMMANDS.loaded === undefined
    ? COMMANDS.load().then(({ riskOf }) => sort(shells, riskOf))
    : sort(shells, COMMANDS.loaded.riskOf)
}

function sort(rules: readonly ToolRule[], riskOf: (pattern: string) => 'runs-code' | 'unknown' | undefined): HandedOut {
  const found = rules.map((rule) => ({ text: ruleText(rule), risk: riskOf(rule.pattern ?? '*') }))
  const textsOf = (wanted: string): readonly string[] => [
    ...new Set(found.flatMap(({ text, risk }) => (risk === wanted ? [text] : []))),
  ]
  return { runsCode: textsOf('runs-code'), unknown: textsOf('unknown') }
}
