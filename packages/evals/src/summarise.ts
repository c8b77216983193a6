import { checkOptions, foreign, type OptionTable, recordOf } from '@repertoire/core/options'
import type { Fate } from './fates.ts'
import type { EvalRun } from './harness.ts'

/** A rate with its Wilson interval of 95 %. */
export interface Rate {
  readonly hits: number
  readonly total: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The difference of two rates over the same cases, with its interval of 95 % (Newcombe). */
export interface PairedDifference {
  readonly pairs: number
  readonly with: Rate
  readonly without: Rate
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** A user's prices for a million tokens. */
export type Prices = Readonly<Record<string, { readonly input: number; readonly output: number }>>

/** Options of `summarise`. */
export interface SummariseOptions {
  /** By the model's name. */
  readonly prices?: Prices | undefined
}

const PRICE = foreign('{ input, output }, prices of a million tokens', (value) => {
  const { input, output } = (value ?? {}) as Partial<Prices[string]>
  return Number.isFinite(input) && Number.isFinite(output)
})
const OPTIONS: OptionTable<SummariseOptions> = { prices: recordOf(PRICE) }

/** What runs with one model through one adapter show about one skill. */
export interface SkillSummary {
  readonly skill: string
  readonly adapter: string
  readonly model: string
  /** Of the runs that should activate the skill, those that did. Absent: there are none. */
  readonly triggered?: Rate
  /** Of the runs that should not, those that did. */
  readonly falselyTriggered?: Rate
  /** Of the runs with assertions that need no judge, those that met all. */
  readonly passed?: Rate
  /** Those with the skill against those without it. Absent: no case ran both ways. */
  readonly helped?: PairedDifference
  readonly fates: Readonly<Partial<Record<Fate, number>>>
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

/** A run whose skill was not used as it should have been. */
export interface Miss {
  readonly case: string
  readonly attempt: number
  readonly adapter: string
  readonly model: string
  readonly fate: Fate
  readonly reason: string
  readonly advice?: string
}

const Z = 1.959964

/** Returns a rate with its Wilson interval. @throws {TypeError} if there is nothing to count, or more hits than runs */
export function wilson(hits: number, total: number): Rate {
  if (!(total > 0 && hits >= 0 && hits <= total)) throw new TypeError(`wilson: ${hits} of ${total} is no rate.`)
  const rate = hits / total
  const square = (Z * Z) / total
  const centre = (rate + square / 2) / (1 + square)
  const half = (Z / (1 + square)) * Math.sqrt((rate * (1 - rate)) / total + square / (4 * total))
  return { hits, total, rate, low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

/** Sums up runs: rates with intervals, what a skill changes, confusion, tokens and cost. Pure. */
export function summarise(runs: readonly EvalRun[], options: SummariseOptions = {}): EvalSummary {
  checkOptions('summarise', OPTIONS, options, 'summarise(runs, { prices })')
  const { prices } = options
  const ended = runs.filter(({ error }) => error === undefined)
  const groups = Map.groupBy(ended, ({ case: { skill = '' }, adapter, model }) =>
    JSON.stringify([skill, adapter, model]),
  )
  const sum = (key: keyof EvalRun['usage']): number => runs.reduce((total, { usage }) => total + usage[key], 0)
  const usage = { requests: sum('requests'), inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') }
  const cost = costOf(runs, prices)
  return {
    runs: runs.length,
    errors: runs.length - ended.length,
    skills: [...groups.values()].map(summariseSkill),
    confusion: confusionOf(ended),
    usage,
    ...(cost !== undefined && { cost }),
    misses: ended.flatMap(missOf),
  }
}

/** Whether a run activated its skill in time. */
export function usedSkill({ fate }: Pick<EvalRun, 'fate'>): boolean {
  return fate?.fate === 'activated'
}

function summariseSkill(runs: readonly EvalRun[]): SkillSummary {
  const { case: about, adapter, model } = runs[0]!
  const on = runs.filter(({ skills }) => skills === 'on')
  const should = on.filter(({ case: { shouldTrigger } }) => shouldTrigger === true)
  const shouldNot = on.filter(({ case: { shouldTrigger } }) => shouldTrigger === false)
  const judged = on.filter(hasChecks)
  const fates: Partial<Record<Fate, number>> = {}
  for (const { fate } of should) if (fate !== undefined) fates[fate.fate] = (fates[fate.fate] ?? 0) + 1
  const helped = pairedDifference(runs.filter(hasChecks))
  return {
    skill: about.skill ?? 'none',
    adapter,
    model,
    ...(should.length > 0 && { triggered: wilson(should.filter(usedSkill).length, should.length) }),
    ...(shouldNot.length > 0 && { falselyTriggered: wilson(shouldNot.filter(tookSkill).length, shouldNot.length) }),
    ...(judged.length > 0 && { passed: wilson(judged.filter(meetsAll).length, judged.length) }),
    ...(helped !== undefined && { helped }),
    fates,
  }
}

function tookSkill({ case: { skill = '' }, activated }: EvalRun): boolean {
  return activated.includes(skill)
}

function hasChecks({ assertions }: EvalRun): boolean {
  return assertions.some(({ passed }) => passed !== undefined)
}

function meetsAll({ assertions }: EvalRun): boolean {
  return assertions.every(({ passed }) => passed !== false)
}

/** Newcombe's interval for paired rates (1998, method 10): Wilson intervals, and how far both runs of a pair agree. */
function pairedDifference(runs: readonly EvalRun[]): PairedDifference | undefined {
  const byCase = Map.groupBy(runs, ({ case: { id }, attempt }) => JSON.stringify([id, attempt]))
  const pairs = [...byCase.values()].flatMap((same) => {
    const [on, off] = (['on', 'off'] as const).map((skills) => same.find((run) => run.skills === skills))
    return on === undefined || off === undefined ? [] : [[meetsAll(on), meetsAll(off)] as const]
  })
  if (pairs.length === 0) return undefined
  const count = (one: boolean, other: boolean): number =>
    pairs.filter(([on, off]) => on === one && off === other).length
  const [both, gained, lost, neither] = [count(true, true), count(true, false), count(false, true), count(false, false)]
  const one = wilson(both + gained, pairs.length)
  const other = wilson(both + lost, pairs.length)
  const spread = Math.sqrt((both + gained) * (lost + neither) * (both + lost) * (gained + neither))
  const phi = spread === 0 ? 0 : (both * neither - gained * lost) / spread
  const root = (a: number, b: number): number => Math.sqrt(Math.max(0, a * a - 2 * phi * a * b + b * b))
  const difference = one.rate - other.rate
  const low = difference - root(one.rate - one.low, other.high - other.rate)
  const high = difference + root(one.high - one.rate, other.rate - other.low)
  return { pairs: pairs.length, with: one, without: other, difference, low, high }
}

function confusionOf(runs: readonly EvalRun[]): EvalSummary['confusion'] {
  const counts = new Map<string, number>()
  for (const { case: about, activated, skills } of runs) {
    if (skills === 'off' || about.shouldTrigger === undefined) continue
    const expected = about.shouldTrigger ? about.skill! : (about.rivals[0] ?? 'none')
    for (const name of activated.length === 0 ? ['none'] : activated) {
      const key = JSON.stringify([expected, name])
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts].map(([key, count]) => {
    const [expected, activated] = JSON.parse(key) as [string, string]
    return { expected, activated, count }
  })
}

function costOf(runs: readonly EvalRun[], prices: Prices | undefined): number | undefined {
  let cost = 0
  for (const { model, usage } of runs) {
    const price = prices?.[model]
    if (price === undefined) return undefined
    cost += (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1e6
  }
  return cost
}

function missOf(run: EvalRun): Miss[] {
  const { case: about, attempt, adapter, model, fate, advice, skills } = run
  const isMiss = about.shouldTrigger === true ? !usedSkill(run) : about.shouldTrigger === false && tookSkill(run)
  if (skills === 'off' || fate === undefined || !isMiss) return []
  const reason = about.shouldTrigger === false ? 'It should not have been activated.' : fate.reason
  return [{ case: about.id, attempt, adapter, model, fate: fate.fate, reason, ...(advice !== undefined && { advice }) }]
}
