import { type AdapterDriver, failure, type TaskEndpoint } from '@repertoire/conformance'
import type { AuditEvent, AuditOptions, ConsentHandler, FunctionTool, Repertoire } from '@repertoire/core'
import { failureText } from '@repertoire/core/adapter'
import {
  anyText,
  checkOptions,
  foreign,
  functionOf,
  number,
  oneOf,
  required,
  timeLimit,
} from '@repertoire/core/options'
import type { OptionTable } from '@repertoire/core/options'
import { randomUUID } from 'node:crypto'
import { dirname, isAbsolute, sep } from 'node:path'
import { isObject } from '@repertoire/skill-md/internal'
import { adviceFor } from './advice.ts'
import { type CheckedAssertion, checkAssertions } from './assertions.ts'
import type { EvalCase } from './eval-case.ts'
import { activatedSkills, fatesOf, type SkillFate } from './fates.ts'
import { openWorkspace, type Workspace, workspaceTools } from './workspace.ts'

/** What the harness needs of an adapter. The drivers of the conformance suite have it. */
export type EvalAdapter = Pick<AdapterDriver, 'name' | 'variants' | 'start'>

/** A model at a server. */
export interface EvalEndpoint {
  /** As the adapter's vendor package takes it: `https://api.openai.com/v1`, `https://api.anthropic.com`. */
  readonly baseURL: string
  readonly model: string
  readonly apiKey?: string | undefined
}

/** Opens the endpoint of one run, such as a tape. */
export interface EndpointSource {
  readonly model: string
  open(run: RunPlace): Promise<OpenedEndpoint>
}

/** What a tape needs to know of a run. */
export interface RunPlace {
  /** The same in every recording and replay: case, model, adapter, skills and attempt. */
  readonly name: string
  /** What differs between runs, by what a tape has in its place. */
  readonly places: Readonly<Record<string, string>>
}

/** The endpoint of one run. */
export interface OpenedEndpoint {
  readonly endpoint: TaskEndpoint
  /** Ends the run. @throws why it was not the recorded one, or could not be recorded */
  finish(): Promise<void>
}

/** Options of `skillHarness`. */
export interface SkillHarnessOptions {
  readonly adapter: EvalAdapter
  /** Opens the skills of one run: `(audit) => openSkills('.agents/skills', { audit })`. The harness closes them. */
  readonly repertoire: (audit: AuditOptions) => Promise<Repertoire>
  readonly model: EvalEndpoint | EndpointSource
  /** `off`: the model does not see the skill of the case; without one, no skill. Default `on`. */
  readonly skills?: 'on' | 'off' | undefined
  /** The protocol that the model speaks. Default: that of the adapter's first variant. */
  readonly protocol?: string | undefined
  /** The tools of the agent. Default: `Read`, `Write` and `LS` in the workspace. They run no program. */
  readonly tools?: ((workspace: string) => readonly FunctionTool[] | Promise<readonly FunctionTool[]>) | undefined
  readonly instructions?: string | undefined
  /** Answers requests for consent. Default: yes to each. */
  readonly consent?: ConsentHandler | undefined
  /** Model calls of a run. Default 20. */
  readonly maxSteps?: number | undefined
  /** Milliseconds that a run may take. Default 300,000. */
  readonly timeout?: number | undefined
}

/** A call of a tool. */
export interface EvalCall {
  readonly tool: string
  readonly input?: unknown
  readonly outcome: AuditEvent['outcome']
}

/** What happened in one run of a case. */
export interface EvalRun {
  readonly case: EvalCase
  readonly adapter: string
  readonly model: string
  readonly skills: 'on' | 'off'
  /** From 1. */
  readonly attempt: number
  readonly output: string
  /** Why the run failed. Absent: it ended well. */
  readonly error?: string
  readonly calls: readonly EvalCall[]
  /** Model calls, and their tokens as the provider counts them. */
  readonly usage: { readonly requests: number; readonly inputTokens: number; readonly outputTokens: number }
  /** Activated skills, in order. */
  readonly activated: readonly string[]
  readonly fates: readonly SkillFate[]
  /** The fate of the case's skill. */
  readonly fate?: SkillFate
  /** What could help, if the skill was not used as it should have been. */
  readonly advice?: string
  readonly assertions: readonly CheckedAssertion[]
  /** The texts of the workspace afterwards, by path. */
  readonly files: Readonly<Record<string, string>>
  /** The audit of the run: one line each makes a log for `repertoire inspect`. */
  readonly events: readonly AuditEvent[]
}

