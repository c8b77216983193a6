import { openRepertoire, type Repertoire, type SkillSource } from '@repertoire/core'
import type { Bench, ToolRun, Trial, TrialOptions } from './check.ts'
import { LATE, within } from './deadline.ts'
import { refuseUnknown } from './driver-rules.ts'
import { type AdapterDriver, isPresentIn, type TaskEndpoint, type TaskSetup, type Variant } from './driver.ts'
import type { ModelEndpoint } from './endpoint/endpoint.ts'
import type { Play } from './endpoint/play.ts'
import { reasonOf } from './failure.ts'
import { type EndedSkills, watchEnds } from './ended-skills.ts'
import { createOperations } from './operations.ts'
import { benchTools, recordRuns } from './tools.ts'
import { createTrial } from './trial.ts'

const INSTRUCTIONS = 'You are a careful assistant.'
const MAX_STEPS = 20

const TRIAL: Readonly<Record<keyof TrialOptions, true>> = {
  script: true,
  sources: true,
  beside: true,
  repertoire: true,
  consent: true,
  session: true,
  tools: true,
  instructions: true,
  maxSteps: true,
  models: true,
  subagents: true,
  handoffs: true,
  approval: true,
  saved: true,
}

/** How a bench is set up. */
export interface BenchOptions {
  readonly driver: AdapterDriver
  readonly variant: Variant
  readonly endpoint: ModelEndpoint
  /** The skills of every trial that names no sources. */
  readonly sources: readonly SkillSource[]
}

/** A bench, and how it is closed when the check has ended. */
export interface OpenedBench {
  readonly bench: Bench
  /** What the check's trials are currently waiting for. */
  waiting(): readonly string[]
  /**
   * Stops current operations, ends every trial that the check has not ended, and returns the failures outside of the
   * check: requests that were malformed or beyond the script, trials that could not be ended. After that, the bench
   * opens no more trials.

   * @param grace how long this may take, in milliseconds
   */
  close(grace: number): Promise<readonly Problem[]>
}

/** A failure outside of the check itself. */
interface Problem {
  /** Where it happened: `trial 1`. Absent if the text says so. */
  readonly at?: string
  readonly text: string
}

interface OpenTrial {
  readonly name: string
  readonly play: Play
  /** Further models, by their names. */
  readonly models: ReadonlyMap<string, Play>
  /** Absent until the adapter has started, and if it could not start. */
  trial?: Trial
}

