import type { AuditOptions } from '@repertoire/core'
import { type EvalCase, type EvalRun, readEvals, renderMarkdown, skillHarness, summarise } from '@repertoire/evals'
import { createTape } from '@repertoire/evals/tape'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import type { Context, ExitCode } from '../context.ts'
import { keepStdoutClean } from '../output/clean-stdout.ts'
import { toJson } from '../output/json.ts'
import { createStatusLine } from '../output/progress.ts'
import { UsageError } from '../usage-error.ts'
import { loadDrivers } from './adapters.ts'
import { figuresOf, NAVIGATION, navigationText } from './eval-navigation.ts'
import { openSkills, type OpenedSkills, type SourceOptions } from './skill-sources.ts'

/** The options of `repertoire eval`, as parsed. */
export interface EvalOptions extends SourceOptions {
  readonly root?: readonly string[]
  readonly model?: readonly string[]
  readonly baseUrl?: string
  readonly apiKeyEnv?: string
  readonly tape?: string
  readonly times: number
  readonly atOnce: number
  readonly maxCalls?: number
  readonly compare?: true
  readonly price?: { readonly input: number; readonly output: number }
  readonly minTriggered?: number
  readonly maxFalse?: number
  readonly json?: true
  readonly logs?: string
  readonly init?: true
  readonly navigation?: true
}

/** Runs evals, and prints what they show. */
export async function evaluate(names: readonly string[], options: EvalOptions, context: Context): Promise<ExitCode> {
  const { stdout, folder } = context
  const { model: models = [], price, navigation, json } = options
  const { repertoire } = await openSkills(options.root ?? [], options, context)
  if (options.init === true) return draft(names, repertoire, context)
  const cases = navigation ? NAVIGATION : await casesOf(names, repertoire, folder)
  const { runs, planned } = await runAll(cases, options, context)
  const summary = summarise(runs, price && Object.fromEntries(models.map((name) => [name, price])))
  const failures = failuresOf(summary, runs, options)
  if (runs.length < planned) failures.push(`Stopped after ${runs.length} of ${planned} runs.`)
  if (json) await stdout.write(toJson({ ...(navigation ? figuresOf(runs) : summary), failures }))
  else await (navigation ? stdout.print(navigationText(figuresOf(runs))) : stdout.write(renderMarkdown(summary)))
  if (failures.length > 0) await context.stderr.print(`${failures.join('\n')}\n`)
  return failures.length > 0 ? 1 : 0
}

/** @throws {UsageError} if a skill or its evals are not there; {EvalError} if an eval file is wrong */
async function casesOf(names: readonly string[], { catalog }: OpenedSkills['repertoire'], folder: string) {
  const all = catalog.list()
  const withEvals = all.filter(({ location }) => existsSync(join(location, 'evals'))).map(({ name }) => name)
  if (names.length + withEvals.length === 0)
    throw new UsageError('No skill has evals. Draft some: repertoire eval SKILL --init')
  const cases: EvalCase[] = []
  for (const name of names.length > 0 ? names : withEvals) {
    const found = all.find((each) => each.name === name)
    const path = found === undefined ? resolve(folder, name) : join(found.location, 'evals')
    if (!existsSync(path))
      throw new UsageError(`There is no skill "${name}" with evals, and no such file. Draft some with --init.`)
    cases.push(...(await readEvals(path)))
  }
  const lost = cases.find(({ skill, shouldTrigger }) => skill === undefined && shouldTrigger)
  if (lost !== undefined)
    throw new UsageError(`${lost.place.file}: ${lost.id} names no skill. Add "skill_name" to the file.`)
  return cases
}

/** @throws {UsageError} if the model, the key, the tape or the adapter is missing */
async function harnessesOf(options: EvalOptions, context: Context) {
  const { model: models = [], baseUrl: baseURL, apiKeyEnv } = options
  if (models.length === 0) throw new UsageError('--model is missing. Name one: --model gpt-5-mini')
  const apiKey = apiKeyEnv === undefined ? undefined : context.env[apiKeyEnv]
  if (apiKeyEnv !== undefined && !apiKey) throw new UsageError(`${apiKeyEnv} is empty. Put the key into it.`)
  const folder = options.tape === undefined ? undefined : resolve(context.folder, options.tape)
  if (baseURL === undefined && (folder === undefined || !existsSync(folder))) {
    const none = folder === undefined ? '' : `There is no tape in ${folder}. `
    throw new UsageError(
      `${none}Give --base-url to ask a model, --tape to replay a tape that exists, or both to record one.`,
    )
  }
  const [adapter] = await loadDrivers(['react-loop'])
  const repertoire = async (audit: AuditOptions) =>
    (await openSkills(options.root ?? [], options, context, { audit })).repertoire
  return models.flatMap((model) => {
    const record = baseURL === undefined ? undefined : { baseURL, apiKey }
    const from = folder === undefined ? { baseURL: baseURL!, apiKey, model } : createTape({ folder, model, record })
    const ways = options.compare ? (['on', 'off'] as const) : (['on'] as const)
    return ways.map((skills) => skillHarness({ adapter: adapter!, repertoire, model: from, skills }))
  })
}

