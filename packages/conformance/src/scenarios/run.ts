import {
  createCounters,
  type GuidanceMode,
  openRepertoire,
  type SkillCounters,
  type TokenUsage,
} from '@repertoire/core'
import { number, oneOf, readOptions, signal as signalKind, tableOf } from '@repertoire/core/options'
import { directorySource } from '@repertoire/core/node'
import { randomUUID } from 'node:crypto'
import { within } from '../deadline.ts'
import { reasonOf } from '../failure.ts'
import type { Scenario, ScenarioAgent, ScenarioEnd, ScenarioLimits } from './scenario.ts'
import { hostTools } from './tools.ts'
import { openWorkshop, type Workshop } from './workshop.ts'

/** The result of one run of a scenario. A JSON value. */
export interface ScenarioResult {
  readonly scenario: string
  readonly passed: boolean
  /** Why it did not pass. */
  readonly reason?: string
  /** What ended it before the model had finished. `error`: the run failed. */
  readonly stopped?: 'steps' | 'tokens' | 'time' | 'error'
  /** Calls of the model. */
  readonly steps: number
  readonly tokens: { readonly input: number; readonly output: number }
  /**
   * How often any tool asked for a file of a skill, and how often that path did not exist. `intended`: errors that a
   * scripted model makes on purpose, which are in neither of these.
   */
  readonly paths: { readonly tried: number; readonly failed: number; readonly intended: number }
  /** Attempts to read a script. */
  readonly scriptReads: number
  /** Texts that the model was shown and that hold a script. */
  readonly scriptsShown: number
  /** Calls that the rules in force do not permit. */
  readonly violations: number
  /** Runs of skills' scripts. */
  readonly scripts: { readonly started: number; readonly succeeded: number }
  /** Executions of skills and their tokens, as recorded in the audit; see `createCounters`. */
  readonly skills: readonly SkillCounters[]
}

/** How a scenario is run. */
export interface ScenarioOptions {
  /** When a run ends early. Default: `SCENARIO_LIMITS`. */
  readonly limits?: Partial<ScenarioLimits> | undefined
  /** How much a model is told before it activates a skill, as in `openRepertoire`. Default `short`. */
  readonly guidance?: GuidanceMode | undefined
  readonly signal?: AbortSignal | undefined
}

/** Enough for a model that makes every mistake once, and still affordable. */
export const SCENARIO_LIMITS: ScenarioLimits = { steps: 15, tokens: 60_000, time: 180_000 }

/** How long an agent may take to stop. */
const MAX_STOP_MS = 5_000

/** The reason of an abort because of a limit. */
class LimitReached extends Error {
  override readonly name = 'LimitReached'
  readonly limit: 'steps' | 'tokens' | 'time'
  constructor(limit: 'steps' | 'tokens' | 'time', message: string) {
    super(message)
    this.limit = limit
  }
}

/**
 * Runs a scenario in a folder of its own, which is removed afterwards, and judges the files that the model has left
 * there. Errors are part of the result.
 * @throws the signal's reason, if it is aborted
 */
export async function runScenario(
  scenario: Scenario,
  agent: ScenarioAgent,
  options: ScenarioOptions = {},
): Promise<ScenarioResult> {
  const limit = number('', { from: 0, isUnlimited: true })
  const {
    limits: limitOverrides,
    guidance = 'short',
    signal: callerSignal,
  } = readOptions<ScenarioOptions>(
    'runScenario',
    {
      limits: tableOf<Partial<ScenarioLimits>>({ steps: limit, tokens: limit, time: limit }),
      guidance: oneOf('short', 'full'),
      signal: signalKind,
    },
    options,
  )
  callerSignal?.throwIfAborted()
  const limits = { ...SCENARIO_LIMITS, ...limitOverrides }
  const mark = `mark-${randomUUID()}`
  const workshop = await openWorkshop(scenario.skills(mark), scenario.files)
  try {
    return await runIn(workshop, { scenario, agent, limits, guidance, callerSignal, mark })
  } finally {
    await workshop.remove()
  }
}

interface Run {
  readonly scenario: Scenario
  readonly agent: ScenarioAgent
  readonly limits: ScenarioLimits
  readonly guidance: GuidanceMode
  readonly callerSignal: AbortSignal | undefined
  readonly mark: string
}