/** Sets up a bench for one check of one adapter in one variant. */
export function openBench({ driver, variant, endpoint, sources }: BenchOptions): OpenedBench {
  const trials: OpenTrial[] = []
  const playOfSave = new Map<string, Play>()
  const repertoireOf = new Map<Trial, Repertoire>()
  const operations = createOperations()
  const stop = new AbortController()
  const continues = isPresentIn(driver, variant, 'continuation')
  let closed = false

  function refuseWhenClosed(): void {
    if (closed) throw new TypeError('The check is over: its bench opens no more trials, and its trials go no further.')
  }

  async function open(options: TrialOptions): Promise<Trial> {
    refuseWhenClosed()
    refuseUnknown(options, TRIAL, 'A trial')
    const { saved } = options
    const after = saved === undefined ? undefined : playOfSave.get(JSON.stringify(saved))
    const wire = { protocol: variant.protocol, dialect: variant.dialect, form: driver.wire }
    const play = endpoint.play(options.script, { ...wire, after })
    const models = new Map(
      Object.entries(options.models ?? {}).map(([model, script]) => [model, endpoint.play(script, wire)]),
    )
    const opened: OpenTrial = { name: `trial ${trials.length + 1}`, play, models }
    trials.push(opened)
    const { name } = opened
    return operations.run(`start of ${name}`, async () => {
      const runs: ToolRun[] = []
      // Between the runs of an adapter without continuation nothing is active: the audit says what was.
      const ends = continues ? undefined : watchEnds(options.repertoire?.audit)
      const setup = await taskSetup(options, opened, runs, ends)
      const conversation = await driver.start(setup)
      if (closed) {
        await conversation.end()
        refuseWhenClosed()
      }
      const trial = createTrial({
        name,
        conversation,
        play,
        models,
        runs,
        operations,
        isHandled: options.consent !== 'suspend',
        guard: refuseWhenClosed,
        ends,
        // An adapter that cannot be aborted may refuse a signal.
        stop: isPresentIn(driver, variant, 'abort') ? stop.signal : undefined,
        reload: () => setup.repertoire.reload({ force: true }),
        onSave: (json) => playOfSave.set(json, play),
      })
      opened.trial = trial
      repertoireOf.set(trial, setup.repertoire)
      return trial
    })
  }

  async function taskSetup(
    options: TrialOptions,
    { play, models }: OpenTrial,
    runs: ToolRun[],
    ends: EndedSkills | undefined,
  ): Promise<TaskSetup> {
    const { consent = () => true, session, saved, tools = benchTools, subagents, handoffs, approval } = options
    const shared = options.beside && repertoireOf.get(options.beside)
    const repertoire =
      shared ??
      (await openRepertoire({
        ...options.repertoire,
        ...(ends !== undefined && { audit: ends.audit }),
        sources: options.sources ?? sources,
      }))
    return {
      variant: variant.name,
      endpoint: endpointOf(play),
      repertoire,
      session: typeof consent === 'function' ? { ...session, consent } : { ...session },
      instructions: options.instructions ?? INSTRUCTIONS,
      tools: recordRuns(tools, runs),
      maxSteps: options.maxSteps ?? MAX_STEPS,
      ...(models.size > 0 && { models: new Map([...models].map(([name, each]) => [name, endpointOf(each)])) }),
      subagents,
      handoffs,
      approval,
      saved,
    }
  }

  async function endAll(): Promise<readonly Problem[]> {
    const ends = trials.map(async ({ name, trial }) => {
      try {
        await trial?.end()
        return []
      } catch (error) {
        return [{ text: `The end of ${name} failed: ${reasonOf(error)}` }]
      }
    })
    return (await Promise.all(ends)).flat()
  }

  return {
    bench: {
      variant: variant.name,
      continues,
      open,
      handoffTool(agent) {
        if (driver.handoffTool === undefined) throw new TypeError(`The driver "${driver.name}" has no "handoffTool".`)
        return driver.handoffTool(agent)
      },
    },
    waiting: () => [
      ...operations.pending(),
      ...playsOf(trials).flatMap(({ at, play }) => play.waiting.map((what) => `${what} (${at})`)),
    ],
    async close(grace) {
      closed = true
      if (operations.pending().length > 0) {
        stop.abort(new Error('The check is over.'))
        for (const { play } of playsOf(trials)) play.close()
        await within(grace, operations.settled())
      }
      const ends = await within(grace, endAll())
      for (const { play } of playsOf(trials)) play.close()
      const unfinished = operations.pending()
      return [
        ...playsOf(trials).flatMap(({ at, play }) => play.failures.map((text) => ({ at, text }))),
        ...(ends === LATE ? [] : ends),
        ...(unfinished.length === 0
          ? []
          : [{ text: `Still going on when the check was over: ${unfinished.join(', ')}.` }]),
      ]
    },
  }
}

/** Every model of some trials, with its name in messages: `trial 1`, `trial 1, the model "strong"`. */
function playsOf(trials: readonly OpenTrial[]): readonly { readonly at: string; readonly play: Play }[] {
  return trials.flatMap(({ name, play, models }) => [
    { at: name, play },
    ...[...models].map(([model, other]) => ({ at: `${name}, the model "${model}"`, play: other })),
  ])
}

function endpointOf({ baseURL, apiKey, model }: Play): TaskEndpoint {
  return { baseURL, apiKey, model }
}
