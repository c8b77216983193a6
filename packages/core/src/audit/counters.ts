import { RecentEntries } from '../recent-entries.ts'
import type { AuditEvent, AuditEventType, AuditSink } from './events.ts'
import { byText } from '../text/order.ts'

/** What one model did, to be compared with what others do with the same skills. */
export interface ModelCounters {
  /** The name that `nameOf` of the step returned; empty if there was none. */
  readonly model: string
  readonly activations: number
  /**
   * Paths that did not lead to a file: of `read_skill_resource`, if it does not exist or may not be read; of the
   * host's own tools, where they did not find it while a skill was active.
   */
  readonly pathFailures: number
  /** Attempts to read a script instead of running it: with a tool that reads, or with a shell command such as `cat`. */
  readonly scriptReads: number
  /** Calls that the rules in force do not permit, also where these only advise. */
  readonly violations: number
  /** Runs of active skills' scripts, by a tool of the host's or by its runner. */
  readonly scripts: {
    readonly started: number
    readonly succeeded: number
    readonly failed: number
    /** Of those that have ended, 0 to 1. Absent: none has. */
    readonly successRate?: number
  }
  readonly tokens: TokenCounts
  /** By name. */
  readonly skills: readonly SkillCounters[]
}

/** Tokens, as the host recorded them. */
interface TokenCounts {
  readonly input: number
  readonly output: number
}

/** A skill as one model used it. */
export interface SkillCounters {
  readonly name: string
  /** Times that it was active while the model was called: from an activation to the deactivation, forks included. */
  readonly executions: number
  /** Those of all calls of the model while it was active. Where several were, each has them. */
  readonly tokens: TokenCounts
  /** Input and output together; absent if there was no execution. */
  readonly tokensPerExecution?: number
}

/** A sink that counts every event that it gets. */
export interface Counters extends AuditSink {
  write(event: AuditEvent): void
  /** Returns the current counters, by the model's name. */
  byModel(): readonly ModelCounters[]
}

const ZERO = {
  activations: 0,
  pathFailures: 0,
  scriptReads: 0,
  violations: 0,
  started: 0,
  succeeded: 0,
  failed: 0,
  input: 0,
  output: 0,
}

type Tally = typeof ZERO & { readonly skills: Map<string, { executions: number; input: number; output: number }> }

/** What single events count for. */
export const COUNTED: ReadonlyMap<AuditEventType, 'activations' | 'violations' | 'scriptReads' | 'pathFailures'> =
  new Map([
    ['skill.activated', 'activations'],
    ['restriction.violated', 'violations'],
    ['script_read.blocked', 'scriptReads'],
    ['resource.refused', 'pathFailures'],
  ])

/** Sessions whose skills are remembered at once: one that never ends is dropped for the next. */
const MAX_SESSIONS = 10_000

/** Creates counters of events by model. Use it as a sink of `audit`, beside others. */
export function createCounters(): Counters {
  const models = new Map<string, Tally>()
  /** Active skills with the models that were called since their activation, by session. */
  const inUse = new RecentEntries<string, Map<string, Set<string>>>(MAX_SESSIONS)

  function tallyOf(model: string): Tally {
    const tally = models.get(model) ?? { ...ZERO, skills: new Map() }
    models.set(model, tally)
    return tally
  }

  function countModelCall({ session, model = '', skills, usage = {} }: AuditEvent, tally: Tally): void {
    const { inputTokens = 0, outputTokens = 0 } = usage
    tally.input += inputTokens
    tally.output += outputTokens
    for (const { name, session: owner = session } of skills) {
      const skill = tally.skills.get(name) ?? { executions: 0, input: 0, output: 0 }
      tally.skills.set(name, skill)
      skill.input += inputTokens
      skill.output += outputTokens
      // Also if it was activated in another process. What forks inherit is still in use in the parent session.
      const begun = inUse.get(owner) ?? new Map<string, Set<string>>()
      inUse.set(owner, begun)
      const callers = begun.get(name) ?? new Set()
      begun.set(name, callers)
      if (!callers.has(model)) skill.executions++
      callers.add(model)
    }
  }

  function forgetSkill({ session, skill }: AuditEvent): void {
    const begun = inUse.get(session)
    if (begun === undefined || skill === undefined) return
    begun.delete(skill.name)
    if (begun.size === 0) inUse.delete(session)
  }

  return {
    write(event) {
      const { type, model = '', script, outcome, missing, skills } = event
      const counted = COUNTED.get(type)
      if (counted !== undefined) tallyOf(model)[counted]++
      if (type === 'skill.deactivated') forgetSkill(event)
      if (type === 'model.called') countModelCall(event, tallyOf(model))
      if (type.endsWith('.started') && script !== undefined) tallyOf(model).started++
      if (type.endsWith('.finished')) {
        // One that was aborted or refused says nothing about the script.
        if (script !== undefined && outcome === 'succeeded') tallyOf(model).succeeded++
        if (script !== undefined && outcome === 'failed') tallyOf(model).failed++
        if (missing !== undefined && skills.length > 0) tallyOf(model).pathFailures++
      }
    },
    byModel: () => [...models].map(([model, tally]) => countersOf(model, tally)).toSorted(byText(({ model }) => model)),
  }
}

function countersOf(model: string, tally: Tally): ModelCounters {
  const { activations, pathFailures, scriptReads, violations, started, succeeded, failed, input, output } = tally
  const ended = succeeded + failed
  const skills = [...tally.skills].map(([name, skill]) => ({
    name,
    executions: skill.executions,
    tokens: { input: skill.input, output: skill.output },
    tokensPerExecution: ratio(skill.input + skill.output, skill.executions),
  }))
  return {
    model,
    activations,
    pathFailures,
    scriptReads,
    violations,
    scripts: { started, succeeded, failed, successRate: ratio(succeeded, ended) },
    tokens: { input, output },
    skills: skills.toSorted(byText(({ name }) => name)),
  }
}

function ratio(part: number, whole: number): number | undefined {
  return whole > 0 ? part / whole : undefined
}
