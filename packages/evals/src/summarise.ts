import type { SkillFate } from './fates.ts'
import type { EvalRun } from './harness.ts'

/** A rate with its Wilson interval of 95 %. */
export interface Rate {
  readonly hits: number
  readonly total: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The difference of two rates over the same cases, with its interval of 95 %. */
export interface PairedDifference {
  readonly pairs: number
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** What runs with one model through one adapter show about one skill. */
export interface SkillSummary {
  readonly skill: string
  readonly adapter: string
  readonly model: string
  /** The share of the runs that activated the skill, of those that should. Absent: no run should. */
  readonly triggered?: Rate
  /** The share of the runs that activated it, of those that should not. */
  readonly falselyTriggered?: Rate
  /** The share of the runs that met all, of those with assertions that need no judge. */
  readonly passed?: Rate
  /** Those with the skill against those without it. Absent: no case ran both ways. */
  readonly helped?: PairedDifference
}

/** A run whose skill was not used as it should have been, or an assertion that it did not meet. */
export interface Miss extends Omit<SkillFate, 'fate'>, Pick<EvalRun, 'attempt' | 'adapter' | 'model' | 'advice'> {
  readonly case: string
  readonly prompt: string
  readonly fate: SkillFate['fate'] | 'assertion not met'
}

/** The sum of some runs. A JSON value. */
export interface EvalSummary {
  readonly runs: number
  /** Runs that failed. They count in no rate. */
  readonly errors: number
  readonly skills: readonly SkillSummary[]
  /** How often a skill was activated in place of the expected one. `none`: no skill. */
  readonly confusion: readonly { readonly expected: string; readonly activated: string; readonly count: number }[]
  readonly usage: EvalRun['usage']
  /** In the currency of the prices. Absent: a model has no price. */
  readonly cost?: number
  readonly misses: readonly Miss[]
}

/**
 * Sums up runs: rates with intervals, what a skill changes, confusion, tokens and cost. Pure.
 * @param prices by the model's name, for a million tokens
 */
export function summarise(
  runs: readonly EvalRun[],
  prices: Readonly<Record<string, { readonly input: number; readonly output: number }>> = {},
): EvalSummary {
  const ended = runs.filter(({ error }) => error === undefined)
  const on = ended.filter(({ skills }) => skills === 'on')
  const sum = (key: keyof EvalRun['usage']): number => runs.reduce((total, { usage }) => total + usage[key], 0)
  const costs = runs.map(({ model, usage: { inputTokens, outputTokens } }) => {
    const { input = Number.NaN, output = Number.NaN } = prices[model] ?? {}
    return (inputTokens * input + outputTokens * output) / 1e6
  })
  const cost = costs.reduce((total, each) => total + each, 0)
  return {
    runs: runs.length,
    errors: runs.length - ended.length,
    skills: groupBy(ended, ({ case: { skill }, adapter, model }) => [skill, adapter, model]).map(summariseSkill),
    confusion: confusionOf(on),
    usage: { requests: sum('requests'), inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') },
    cost: Number.isNaN(cost) ? undefined : cost,
    misses: on.flatMap(missesOf),
  }
}

function summariseSkill(runs: readonly EvalRun[]): SkillSummary {
  const [{ case: about, adapter, model }] = runs as [EvalRun]
  const { skill = 'none' } = about
  const on = runs.filter(({ skills }) => skills === 'on')
  const those = (expected: boolean) => on.filter((run) => run.fate && run.case.shouldTrigger === expected)
  const checked = runs.filter(({ assertions }) => assertions.some(({ passed }) => passed !== undefined))
  return {
    skill,
    adapter,
    model,
    triggered: rateOf(those(true).map(({ fate }) => fate?.fate === 'activated')),
    falselyTriggered: rateOf(those(false).map(({ activated }) => activated.includes(skill))),
    passed: rateOf(checked.filter(({ skills }) => skills === 'on').map(meetsAll)),
    helped: pairedDifference(checked),
  }
}

const Z = 1.959964

/** Returns the share of true values with its Wilson interval; undefined for an empty list. */
function rateOf(outcomes: readonly boolean[]): Rate | undefined {
  const total = outcomes.length
  if (total === 0) return undefined
  const hits = outcomes.filter(Boolean).length
  const rate = hits / total
  const square = (Z * Z) / total
  const centre = (rate + square / 2) / (1 + square)
  const half = (Z / (1 + square)) * Math.sqrt((rate * (1 - rate)) / total + square / (4 * total))
  return { hits, total, rate, low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

/** By Agresti and Min (2005): half a pair is added to each of the four outcomes, so that few pairs prove little. */
function pairedDifference(runs: readonly EvalRun[]): PairedDifference | undefined {
  const pairs = groupBy(runs, ({ case: { id }, attempt }) => [id, attempt]).flatMap((same) => {
    const [on, off] = (['on', 'off'] as const).map((skills) => same.find((run) => run.skills === skills))
    return on === undefined || off === undefined ? [] : Number(meetsAll(on)) - Number(meetsAll(off))
  })
  if (pairs.length === 0) return undefined
  const gained = pairs.filter((change) => change > 0).length
  const lost = pairs.filter((change) => change < 0).length
  const total = pairs.length + 2
  const centre = (gained - lost) / total
  const half = Z * Math.sqrt((gained + lost + 1) / total ** 2 - centre ** 2 / total)
  const [low, high] = [Math.max(-1, centre - half), Math.min(1, centre + half)]
  return { pairs: pairs.length, difference: (gained - lost) / pairs.length, low, high }
}

function confusionOf(runs: readonly EvalRun[]): EvalSummary['confusion'] {
  const pairs = runs.flatMap(({ case: { shouldTrigger, skill = 'none', owner = 'none' }, activated }) => {
    if (shouldTrigger === undefined) return []
    const expected = shouldTrigger ? skill : owner
    return (activated.length === 0 ? ['none'] : activated).map((name) => ({ expected, activated: name }))
  })
  return groupBy(pairs, (pair) => [pair]).map((same) => ({ ...same[0]!, count: same.length }))
}

function missesOf({ case: about, attempt, adapter, model, activated, fate, advice, assertions }: EvalRun): Miss[] {
  const { shouldTrigger, skill = 'none' } = about
  const of = { case: about.id, prompt: about.prompt, skill, attempt, adapter, model }
  const unmet = assertions.flatMap(({ assertion: { type, ...what }, passed }) =>
    passed === false
      ? [{ ...of, fate: 'assertion not met' as const, reason: [type, ...Object.values(what)].join(' ') }]
      : [],
  )
  if (fate === undefined || shouldTrigger === undefined) return unmet
  if (shouldTrigger ? fate.fate === 'activated' : !activated.includes(skill)) return unmet
  const reason = shouldTrigger ? fate.reason : 'It should not have been activated.'
  return [{ ...of, ...fate, reason, advice }, ...unmet]
}

function meetsAll({ assertions }: EvalRun): boolean {
  return assertions.every(({ passed }) => passed !== false)
}

export function groupBy<T>(values: readonly T[], key: (value: T) => readonly unknown[]): readonly (readonly T[])[] {
  return [...Map.groupBy(values, (value) => JSON.stringify(key(value))).values()]
}
