import { readOptions, number } from '@repertoire/core/options'
import type { ScenarioResult } from './run.ts'

/** The results of one model. A JSON value. */
export interface ModelRun {
  /** Its name in tables: `openai:some-model`. */
  readonly model: string
  readonly results: readonly ScenarioResult[]
}

/** The summary of a model's results. Rates are from 0 to 1, and absent if there was nothing to count. */
export interface ModelFigures {
  readonly model: string
  readonly passed: number
  readonly scenarios: number
  /** `intended`: errors that a script makes on purpose. They are not in the others. */
  readonly paths: {
    readonly tried: number
    readonly failed: number
    readonly intended: number
    readonly rate?: number
  }
  readonly scriptReads: number
  readonly scriptsShown: number
  readonly violations: number
  readonly scripts: { readonly started: number; readonly succeeded: number; readonly rate?: number }
  readonly steps: number
  readonly tokens: { readonly input: number; readonly output: number }
}

/** The targets: maximum values. */
export const AIMS = {
  /** The rate of requested paths that do not exist. */
  pathFailures: 0.05,
  /** Scripts that a model was shown. */
  scriptsShown: 0,
  /** How many more tokens one model may use than another in the same scenario, as a rate. */
  tokenSpread: 0.2,
} as const

/** Returns the summary of a model's results. */
export function figuresOf({ model, results }: ModelRun): ModelFigures {
  const sum = (count: (result: ScenarioResult) => number): number => results.reduce((all, each) => all + count(each), 0)
  const tried = sum(({ paths }) => paths.tried)
  const failed = sum(({ paths }) => paths.failed)
  const started = sum(({ scripts }) => scripts.started)
  const succeeded = sum(({ scripts }) => scripts.succeeded)
  return {
    model,
    passed: sum(({ passed }) => (passed ? 1 : 0)),
    scenarios: results.length,
    paths: { tried, failed, intended: sum(({ paths }) => paths.intended), ...(tried > 0 && { rate: failed / tried }) },
    scriptReads: sum(({ scriptReads }) => scriptReads),
    scriptsShown: sum(({ scriptsShown }) => scriptsShown),
    violations: sum(({ violations }) => violations),
    scripts: { started, succeeded, ...(started > 0 && { rate: succeeded / started }) },
    steps: sum(({ steps }) => steps),
    tokens: { input: sum(({ tokens }) => tokens.input), output: sum(({ tokens }) => tokens.output) },
  }
}

/** How far apart models are in one scenario. */
export interface TokenSpread {
  readonly scenario: string
  /** Input and output together, of those models that passed it. */
  readonly least: number
  readonly most: number
  /** 0.2: the most is 20 % more than the least. */
  readonly spread: number
}

/**
 * Returns the spread of each scenario that at least two models have passed; the tokens of a failed run mean nothing.
 */
export function tokenSpread(runs: readonly ModelRun[]): readonly TokenSpread[] {
  const totalsByScenario = new Map<string, number[]>()
  for (const { results } of runs) {
    for (const { scenario, passed, tokens } of results) {
      const total = tokens.input + tokens.output
      if (passed && total > 0) totalsByScenario.set(scenario, [...(totalsByScenario.get(scenario) ?? []), total])
    }
  }
  return [...totalsByScenario].flatMap(([scenario, totals]) => {
    const least = Math.min(...totals)
    const most = Math.max(...totals)
    return totals.length < 2 ? [] : [{ scenario, least, most, spread: most / least - 1 }]
  })
}

/**
 * Returns a sentence for every aim that a model missed; passing all scenarios is one of them. Empty: all aims were met.
 * @param overrides replaces single values of `AIMS`
 */
export function missedAims(
  runs: readonly ModelRun[],
  overrides: { readonly [Aim in keyof typeof AIMS]?: number } = {},
): readonly string[] {
  const rate = number('a rate', { from: 0 })
  const given = readOptions<Partial<Record<keyof typeof AIMS, number>>>(
    'missedAims',
    { pathFailures: rate, scriptsShown: rate, tokenSpread: rate },
    overrides,
  )
  const aims = { ...AIMS, ...given }
  const ofModels = runs
    .map(figuresOf)
    .flatMap(({ model, passed, scenarios, paths, scriptsShown }) => [
      ...(passed < scenarios ? [`${model}: ${scenarios - passed} of ${scenarios} scenarios were not passed.`] : []),
      ...((paths.rate ?? 0) > aims.pathFailures
        ? [
            `${model}: ${percent(paths.rate ?? 0)} of the paths lead nowhere; at most ${percent(aims.pathFailures)} is the aim.`,
          ]
        : []),
      ...(scriptsShown > aims.scriptsShown ? [`${model}: it was shown a script; none is the aim.`] : []),
    ])
  const tooFarApart = tokenSpread(runs).filter(({ spread }) => spread > aims.tokenSpread)
  return [
    ...ofModels,
    ...tooFarApart.map(
      ({ scenario, spread }) =>
        `${scenario}: the tokens of the models are ${percent(spread)} apart; at most ${percent(aims.tokenSpread)} is the aim.`,
    ),
  ]
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`
}
