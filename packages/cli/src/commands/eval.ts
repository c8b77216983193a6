import type { AuditOptions } from '@repertoire/core'
import {
  type EvalCase,
  EvalError,
  type EvalRun,
  type EvalSummary,
  readEvals,
  renderMarkdown,
  skillHarness,
  summarise,
} from '@repertoire/evals'
import { createTape } from '@repertoire/evals/tape'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import type { Context, ExitCode } from '../context.ts'
import { keepStdoutClean } from '../output/clean-stdout.ts'
import { toJson } from '../output/json.ts'
import { createStatusLine } from '../output/progress.ts'
import { UsageError } from '../usage-error.ts'
import { loadDrivers } from './adapters.ts'
import { NAVIGATION, navigationText } from './eval-navigation.ts'
import { openSkills, type OpenedSkills, type SourceOptions } from './skill-sources.ts'

/** The options of `repertoire eval`, as parsed. */
export interface EvalOptions extends SourceOptions {
  readonly root?: readonly string[]
  readonly model?: readonly string[]
  readonly baseUrl?: string
  readonly apiKeyEnv?: string
  readonly adapter: string
  readonly tape?: string
  readonly record?: true
  readonly times: number
  readonly atOnce: number
  readonly maxCalls?: number
  readonly compare?: true
  readonly price?: readonly [input: number, output: number]
  readonly minTriggered?: number
  readonly maxFalse?: number
  readonly json?: true
  readonly logs?: string
  readonly init?: true
  readonly navigation?: true
}

/** Runs evals, and prints what they show. */
export async function evaluate(skills: readonly string[], options: EvalOptions, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const opened = await openSkills(options.root ?? [], options, context)
  if (options.init === true) return draft(skills, opened, context)
  const cases = options.navigation === true ? NAVIGATION : await casesOf(skills, opened, folder)
  const runs = await runAll(cases, options, context)
  if (options.navigation === true) {
    await stdout.write(navigationText(runs, options.json === true))
    return runs.some(({ error }) => error !== undefined) ? 1 : 0
  }
  const summary = summarise(runs, pricesOf(options))
  const failures = failuresOf(summary, runs, options)
  await stdout.write(options.json === true ? toJson({ ...summary, failures }) : renderMarkdown(summary))
  if (failures.length > 0) await context.stderr.print(`${failures.join('\n')}\n`)
  return failures.length > 0 ? 1 : 0
}

/** @throws {UsageError} if a skill or its evals are not there, or an eval file is wrong */
async function casesOf(
  names: readonly string[],
  { repertoire }: OpenedSkills,
  folder: string,
): Promise<readonly EvalCase[]> {
  const { catalog } = repertoire
  const all = catalog.list().filter(({ location }) => existsSync(join(location, 'evals')))
  const chosen = names.length > 0 ? names : all.map(({ name }) => name)
  if (chosen.length === 0) throw new UsageError('No skill has evals. Draft some: repertoire eval SKILL --init')
  const cases: EvalCase[] = []
  for (const name of chosen) {
    const found = catalog.list().find((each) => each.name === name)
    const path = found === undefined ? resolve(folder, name) : join(found.location, 'evals')
    if (found === undefined && !existsSync(path)) {
      throw new UsageError(`There is no skill and no file "${name}". Run: repertoire list`)
    }
    if (!existsSync(path)) throw new UsageError(`"${name}" has no evals. Draft some: repertoire eval ${name} --init`)
    try {
      cases.push(...(await readEvals(path)))
    } catch (error) {
      if (error instanceof EvalError) throw new UsageError(error.message, { cause: error })
      throw error
    }
  }
  return cases
}

