import {
  AIMS,
  figuresOf,
  missedAims,
  type ModelFigures,
  type ModelRun,
  type Scenario,
  type ScenarioLimits,
  type ScenarioResult,
  tokenSpread,
  type TokenSpread,
} from '@repertoire/conformance'
import type { Paint } from './output.ts'
import { padTo, visible, visibleLine, widthOf } from './text.ts'

/** The results of `repertoire models`. A JSON value without keys. */
export interface ModelReport {
  /** Whether there was a model to run. */
  readonly ran: boolean
  /** Whether the models were scripts that make mistakes on purpose. */
  readonly scripted: boolean
  /** Whether it was stopped before everything was run. */
  readonly stopped: boolean
  /** Of each scenario. */
  readonly limits: ScenarioLimits
  readonly scenarios: readonly { readonly id: string; readonly title: string }[]
  readonly models: readonly MeasuredModel[]
  readonly spread: readonly TokenSpread[]
  /** Aims that were not met, and what kept a model from being measured. */
  readonly missed: readonly string[]
}

interface MeasuredModel {
  readonly model: string
  /** Why the rest was not run. */
  readonly problem?: string
  readonly figures: ModelFigures
  readonly results: readonly ScenarioResult[]
}

/** Returns the report of some results. */
export function modelReport(
  runs: readonly (ModelRun & { readonly problem?: string })[],
  wanted: readonly Scenario[],
  { scripted, stopped, limits }: Pick<ModelReport, 'scripted' | 'stopped' | 'limits'>,
): ModelReport {
  return {
    ran: runs.length > 0,
    scripted,
    stopped,
    limits,
    scenarios: wanted.map(({ id, title }) => ({ id, title })),
    models: runs.map(({ model, results, problem }) => ({
      model,
      problem,
      figures: figuresOf({ model, results }),
      results,
    })),
    spread: tokenSpread(runs),
    missed: missedAims(runs),
  }
}

/** One row: its heading, a cell for each model, and the aim. */
type Row = readonly [head: string, cells: readonly Cell[], aim?: string | Cell]

interface Cell {
  readonly text: string
  readonly missed?: boolean
}

/** A report for a person: a column for each model, a row for each figure, then each scenario's tokens. */
export function modelTable(report: ModelReport, paint: Paint): string {
  const { models, scenarios, scripted } = report
  const shown = scenarios.filter(({ id }) => models.some(({ results }) => resultOf(results, id) !== undefined))
  const rows: readonly Row[] = [
    ['', models.map(({ model }) => ({ text: visible(model) })), 'aim'],
    ...figureRows(models),
    ['', [], ''],
    ['tokens in + out', models.map(() => ({ text: '' })), 'apart'],
    ...shown.map(({ id }): Row => [
      `  ${id}`,
      models.map(({ results }) => tokensOf(resultOf(results, id))),
      spreadCell(report, id),
    ]),
  ]
  const lines = aligned(rows, paint)
  const reasons = models.flatMap(({ model, results, problem }) => [
    ...results
      .filter(({ passed, reason }) => !passed && reason !== undefined && problem === undefined)
      .map(({ scenario, reason = '' }) => `${paint.red('✗')} ${visible(model)}  ${scenario}: ${visibleLine(reason)}`),
    ...(problem === undefined ? [] : [`${paint.red('✗')} ${visible(model)}: ${visibleLine(problem)}`]),
  ])
  const missed = report.missed.map((text) => `${paint.red('✗')} ${visibleLine(text)}`)
  const met = report.stopped ? [] : [paint.green('Every aim was met.')]
  const closing = missed.length === 0 ? met : [paint.bold('Missed'), ...missed]
  const note = scripted
    ? ['The models are scripts that make mistakes on purpose, which are counted apart; tokens are estimated.']
    : []
  const parts = [lines, note, reasons, closing].filter((part) => part.length > 0)
  return `${parts.map((part) => part.join('\n')).join('\n\n')}\n`
}

function figureRows(models: readonly MeasuredModel[]): readonly Row[] {
  const cells = (
    text: (figures: ModelFigures) => string,
    missed?: (figures: ModelFigures) => boolean,
  ): readonly Cell[] => models.map(({ figures }) => ({ text: text(figures), missed: missed?.(figures) === true }))
  return [
    [
      'passed',
      cells(
        ({ passed, scenarios }) => `${passed} of ${scenarios}`,
        ({ passed, scenarios }) => passed < scenarios,
      ),
      'all',
    ],
    [
      'paths to nowhere',
      cells(
        ({ paths }) => rate(paths.failed, paths.tried),
        ({ paths }) => (paths.rate ?? 0) > AIMS.pathFailures,
      ),
      `≤ ${percent(AIMS.pathFailures)}`,
    ],
    ...(models.some(({ figures }) => figures.paths.intended > 0)
      ? [['  on purpose, not counted', cells(({ paths }) => String(paths.intended))] as const]
      : []),
    [
      'scripts shown',
      cells(
        ({ scriptsShown }) => String(scriptsShown),
        ({ scriptsShown }) => scriptsShown > AIMS.scriptsShown,
      ),
      '0',
    ],
    ['script reads refused', cells(({ scriptReads }) => String(scriptReads))],
    ['calls against the rules', cells(({ violations }) => String(violations))],
    ['script runs that succeeded', cells(({ scripts }) => rate(scripts.succeeded, scripts.started))],
    ['model calls', cells(({ steps }) => String(steps))],
    ['tokens in + out', cells(({ tokens }) => sumOf(tokens))],
  ]
}

function resultOf(results: readonly ScenarioResult[], id: string): ScenarioResult | undefined {
  return results.find(({ scenario }) => scenario === id)
}

function tokensOf(result: ScenarioResult | undefined): Cell {
  if (result === undefined) return { text: '–' }
  return { text: sumOf(result.tokens), missed: !result.passed }
}

function spreadCell({ spread }: ModelReport, id: string): Cell {
  const found = spread.find(({ scenario }) => scenario === id)
  if (found === undefined) return { text: '–' }
  return { text: percent(found.spread), missed: found.spread > AIMS.tokenSpread }
}

function sumOf({ input, output }: ScenarioResult['tokens']): string {
  return `${input.toLocaleString('en-US')} + ${output.toLocaleString('en-US')}`
}

function rate(part: number, whole: number): string {
  return whole === 0 ? '–' : `${percent(part / whole)} (${part} of ${whole})`
}

function percent(of: number): string {
  return `${Number((of * 100).toFixed(1))} %`
}

function aligned(rows: readonly Row[], paint: Paint): readonly string[] {
  const plain = rows.map(([head, cells, aim = '']) => [
    { text: head },
    ...cells,
    typeof aim === 'string' ? { text: aim } : aim,
  ])
  const texts = plain.map((cells) => cells.map(({ text, missed = false }: Cell) => (missed ? `${text} ✗` : text)))
  const widths = (texts[0] ?? []).map((_, column) => Math.max(...texts.map((cells) => widthOf(cells[column] ?? ''))))
  return texts.map((cells, row) =>
    cells
      .map((text, column) => {
        const padded = column === cells.length - 1 ? text : padTo(text, widths[column] ?? 0)
        if (row === 0) return paint.bold(padded)
        return plain[row]?.[column]?.missed === true ? paint.red(padded) : padded
      })
      .join('  ')
      .trimEnd(),
  )
}
