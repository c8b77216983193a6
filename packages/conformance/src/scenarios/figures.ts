import type { ScenarioResult } from './run.ts'

/** The results of one model. A JSON value. */
export interface ModelRun {
  /** As a table names it: `openai:some-model`. */
  readonly model: string
  readonly results: readonly ScenarioResult[]
}

/** The summary of a model's results. Rates are from 0 to 1, and absent if there was nothing to count. */
export interface ModelFigures {
  readonly model: string
  readonly passed: number
  readonly scenarios: number
  readonly paths: { readonly tried: number; readonly failed: number; readonly rate?: number }
  readonly scriptReads: number
  readonly scriptsShown: number
  readonly violations: number
  readonly scripts: { readonly started: number; readonly succeeded: number; readonly rate?: number }
  readonly steps: number
  readonly tokens: { readonly input: number; readonly output: number }
}

/** The targets: maximum values. */
export const AIMS = {
  /** Of the paths that a model asks for, those that lead nowhere. */
  pathFailures: 0.05,
  /** Scripts that a model was shown. */
  scriptsShown: 0,
  /** By how much the tokens of one scenario are more in one model than in another. */
  tokenSpread: 0.2,
} as const

/** Adds up. */
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
    paths: { tried, failed, ...(tried > 0 && { rate: failed / tried }) },
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

/** The spread of each scenario that at least two models have passed; the tokens of a failed run mean nothing. */
export function tokenSpread(runs: readonly ModelRun[]): readonly TokenSpread[] {
  const taken = new Map<string, number[]>()
  for (const { results } of runs) {
    for (const { scenario, passed, tokens } of results) {
      const total = tokens.input + tokens.output
      if (passed && total > 0) taken.set(scenario, [...(taken.get(scenario) ?? []), total])
    }
  }
  return [...taken].flatMap(([scenario, totals]) => {
    const least = Math.min(...totals)
    const most = Math.max(...totals)
    return totals.length < 2 ? [] : [{ scenario, least, most, spread: most / least - 1 }]
  })
}

/**
 * Every aim that was missed, as a sentence; a scenario that was not passed is one. Empty: all were met.
 * @param given other aims than `AIMS`
 */
export function missedAims(
  runs: readonly ModelRun[],
  given: { readonly [Aim in keyof typeof AIMS]?: number } = {},
): readonly string[] {
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
  const apart = tokenSpread(runs).filter(({ spread }) => spread > aims.tokenSpread)
  return [
    ...ofModels,
    ...apart.map(
      ({ scenario, spread }) =>
        `${scenario}: the tokens of the models are ${percent(spread)} apart; at most ${percent(aims.tokenSpread)} is the aim.`,
    ),
  ]
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`
}