async function runAll(cases: readonly EvalCase[], options: EvalOptions, context: Context): Promise<readonly EvalRun[]> {
  const { model: models = [], baseUrl: baseURL, apiKeyEnv, adapter: name, times, compare } = options
  if (models.length === 0) throw new UsageError('--model is missing. Name the model, as its provider does.')
  const apiKey = apiKeyEnv === undefined ? undefined : context.env[apiKeyEnv]
  if (apiKeyEnv !== undefined && !apiKey)
    throw new UsageError(`The variable ${apiKeyEnv} is empty. Put the key into it.`)
  const isTaped = options.tape !== undefined
  if (baseURL === undefined ? !isTaped || options.record : isTaped && !options.record) {
    throw new UsageError('Give --base-url, or --tape to replay. To record, give both and --record.')
  }
  const [adapter] = await loadDrivers([name])
  const repertoire = async (audit: AuditOptions) =>
    (await openSkills(options.root ?? [], options, context, { audit })).repertoire
  const record = options.record && baseURL !== undefined ? { baseURL, apiKey } : undefined
  const harnesses = models.flatMap((model) => {
    const folder = resolve(context.folder, options.tape ?? '')
    const from = isTaped ? createTape({ folder, model, record }) : { baseURL: baseURL!, model, apiKey }
    const ways = compare ? (['on', 'off'] as const) : (['on'] as const)
    return ways.map((way) => skillHarness({ adapter: adapter!, repertoire, model: from, skills: way }))
  })
  const attempts = Array.from({ length: times }, (_, at) => at + 1)
  const jobs = attempts.flatMap((attempt) =>
    cases.flatMap((each) => harnesses.map((harness) => ({ harness, each, attempt }))),
  )
  const done: (EvalRun | undefined)[] = []
  const show = createStatusLine(context.stderr)
  const restore = keepStdoutClean()
  let left = options.maxCalls ?? Infinity
  let next = 0
  const work = async (): Promise<void> => {
    while (next < jobs.length && left > 0) {
      const at = next++
      const { harness, each, attempt } = jobs[at]!
      // Reserved before the run, so that runs at the same time stay below the cap together.
      const reserved = Math.min(20, left)
      left -= reserved
      const run = await harness.run(each, { attempt, maxSteps: reserved })
      left += Math.max(0, reserved - run.usage.requests)
      if (options.logs !== undefined) writeLog(resolve(context.folder, options.logs), run)
      // A summary needs neither, and there may be thousands of runs.
      done[at] = options.navigation === true ? run : { ...run, events: [], files: {} }
      show(`${done.filter((ended) => ended !== undefined).length} of ${jobs.length} runs`)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.max(1, options.atOnce) }, work))
  } finally {
    restore()
    show('')
  }
  const runs = done.filter((run) => run !== undefined)
  if (runs.length < jobs.length) {
    await context.stderr.print(`--max-calls ended the evals after ${runs.length} of ${jobs.length} runs.\n`)
  }
  return runs
}

function pricesOf({ model = [], price }: EvalOptions): Parameters<typeof summarise>[1] {
  if (price === undefined) return undefined
  const [input, output] = price
  return Object.fromEntries(model.map((name) => [name, { input, output }]))
}

function failuresOf({ skills }: EvalSummary, runs: readonly EvalRun[], options: EvalOptions): readonly string[] {
  const { minTriggered = 0, maxFalse = 100 } = options
  const missed = skills.flatMap(({ skill, triggered: rate }) =>
    rate !== undefined && rate.rate * 100 < minTriggered
      ? `${skill} triggered in ${rate.hits} of ${rate.total} runs, fewer than ${minTriggered} %.`
      : [],
  )
  const wrong = skills.flatMap(({ skill, falselyTriggered: rate }) =>
    rate !== undefined && rate.rate * 100 > maxFalse
      ? `${skill} triggered falsely in ${rate.hits} of ${rate.total} runs, more than ${maxFalse} %.`
      : [],
  )
  const errors = runs.flatMap(({ error, case: { id }, attempt }) =>
    error === undefined ? [] : `${id}, run ${attempt}, failed: ${error}`,
  )
  return [...(runs.length === 0 ? ['No case was run.'] : []), ...missed, ...wrong, ...errors.slice(0, 20)]
}

/** Writes the audit of a run. */
function writeLog(folder: string, { case: { id }, attempt, skills, model, events }: EvalRun): void {
  mkdirSync(folder, { recursive: true })
  const name = `${id}-${model}-${skills}-${attempt}`.replaceAll(/[^\w.~-]+/g, '-')
  writeFileSync(join(folder, `${name}.jsonl`), events.map((event) => `${JSON.stringify(event)}\n`).join(''))
}

/** Writes a first trigger set beside a skill. */
async function draft(
  names: readonly string[],
  { repertoire }: OpenedSkills,
  { stdout, folder }: Context,
): Promise<ExitCode> {
  const { catalog } = repertoire
  const [name] = names
  if (name === undefined || names.length > 1) throw new UsageError('--init drafts the evals of one skill. Name it.')
  const skill = catalog.list().find((each) => each.name === name)
  if (skill === undefined) throw new UsageError(`There is no skill "${name}". Run: repertoire list`)
  const file = join(skill.location, 'evals', 'trigger-eval.json')
  if (existsSync(file)) throw new UsageError(`${file} exists already. Edit it.`)
  const { description } = skill.manifest
  const { hits } = await catalog.search(description, { limit: 2 })
  const near = hits.find((hit) => hit.name !== name)
  const queries = [
    { query: description, should_trigger: true },
    ...(near === undefined
      ? []
      : [{ query: catalog.get(near.name).manifest.description, should_trigger: false, owner: near.name }]),
    { query: 'What is the capital of France?', should_trigger: false },
  ]
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(queries, null, 2)}\n`)
  const shown = file.startsWith(folder + sep) ? file.slice(folder.length + 1) : file
  const todo = 'Its queries are descriptions. Replace them with what people write, near misses included.'
  await stdout.print(`Wrote ${shown}. ${todo}\n`)
  return 0
}
