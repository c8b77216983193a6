import { type AdapterDriver, failure, type TaskEndpoint } from '@repertoire/conformance'
import type { AuditEvent, AuditOptions, ConsentHandler, FunctionTool, Repertoire } from '@repertoire/core'
import { failureText } from '@repertoire/core/adapter'
import { untilAborted } from '@repertoire/core/internal'
import { anyText, checkOptions, foreign, functionOf, oneOf, type OptionTable, required } from '@repertoire/core/options'
import { isObject } from '@repertoire/skill-md/internal'
import { randomUUID } from 'node:crypto'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { type CheckedAssertion, checkAssertions, type EvalCase } from './eval-case.ts'
import { activatedSkills, adviceFor, fatesOf, type SkillFate } from './fates.ts'
import { openWorkspace, textsOf, workspaceTools } from './workspace.ts'

/** A model at a server. */
export interface EvalEndpoint {
  /** As the adapter's vendor package takes it: `https://api.openai.com/v1`, `https://api.anthropic.com`. */
  readonly baseURL: string
  readonly model: string
  readonly apiKey?: string | undefined
}

/** Opens an endpoint for each run, such as a tape. */
export interface EndpointSource {
  readonly model: string
  /**
   * @param run its `name` is the same in every recording and replay; its `places` are what differs between runs, by
   * what a tape has in its place
   */
  open(run: { readonly name: string; readonly places: Readonly<Record<string, string>> }): Promise<{
    readonly endpoint: TaskEndpoint
    /** Ends the run. @throws why it was not the recorded one, or could not be recorded */
    finish(): Promise<void>
  }>
}

/** Options of `skillHarness`. */
export interface SkillHarnessOptions {
  /** A driver of the conformance suite. Its first variant runs: `variants: [variant]` chooses another one. */
  readonly adapter: AdapterDriver
  /** Opens the skills of one run: `(audit) => openSkills('.agents/skills', { audit })`. The harness closes them. */
  readonly repertoire: (audit: AuditOptions) => Promise<Repertoire>
  readonly model: EvalEndpoint | EndpointSource
  /** `off`: the model does not see the skill of the case; without one, no skill. Default `on`. */
  readonly skills?: 'on' | 'off' | undefined
  /** The tools of the agent. Default: `Read`, `Write` and `LS` in the workspace. They run no program. */
  readonly tools?: ((workspace: string) => readonly FunctionTool[]) | undefined
  readonly instructions?: string | undefined
  /** Answers requests for consent. Default: yes to each. */
  readonly consent?: ConsentHandler | undefined
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
  /** What the agent's calls of tools came to: their `tool`, `input` and `outcome`. */
  readonly calls: readonly AuditEvent[]
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
  /**
   * Runs a case. Never rejects for what the agent does: the run says why it failed.
   * @param options `maxSteps`: model calls of the run, 20 by default
   */
  run(
    given: EvalCase,
    options?: { readonly attempt?: number; readonly maxSteps?: number; readonly signal?: AbortSignal },
  ): Promise<EvalRun>
}

const TIMEOUT_MS = 300_000
const INSTRUCTIONS = 'You are a careful assistant. Work in the working folder, and answer when the task is done.'

const OPTIONS: OptionTable<SkillHarnessOptions> = {
  adapter: required(foreign('the driver of an adapter, such as reactLoopDriver', isObject)),
  repertoire: required(functionOf('a function that opens skills: (audit) => openSkills(folder, { audit })')),
  model: required(foreign('{ baseURL, model, apiKey }, or a tape', isObject)),
  skills: oneOf('on', 'off'),
  tools: functionOf('a function that returns the tools of a workspace'),
  instructions: anyText,
  consent: functionOf('a consent handler'),
}