/** Runs each case so often, with each model, until a cap on calls or Ctrl-C. */
async function runAll(cases: readonly EvalCase[], options: EvalOptions, context: Context) {
  const harnesses = await harnessesOf(options, context)
  if (options.logs !== undefined) mkdirSync(resolve(context.folder, options.logs), { recursive: true })
  const jobs = Array.from({ length: options.times }, (_, at) => at + 1).flatMap((attempt) =>
    cases.flatMap((each) => harnesses.map((harness) => ({ harness, each, attempt }))),
  )
  const done: (EvalRun | undefined)[] = []
  const show = createStatusLine(context.stderr)
  const restore = keepStdoutClean()
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt)
  let left = options.maxCalls ?? Infinity
  let next = 0
  const work = async (): Promise<void> => {
    while (next < jobs.length && left > 0) {
      const at = next++
      const { harness, each, attempt } = jobs[at]!
      // Reserved before the run, so that runs at the same time stay below the cap together.
      const reserved = Math.min(20, left)
      left -= reserved
      const run = await harness.run(each, { attempt, maxSteps: reserved, signal: stop.signal })
      if (stop.signal.aborted) return
      left += Math.max(0, reserved - run.usage.requests)
      if (options.logs !== undefined) writeLog(resolve(context.folder, options.logs), run, at + 1)
      // A summary needs none of these, and there may be thousands of runs.
      done[at] = options.navigation ? run : { ...run, events: [], calls: [], files: {} }
      show(`${done.filter((ended) => ended !== undefined).length} of ${jobs.length} runs`)
    }
  }
  await Promise.all(Array.from({ length: options.atOnce }, work)).finally(() => {
    process.off('SIGINT', interrupt)
    restore()
    show('')
  })
  return { runs: done.filter((run) => run !== undefined), planned: jobs.length }
}

function failuresOf({ skills, errors }: ReturnType<typeof summarise>, runs: readonly EvalRun[], options: EvalOptions) {
  const { minTriggered = 0, maxFalse = 100, baseUrl } = options
  const failures: string[] = []
  for (const { skill, model, triggered, falselyTriggered } of skills) {
    const about = `With ${model}, ${skill} triggered`
    if ((triggered?.rate ?? 1) * 100 < minTriggered) failures.push(`${about} less often than ${minTriggered} %.`)
    if ((falselyTriggered?.rate ?? 0) * 100 > maxFalse) failures.push(`${about} falsely more often than ${maxFalse} %.`)
  }
  if (errors > 0 && errors === runs.length && baseUrl !== undefined)
    failures.push('No run ended well. Check --base-url, --model and the key.')
  const failed = runs.filter(({ error }) => error !== undefined)
  // The run is named anyway, so its tape would only tell equal errors apart.
  const kinds = [...Map.groupBy(failed, ({ error = '' }) => error.replace(/^Tape of "[^"]*", /, ''))]
  for (const [error, all] of kinds.slice(0, 5)) {
    failures.push(`Failed ${all.length}×, first in ${all[0]!.case.id}, run ${all[0]!.attempt}: ${error}`)
  }
  if (kinds.length > 5) failures.push(`${kinds.length - 5} more errors.`)
  return failures
}

/** The place in the order of the runs keeps their files apart, whatever the names of cases are. */
function writeLog(folder: string, { case: { id }, attempt, skills, model, events }: EvalRun, at: number): void {
  const name = `${at}-${id}-${model}-${skills}-${attempt}`.replaceAll(/[^\w.~-]+/g, '-').slice(0, 120)
  writeFileSync(join(folder, `${name}.jsonl`), events.map((event) => `${JSON.stringify(event)}\n`).join(''))
}

/** Writes a first trigger set beside a skill. */
async function draft(
  [name, ...others]: readonly string[],
  { catalog, explain }: OpenedSkills['repertoire'],
  { stdout }: Context,
): Promise<ExitCode> {
  if (name === undefined || others.length > 0)
    throw new UsageError('--init drafts the evals of one skill: repertoire eval SKILL --init')
  const skill = catalog.list().find((each) => each.name === name)
  if (skill === undefined) throw new UsageError(explain(name).text.split('\n')[0]!)
  const file = join(skill.location, 'evals', 'trigger-eval.json')
  if (existsSync(file)) throw new UsageError(`${file} exists already. Edit it.`)
  const { description } = skill.manifest
  const { hits } = await catalog.search(description, { limit: 2 })
  const near = [...hits, ...catalog.list()].find((each) => each.name !== name)?.name
  const queries = [
    { query: description, should_trigger: true },
    ...(near ? [{ query: catalog.get(near).manifest.description, should_trigger: false, owner: near }] : []),
    { query: 'What is the capital of France?', should_trigger: false },
  ]
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(queries, null, 2)}\n`)
  await stdout.print(`Wrote ${file}. Write in it what people ask. To run it, give --model and --base-url.\n`)
  return 0
}