/** Runs cases through an adapter. */
export interface SkillHarness {
  readonly name: string
  /** Runs a case, or a prompt. Never rejects for what the agent does: the run says why it failed. */
  run(
    what: EvalCase | string,
    options?: { readonly attempt?: number; readonly maxSteps?: number; readonly signal?: AbortSignal },
  ): Promise<EvalRun>
}

const INSTRUCTIONS = 'You are a careful assistant. Work in the working folder, and answer when the task is done.'

const OPTIONS: OptionTable<SkillHarnessOptions> = {
  adapter: required(foreign('the driver of an adapter, such as reactLoopDriver', isObject)),
  repertoire: required(functionOf('a function that opens skills: (audit) => openSkills(folder, { audit })')),
  model: required(foreign('{ baseURL, model, apiKey }, or a tape', isObject)),
  skills: oneOf('on', 'off'),
  protocol: anyText,
  tools: functionOf('a function that returns the tools of a workspace'),
  instructions: anyText,
  consent: functionOf('a consent handler'),
  maxSteps: number('model calls', { above: 0, isWhole: true }),
  timeout: timeLimit,
}

/** Creates a harness: each run has a workspace, a session and an audit of its own. */
export function skillHarness(options: SkillHarnessOptions): SkillHarness {
  checkOptions('skillHarness', OPTIONS, options, 'skillHarness({ adapter, repertoire, model })')
  const { adapter, model, skills = 'on', timeout = 300_000 } = options
  const variant = adapter.variants.find(({ protocol = 'openai' }) => protocol === (options.protocol ?? protocol))
  if (variant === undefined) {
    const known = adapter.variants.map(({ protocol = 'openai' }) => protocol)
    throw new TypeError(`${adapter.name} speaks no ${options.protocol}, only: ${[...new Set(known)].join(', ')}.`)
  }
  return {
    name: adapter.name,
    async run(what, { attempt = 1, maxSteps = options.maxSteps ?? 20, signal } = {}) {
      const given = typeof what === 'string' ? promptCase(what) : what
      const events: AuditEvent[] = []
      const stop = AbortSignal.any([AbortSignal.timeout(timeout), ...(signal === undefined ? [] : [signal])])
      const base = { case: given, adapter: adapter.name, model: model.model, skills, attempt }
      let opened: { readonly workspace: Workspace; readonly repertoire: Repertoire } | undefined
      let output = ''
      let error: string | undefined
      let files: Readonly<Record<string, string>> = {}
      let about: About = { describe: () => undefined }
      try {
        const workspace = await openWorkspace(given)
        const audit = { sink: { write: (event: AuditEvent) => void events.push(event) }, inputs: 'redacted' } as const
        const repertoire = await within(options.repertoire(audit), stop).catch(async (cause: unknown) => {
          await workspace.remove()
          throw cause
        })
        opened = { workspace, repertoire }
        about = aboutSkills(repertoire, given)
        const name = [given.id, model.model, adapter.name, variant.name, skills, attempt].join(' · ')
        const session = `eval-${randomUUID()}`
        const tools = await within((options.tools ?? workspaceTools)(workspace.path), stop)
        const end = await openEndpoint(model, {
          name,
          places: { workspace: workspace.path, session, ...skillPlaces(repertoire) },
        })
        const task = async (): Promise<string> => {
          const conversation = await adapter.start({
            variant: variant.name,
            endpoint: end.endpoint,
            repertoire,
            session: {
              id: session,
              agent: 'eval',
              cwd: workspace.path,
              consent: options.consent ?? (() => true),
              onProblem: () => {},
              ...(skills === 'off' && { skills: withoutSkill(repertoire, given.skill) }),
            },
            instructions: options.instructions ?? INSTRUCTIONS,
            tools,
            maxSteps,
          })
          try {
            const turn = await conversation.send(given.prompt, { signal: stop })
            if (turn.status === 'done') return turn.text
            throw failure(
              'an answer',
              turn.requests.map(({ text }) => text),
            )
          } finally {
            await conversation.end()
          }
        }
        const ended = await within(task(), stop).then(
          (text) => ({ text }),
          (cause: unknown) => ({ cause }),
        )
        // What a tape says explains more than what the framework made of it.
        await end.finish()
        if ('cause' in ended) throw ended.cause
        output = ended.text
      } catch (cause) {
        error = failureText(cause) || 'The adapter failed without a reason.'
      } finally {
        files = (await opened?.workspace.files().catch(() => ({}))) ?? {}
        await opened?.repertoire.close()
        await opened?.workspace.remove()
      }
      const names = [...(given.skill === undefined ? [] : [given.skill]), ...given.rivals]
      const fates = fatesOf(events, names, about.shadowed)
      const fate = fates.find((each) => each.skill === given.skill)
      const activated = activatedSkills(events)
      const advice =
        fate === undefined || skills === 'off' ? undefined : adviceFor(given, fate, about.describe, activated)
      return {
        ...base,
        output,
        ...(error !== undefined && { error }),
        calls: callsOf(events),
        usage: usageOf(events),
        activated,
        fates,
        ...(fate !== undefined && { fate }),
        ...(advice !== undefined && { advice }),
        assertions: checkAssertions(given.assertions, { output, activated, files }),
        files,
        events,
      }
    },
  }
}