/** Creates a harness: each run has a workspace, a session and its own audit. */
export function skillHarness(options: SkillHarnessOptions): SkillHarness {
  checkOptions('skillHarness', OPTIONS, options, 'skillHarness({ adapter, repertoire, model })')
  const { adapter, skills = 'on' } = options
  const source = sourceOf(options.model)
  const [variant] = adapter.variants

  /** Sends the prompt in a workspace, and returns the answer. */
  async function play(
    given: EvalCase,
    path: string,
    repertoire: Repertoire,
    attempt: number,
    maxSteps: number,
    signal: AbortSignal,
  ): Promise<string> {
    const id = `eval-${randomUUID()}`
    const name = [given.id, source.model, adapter.name, variant.name, skills, attempt].join(' · ')
    const names = repertoire.catalog.list().map((skill) => skill.name)
    const places = { workspace: path, session: id, ...skillPlaces(repertoire) }
    const model = await source.open({ name, places })
    try {
      const starting = adapter.start({
        variant: variant.name,
        endpoint: model.endpoint,
        repertoire,
        session: {
          id,
          agent: 'eval',
          cwd: path,
          consent: options.consent ?? (() => true),
          onProblem: () => {},
          skills:
            skills === 'off' ? names.filter((each) => given.skill !== undefined && each !== given.skill) : undefined,
        },
        instructions: options.instructions ?? INSTRUCTIONS,
        tools: (options.tools ?? workspaceTools)(path),
        maxSteps,
      })
      const conversation = await untilAborted(starting, signal)
      try {
        const turn = await untilAborted(conversation.send(given.prompt, { signal }), signal)
        if (turn.status === 'done') return turn.text
        throw failure('an answer', turn.requests)
      } finally {
        await untilAborted(conversation.end(), signal)
      }
    } finally {
      // What a tape says explains more than what the framework made of it.
      await model.finish()
    }
  }

  return {
    name: adapter.name,
    async run(given, { attempt = 1, maxSteps = 20, signal } = {}) {
      const events: AuditEvent[] = []
      const stop = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])])
      let shadowed: SkillFate | undefined
      let description = ''
      let output = ''
      let error: string | undefined
      let files: Readonly<Record<string, string>> = {}
      try {
        await using workspace = await openWorkspace(given)
        const sink = { write: (event: AuditEvent) => void events.push(event) }
        await using repertoire = await untilAborted(options.repertoire({ sink, inputs: 'redacted' }), stop)
        shadowed = shadowedFate(repertoire, given)
        description = repertoire.catalog.list().find(({ name }) => name === given.skill)?.manifest.description ?? ''
        try {
          output = await play(given, workspace.path, repertoire, attempt, maxSteps, stop)
          const reads = events.filter(({ type }) => type === 'resource.read')
          if (reads.some(({ skill, path }) => given.place.file.endsWith(join(sep, `${skill?.name}`, `${path}`))))
            throw new Error('The model read the eval file. Move it out of the skill, and evaluate it by its path.')
        } finally {
          files = await textsOf(workspace.path)
        }
      } catch (cause) {
        // Frameworks say of an abort that there was one, and not why.
        error = failureText(stop.aborted ? stop.reason : cause) || 'The adapter failed without a reason.'
      }
      const names = [given.skill, given.owner].filter((name) => name !== undefined)
      const fates = fatesOf(events, names).map((fate) => (fate.skill === shadowed?.skill ? shadowed : fate))
      const fate = fates.find((each) => each.skill === given.skill)
      const activated = activatedSkills(events)
      return {
        case: given,
        adapter: adapter.name,
        model: source.model,
        skills,
        attempt,
        output,
        error,
        calls: events.filter(({ type, tool }) => CALLS.has(type) && tool !== undefined),
        usage: usageOf(events),
        activated,
        fates,
        fate,
        advice: fate !== undefined && skills === 'on' ? adviceFor(given, fate, description, activated) : undefined,
        assertions: checkAssertions(given.assertions, output, files),
        files,
        events,
      }
    },
  }
}

function sourceOf(model: EvalEndpoint | EndpointSource): EndpointSource {
  if ('open' in model) return model
  const { baseURL, apiKey = 'none', model: name } = model
  return { model: name, open: async () => ({ endpoint: { baseURL, apiKey, model: name }, finish: async () => {} }) }
}

/** Says why the skill that an eval file lies in is not the one that models see; undefined if it is. */
function shadowedFate({ explain }: Repertoire, { skill, place }: EvalCase): SkillFate | undefined {
  const candidates = skill === undefined ? [] : explain(skill).candidates
  const own = candidates.find(({ path }) => place.file.startsWith(dirname(path) + sep))
  if (skill === undefined || own?.fate !== 'shadowed') return undefined
  return { skill, fate: 'shadowed', reason: own.reasons.map(({ text }) => text).join('; ') }
}

/** The folders of skills differ between machines, and models are shown them. */
function skillPlaces({ catalog }: Repertoire): Readonly<Record<string, string>> {
  const folders = new Set(catalog.list().flatMap(({ location }) => (isAbsolute(location) ? dirname(location) : [])))
  return Object.fromEntries([...folders].map((folder, at) => [`skills-${at + 1}`, folder]))
}

const CALLS = new Set(['tool.finished', 'tool.late', 'tool.refused', 'restriction.violated', 'script_read.blocked'])

function usageOf(events: readonly AuditEvent[]): EvalRun['usage'] {
  const sum = (key: 'inputTokens' | 'outputTokens') => events.reduce((all, { usage }) => all + (usage?.[key] ?? 0), 0)
  const requests = events.filter(({ type }) => type === 'skills.shown').length
  return { requests, inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') }
}