async function runIn(workshop: Workshop, run: Run): Promise<ScenarioResult> {
  const { scenario, agent, limits, guidance, callerSignal, mark } = run
  const counters = createCounters()
  const read = { count: 0 }
  const missing: string[] = []
  const repertoire = await openRepertoire({
    sources: [directorySource({ root: workshop.skills, layer: 'project', id: 'scenario' })],
    listing: { guidance },
    toolMap: Object.fromEntries(Object.entries(scenario.names ?? {}).map(([tool, name]) => [name, tool])),
    audit: [
      counters,
      {
        write({ type, path, missing: missed, skills }) {
          if (type === 'resource.read') read.count++
          if (type === 'resource.refused') missing.push(path ?? '')
          if (type === 'tool.finished' && missed !== undefined && skills.length > 0) missing.push(missed)
        },
      },
    ],
  })
  const stop = new AbortController()
  const signal = callerSignal === undefined ? stop.signal : AbortSignal.any([callerSignal, stop.signal])
  let steps = 0
  const scriptsShown = new Set<string>()
  const tokens = { input: 0, output: 0 }

  const trimmed = async (path: string): Promise<string | undefined> => (await workshop.read(path))?.trim()

  function end(limit: LimitReached['limit'], message: string): void {
    stop.abort(new LimitReached(limit, message))
  }
  const timer = setTimeout(() => end('time', `It took longer than ${limits.time / 1000} seconds.`), limits.time)

  const work = async (): Promise<ScenarioEnd> =>
    agent({
      scenario,
      prompt: scenario.prompt,
      instructions: `You work in the folder ${workshop.work}. Do what you are asked, with the tools that you have, and then say in one short sentence what you did.`,
      repertoire,
      session: { consent: () => true, cwd: workshop.work },
      tools: [...hostTools(workshop, scenario.names), ...(scenario.tools?.(workshop) ?? [])],
      // One more, so that the limit is reported here, in the same way for every agent.
      maxSteps: limits.steps + 1,
      signal,
      beforeCall(shown) {
        signal.throwIfAborted()
        for (const text of shown) if (text.includes(mark)) scriptsShown.add(text)
        const used = tokens.input + tokens.output
        if (used >= limits.tokens) end('tokens', `It used ${used} tokens, and the limit is ${limits.tokens}.`)
        else if (steps >= limits.steps) end('steps', `It was not done after ${limits.steps} calls of the model.`)
        signal.throwIfAborted()
        steps++
      },
      afterCall({ inputTokens = 0, outputTokens = 0 }: TokenUsage) {
        tokens.input += inputTokens
        tokens.output += outputTokens
      },
    })

  let intended: readonly string[] = []
  const verdict = await untilEnded(work(), signal)
    .then(
      async ({ active, intendedPaths = [] }) => {
        intended = intendedPaths
        const reason = await scenario.judge({ read: trimmed, active, mark })
        return reason === undefined ? { passed: true } : { passed: false, reason }
      },
      (error: unknown) => {
        callerSignal?.throwIfAborted()
        // Agents report an abort in different ways, so the reason is read from the signal.
        const reason = signal.aborted ? signal.reason : error
        if (reason instanceof LimitReached) return { passed: false, reason: reason.message, stopped: reason.limit }
        return { passed: false, reason: reasonOf(error), stopped: 'error' as const }
      },
    )
    .finally(() => clearTimeout(timer))
  await repertoire.close()
  const counted = counters.byModel()
  const sum = (count: (model: (typeof counted)[number]) => number): number =>
    counted.reduce((all, each) => all + count(each), 0)
  const tried = workshop.paths.tried + read.count + missing.length
  const nowhere = [...workshop.paths.missing, ...missing]
  const errors = withoutEach(nowhere, intended)
  const onPurpose = nowhere.length - errors.length
  return {
    scenario: scenario.id,
    ...verdict,
    steps,
    tokens,
    paths: { tried: tried - onPurpose, failed: errors.length, intended: onPurpose },
    scriptReads: sum(({ scriptReads }) => scriptReads),
    scriptsShown: scriptsShown.size,
    violations: sum(({ violations }) => violations),
    scripts: {
      started: sum(({ scripts }) => scripts.started),
      succeeded: sum(({ scripts }) => scripts.succeeded),
    },
    // A run uses one model name.
    skills: counted.flatMap(({ skills }) => skills),
  }
}

/** Leaves each of some values out once. */
function withoutEach(values: readonly string[], leftOut: readonly string[]): readonly string[] {
  const rest = [...leftOut]
  return values.filter((value) => {
    const at = rest.indexOf(value)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

/** Waits for an agent to end, and after an abort at most `MAX_STOP_MS` longer. */
async function untilEnded(work: Promise<ScenarioEnd>, signal: AbortSignal): Promise<ScenarioEnd> {
  const aborted = Promise.withResolvers<void>()
  const resolveAborted = (): void => aborted.resolve()
  signal.addEventListener('abort', resolveAborted, { once: true })
  const late = aborted.promise.then(async (): Promise<never> => {
    await within(MAX_STOP_MS, work)
    throw signal.reason
  })
  try {
    const end = await Promise.race([work, late])
    // Some agents end normally when they are aborted.
    signal.throwIfAborted()
    return end
  } finally {
    signal.removeEventListener('abort', resolveAborted)
  }
}