function promptCase(prompt: string): EvalCase {
  return { id: prompt.slice(0, 60), prompt, rivals: [], files: [], assertions: [], place: { file: 'prompt', line: 1 } }
}

async function openEndpoint(model: EvalEndpoint | EndpointSource, place: RunPlace): Promise<OpenedEndpoint> {
  if ('open' in model) return model.open(place)
  const { baseURL, apiKey = 'none', model: name } = model
  return { endpoint: { baseURL, apiKey, model: name }, finish: async () => {} }
}

interface About {
  readonly describe: (skill: string) => string | undefined
  readonly shadowed?: { readonly skill: string; readonly reason: string }
}

/** Finds out whether the skill that an eval file lies in is the one that models see. */
function aboutSkills({ catalog, explain }: Repertoire, { skill, place }: EvalCase): About {
  const describe = (name: string): string | undefined =>
    catalog.list().find((each) => each.name === name)?.manifest.description
  const candidates = skill === undefined ? [] : explain(skill).candidates
  const own = candidates.find(({ path }) => place.file.startsWith(dirname(path) + sep))
  if (skill === undefined || own?.fate !== 'shadowed') return { describe }
  return { describe, shadowed: { skill, reason: own.reasons.map(({ text }) => text).join('; ') } }
}

/** The folders of skills differ between machines, and models are shown them. */
function skillPlaces({ catalog }: Repertoire): Readonly<Record<string, string>> {
  const folders = new Set(catalog.list().flatMap(({ location }) => (isAbsolute(location) ? dirname(location) : [])))
  return Object.fromEntries([...folders].map((folder, at) => [`skills-${at + 1}`, folder]))
}

function withoutSkill({ catalog }: Repertoire, skill: string | undefined): readonly string[] {
  return skill === undefined ? [] : catalog.list().flatMap(({ name }) => (name === skill ? [] : name))
}

const CALLS = new Set(['tool.finished', 'tool.late', 'tool.refused', 'restriction.violated', 'script_read.blocked'])

function callsOf(events: readonly AuditEvent[]): readonly EvalCall[] {
  return events.flatMap(({ type, tool, input, outcome }) =>
    CALLS.has(type) && tool !== undefined ? { tool, ...(input !== undefined && { input }), outcome } : [],
  )
}

function usageOf(events: readonly AuditEvent[]): EvalRun['usage'] {
  const sum = (key: 'inputTokens' | 'outputTokens'): number =>
    events.reduce((total, { type, usage }) => total + (type === 'model.called' ? (usage?.[key] ?? 0) : 0), 0)
  const requests = events.filter(({ type }) => type === 'skills.shown').length
  return { requests, inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') }
}

/** Waits for a task, but not longer than the signal allows. */
async function within<T>(task: T | Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([task, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
