import {
  type ModelRun,
  openModelEndpoint,
  runScenario,
  type Scenario,
  type ScenarioAgent,
  type ScenarioResult,
  SCENARIO_LIMITS,
  scenarios,
  scriptedAgent,
} from '@repertoire/conformance'
import process from 'node:process'
import type { Context, ExitCode } from '../context.ts'
import { keepStdoutClean } from '../output/clean-stdout.ts'
import { toJson } from '../output/json.ts'
import { modelReport, type ModelReport, modelTable } from '../output/model-table.ts'
import { createProgress } from '../output/progress.ts'
import { reportFile, saveReport } from '../output/report-file.ts'
import { count } from '../output/text.ts'
import { UsageError } from '../usage-error.ts'
import { loadDrivers } from './adapters.ts'
import { EndpointFailure, liveAgent, MAX_ANSWER_TOKENS } from './live-agent.ts'
import { chooseModels, labelOf, type ModelChoice, NO_MODEL } from './model-choice.ts'

/** The options of `repertoire models`, as parsed. */
export interface ModelsOptions {
  readonly model?: readonly string[] | undefined
  readonly baseUrl?: string | undefined
  readonly scenario?: readonly string[] | undefined
  readonly scripted?: true | undefined
  readonly require?: true | undefined
  readonly json?: true | undefined
  readonly output?: string | undefined
}

/** A model under measurement. */
interface Measured {
  readonly label: string
  readonly agent: ScenarioAgent
}

/** Runs the scenarios with the options of `repertoire models`, and writes the results. */
export async function measureModels(options: ModelsOptions, context: Context): Promise<ExitCode> {
  const { stdout } = context
  const { scripted = false } = options
  if (scripted && (options.model !== undefined || options.baseUrl !== undefined)) {
    throw new UsageError('--scripted plays models of its own: leave --model and --base-url out.')
  }
  const file = options.output === undefined ? undefined : reportFile(options.output, context.folder)
  const wanted = selectScenarios(options.scenario)
  const choices = scripted ? [] : chooseModels(options, context.env)
  if (!scripted && choices.length === 0 && options.require === true) throw new UsageError(NO_MODEL)
  const outcome = scripted ? await playScripts(wanted, context) : await askModels(choices, wanted, context)
  const report = modelReport(outcome.runs, wanted, {
    scripted,
    stopped: outcome.stopped,
    limits: SCENARIO_LIMITS,
  })
  if (file !== undefined) saveReport(file, toJson(report))
  await stdout.write(options.json === true && file === undefined ? toJson(report) : tableOf(report, context))
  if (outcome.stopped) {
    throw new UsageError('The run was stopped: only the results up to then are shown.')
  }
  return report.missed.length > 0 ? 1 : 0
}

function tableOf(report: ModelReport, { stdout }: Context): string {
  return report.ran ? modelTable(report, stdout.paint) : `${NO_MODEL}\n`
}

/** @throws {UsageError} if there is no such scenario */
function selectScenarios(ids: readonly string[] | undefined): readonly Scenario[] {
  if (ids === undefined) return scenarios
  const unknown = ids.find((id) => !scenarios.some((scenario) => scenario.id === id))
  if (unknown === undefined) return scenarios.filter(({ id }) => ids.includes(id))
  throw new UsageError(`There is no scenario "${unknown}". Known are: ${scenarios.map(({ id }) => id).join(', ')}.`)
}

interface Outcome {
  readonly runs: readonly (ModelRun & { readonly problem?: string })[]
  /** By Ctrl+C. */
  readonly stopped: boolean
}

async function askModels(
  choices: readonly ModelChoice[],
  wanted: readonly Scenario[],
  context: Context,
): Promise<Outcome> {
  if (choices.length === 0) return { runs: [], stopped: false }
  const loop = await loadLoop()
  await context.stderr.write(`${limitsText(choices.length, wanted.length)}\n`)
  return await measureAll(
    choices.map((choice) => ({ label: labelOf(choice), agent: liveAgent(choice, loop) })),
    wanted,
    context,
  )
}

async function playScripts(wanted: readonly Scenario[], context: Context): Promise<Outcome> {
  const [driver] = await loadDrivers(['react-loop'])
  const endpoint = await openModelEndpoint()
  try {
    // One column for each protocol; streaming and stored sessions would show the same.
    const variants = driver!.variants.filter(({ name }) => !/stream$|^sessions/.test(name))
    const measured = variants.map((variant) => ({
      label: `script over ${variant.protocol ?? (variant.dialect === undefined ? 'openai' : variant.name)}`,
      agent: scriptedAgent({ driver: driver!, variant, endpoint }),
    }))
    return await measureAll(measured, wanted, context)
  } finally {
    await endpoint.close()
  }
}

/** All models side by side, each one scenario after the other. */
async function measureAll(
  measured: readonly Measured[],
  wanted: readonly Scenario[],
  context: Context,
): Promise<Outcome> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort(new Error('The run was stopped.'))
  // Only once: pressing it again ends the process at once.
  process.once('SIGINT', interrupt)
  const progress = createProgress(context.stderr, measured.length * wanted.length, 'scenarios')
  const restore = keepStdoutClean()
  try {
    const runs = await Promise.all(measured.map((model) => measure(model, wanted, stop.signal, progress.step)))
    return { runs, stopped: stop.signal.aborted }
  } finally {
    restore()
    progress.end()
    process.off('SIGINT', interrupt)
  }
}

async function measure(
  { label, agent }: Measured,
  wanted: readonly Scenario[],
  signal: AbortSignal,
  onResult: () => void,
): Promise<ModelRun & { readonly problem?: string }> {
  const results: ScenarioResult[] = []
  let problem: string | undefined
  const watched: ScenarioAgent = async (task) => {
    try {
      return await agent(task)
    } catch (error) {
      if (error instanceof EndpointFailure && error.lasting) problem = error.message
      throw error
    }
  }
  for (const scenario of wanted) {
    try {
      // Sequentially, since vendors limit concurrent requests
      results.push(await runScenario(scenario, watched, { signal }))
    } catch (error) {
      if (signal.aborted) break
      throw error
    }
    onResult()
    if (problem !== undefined) return { model: label, results, problem }
  }
  return { model: label, results }
}

function limitsText(models: number, tasks: number): string {
  const { steps, tokens, time } = SCENARIO_LIMITS
  const all = (models * tasks * tokens).toLocaleString('en-US')
  return `${count(models, 'model')}, ${count(tasks, 'scenario')} each. A scenario ends after ${steps} calls, ${tokens.toLocaleString('en-US')} tokens or ${time / 60_000} minutes, so all of it takes about ${all} tokens at the most (an answer: ${MAX_ANSWER_TOKENS.toLocaleString('en-US')}).`
}

async function loadLoop(): Promise<typeof import('@repertoire/react-loop')> {
  // Reports what to install if the package is missing.
  await loadDrivers(['react-loop'])
  return await import('@repertoire/react-loop')
}
