import { describe, expect, it } from 'vitest'
import type { AuditEvent, AuditEventType, Outcome, RefusalCode, SessionProblem, ToolCall } from '../../src/index.ts'
import { openAuditLog } from '../../src/audit/audit-log.ts'
import { createSessionAudit } from '../../src/session/audit/recorder.ts'
import { foreign } from '../foreign.ts'
import { toolset } from '../gate/toolset.ts'
import { keeping } from './world.ts'

/** All codes: the type makes sure that none is missing. */
const EVENTS: Readonly<Record<RefusalCode, AuditEventType>> = {
  TOOL_NOT_ALLOWED: 'restriction.violated',
  TOOL_UNKNOWN: 'tool.refused',
  SCRIPT_READ_BLOCKED: 'script_read.blocked',
  SCRIPT_CHANGED: 'tool.refused',
  INPUT_INVALID: 'tool.refused',
  CALL_DENIED: 'tool.refused',
  SKILL_NOT_FOUND: 'skill.denied',
  SKILL_BROKEN: 'skill.denied',
  SKILL_NOT_ADMITTED: 'skill.denied',
  SKILL_NOT_ACTIVE: 'tool.refused',
  SKILL_NOT_ON_TOP: 'tool.refused',
  SKILL_PINNED: 'tool.refused',
  SKILL_NOT_INVOCABLE: 'skill.denied',
  FORK_UNAVAILABLE: 'skill.denied',
  FORK_FAILED: 'tool.refused',
  FORK_TOO_DEEP: 'skill.denied',
  CONSENT_DENIED: 'skill.denied',
  HOOK_FAILED: 'skill.denied',
  HOOK_UNAVAILABLE: 'skill.denied',
  MOUNT_FAILED: 'skill.denied',
  TOOLSET_FAILED: 'skill.denied',
  TEMPLATE_FAILED: 'tool.refused',
  SCRIPT_DANGEROUS: 'tool.refused',
  SCRIPT_UNAVAILABLE: 'tool.refused',
  SCRIPT_FAILED: 'tool.refused',
  PLAN_CYCLE: 'skill.denied',
  PLAN_TOO_LARGE: 'tool.refused',
  RESOURCE_NOT_FOUND: 'resource.refused',
  RESOURCE_REFUSED: 'resource.refused',
  AUDIT_UNAVAILABLE: 'tool.refused',
  SESSION_ENDED: 'tool.refused',
}
const table = Object.entries(EVENTS) as readonly (readonly [RefusalCode, AuditEventType])[]

function createAudit() {
  const sink = keeping()
  const log = openAuditLog({ sink })!
  const audit = createSessionAudit({
    log,
    tools: toolset(),
    session: { session: 'task' },
    scriptOf: () => ({}),
    reportProblem: () => undefined,
  })
  return { audit, events: sink.events }
}
const readCall = (input: unknown): ToolCall => ({ id: 'c', tool: 'Read', input })

describe('the event of a refusal', () => {
  it.each(table)('[OBS-1] with the code %s is %s', async (code, type) => {
    const { audit, events } = createAudit()
    await audit.recordRefusal(readCall({ path: 'a.md' }), [], { code, reason: 'No.' })
    expect(events).toMatchObject([{ type, code, reason: 'No.', outcome: 'refused', enforced: true, callId: 'c' }])
  })

  it.each(table)('[OBS-1] with the code %s names a path where it is about a file (%s)', async (code, type) => {
    const isOfFile = type === 'resource.refused' || type === 'script_read.blocked'
    const { audit, events } = createAudit()
    await audit.recordRefusal(readCall({ path: 'a.md' }), [], { code, reason: 'No.' })
    expect(events.map((event) => event.path)).toEqual([isOfFile ? 'a.md' : undefined])
  })

  it.each([
    [{ path: 'a.md' }, 'a.md'],
    [{ file_path: 'b.md' }, 'b.md'],
    [{ path: 7, file_path: 'b.md' }, 'b.md'],
    [{ path: 'a.md', file_path: 'b.md' }, 'a.md'],
    [{ path: 7 }, undefined],
    [{}, undefined],
    ['a.md', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('[OBS-1] takes the path of the input %j as %j', async (input, path) => {
    const { audit, events } = createAudit()
    await audit.recordRefusal(readCall(input), [], { code: 'RESOURCE_REFUSED', reason: 'No.' })
    expect(events.map((event) => event.path)).toEqual([path])
  })

  it('[OBS-1] is written once for each refusal, also for two alike', async () => {
    const { audit, events } = createAudit()
    const refusal = { code: 'TOOL_UNKNOWN', reason: 'No.' } as const
    await audit.recordRefusal(readCall({}), [], refusal)
    await audit.recordRefusal(readCall({}), [], refusal)
    expect(events).toHaveLength(1)
    await audit.recordRefusal(readCall({}), [], { ...refusal })
    expect(events).toHaveLength(2)
  })
})

describe('the event of a model’s call', () => {
  it.each([
    [
      { inputTokens: 5, outputTokens: 0 },
      { inputTokens: 5, outputTokens: 0 },
    ],
    [{ inputTokens: Number.NaN, outputTokens: 7 }, { outputTokens: 7 }],
    [{ inputTokens: -1, outputTokens: Number.POSITIVE_INFINITY }, {}],
    [{ inputTokens: null, outputTokens: '7' }, {}],
    [{}, {}],
  ])('[OBS-2] has of %j what is a count', async (usage, counted) => {
    const { audit, events } = createAudit()
    audit.recordUsage(foreign(usage))
    await audit.settled()
    expect(events).toMatchObject([{ type: 'model.called', outcome: 'succeeded', skills: [] }])
    expect(events[0]!.usage).toEqual(counted)
    expect(events[0]!.model).toBeUndefined()
  })

  it('[OBS-2] names the model of the step, and the skills that were active in it', async () => {
    const { audit, events } = createAudit()
    const skill = { name: 'git', layer: 'project', source: 's', location: '/git', digest: 'd', scripts: [] } as const
    audit.beginStep('model-a', [skill], toolset())
    audit.recordUsage({ inputTokens: 1 })
    audit.fork('task/f').recordUsage({ inputTokens: 2 })
    await audit.settled()
    expect(events.map(({ session, model, skills }) => [session, model, skills.map(({ name }) => name)])).toEqual([
      ['task', 'model-a', ['git']],
      ['task/f', 'model-a', ['git']],
    ])
    expect(events[1]!.skills[0]!.session).toBe('task')
  })

  it('[OBS-2] names no model in a fork of a session without a step', async () => {
    const { audit, events } = createAudit()
    audit.fork('task/f').recordUsage({ inputTokens: 2 })
    await audit.settled()
    expect(events[0]).toMatchObject({ session: 'task/f', skills: [] })
    expect(events[0]!.model).toBeUndefined()
  })
})

describe('what runs between two events', () => {
  const script = { skill: 'git', path: 'scripts/go.sh' }
  const error = new Error('suspended')
  const none = { code: 'FORK_FAILED', reason: 'No.' } as const

  /** The types and outcomes of the events of a run, and its result. */
  async function auditRun(type: 'tool' | 'fork', run: () => Promise<Outcome>, suspends = false, signal?: AbortSignal) {
    const sink = keeping()
    const log = openAuditLog({ sink, failed: (value) => value === 'bad' })!
    const session = { session: 'task' }
    const audit = createSessionAudit({
      log,
      tools: toolset(),
      session,
      scriptOf: () => ({ run: script }),
      reportProblem: () => undefined,
    })
    const options = { signal, suspends: () => suspends }
    const outcome = await audit
      .run({ type, call: readCall({}), active: [] }, run, options)
      .catch((thrown: unknown) => thrown)
    return { outcome, events: sink.events.map((event) => [event.type, event.outcome]), last: sink.events.at(-1)! }
  }

  it.each([
    ['tool', { ok: true, value: 'good' }, 'succeeded'],
    ['tool', { ok: true, value: 'bad' }, 'failed'],
    ['fork', { ok: true, value: 'good' }, 'succeeded'],
    ['fork', { ok: true, value: 'bad' }, 'succeeded'],
    ['fork', { ok: false, refusal: none, text: '' }, 'failed'],
    ['fork', { ok: false, refusal: { ...none, code: 'MOUNT_FAILED' }, text: '' }, 'refused'],
    ['tool', { ok: false, refusal: { ...none, code: 'SESSION_ENDED' }, text: '' }, 'refused'],
  ] as readonly (readonly ['tool' | 'fork', Outcome, string])[])(
    '[OBS-1] is a %s that gives %j: %s',
    async (type, outcome, end) => {
      const run = await auditRun(type, () => Promise.resolve(outcome))
      expect(run.outcome).toBe(outcome)
      expect(run.events).toEqual([
        [`${type}.started`, 'started'],
        [`${type}.finished`, end],
      ])
      expect(run.last.script).toEqual(type === 'tool' ? script : undefined)
      expect(run.last.code).toBe(outcome.ok ? undefined : outcome.refusal.code)
    },
  )

  it('[OBS-1] distinguishes whether a throw suspends, was an abort or failed', async () => {
    const fail = () => Promise.reject(error)
    const suspended = await auditRun('tool', fail, true, AbortSignal.abort())
    expect(suspended.outcome).toBe(error)
    expect(suspended.last).toMatchObject({ type: 'tool.finished', outcome: 'suspended' })
    expect(suspended.last.error).toBeUndefined()
    expect((await auditRun('tool', fail)).last).toMatchObject({ outcome: 'failed', error: 'suspended' })
    expect((await auditRun('tool', fail, false, AbortSignal.abort())).last).toMatchObject({ outcome: 'aborted' })
  })
})

describe('a record that cannot be written', () => {
  async function createFailingAudit(required: boolean) {
    const events: AuditEvent[] = []
    let broken = true
    const write = (event: AuditEvent): void => {
      if (broken) throw new Error('no disk')
      events.push(event)
    }
    const log = openAuditLog({ sink: { write }, required })!
    const problems: SessionProblem[] = []
    const reportProblem = (each: SessionProblem): void => void problems.push(each)
    const audit = createSessionAudit({
      log,
      tools: toolset(),
      session: { session: 'task' },
      scriptOf: () => ({}),
      reportProblem,
    })
    const refusal = await audit.recordIntent({
      type: 'resource.read',
      outcome: 'succeeded',
      active: [],
      call: readCall({}),
    })
    await audit.settled()
    broken = false
    return { audit, refusal, events, problems: problems.map(({ message }) => message) }
  }

  it('[OBS-3, ABUSE-100] refuses what must be recorded, reports the problem once, and records that refusal once', async () => {
    const { audit, refusal, events, problems } = await createFailingAudit(true)
    expect(refusal?.refusal).toEqual({
      code: 'AUDIT_UNAVAILABLE',
      reason:
        'This was not done: it must be recorded, and the record cannot be written now. Your input is not the reason. Try once more, and if that fails too, tell the user.',
    })
    expect(problems).toEqual([
      'The audit of the session "task" is incomplete: a sink failed. no disk. What must be recorded is refused until it can be written.',
    ])
    await audit.recordRefusal(readCall({}), [], refusal!.refusal)
    expect(events).toEqual([])
  })

  it('[OBS-3] refuses nothing where recording is not required', async () => {
    const { refusal, problems } = await createFailingAudit(false)
    expect(refusal).toBeUndefined()
    expect(problems).toEqual([
      'The audit of the session "task" is incomplete: a sink failed. no disk. Nothing is refused because of it.',
    ])
  })

  it('[OBS-3] records the refusal where a sink accepts it', async () => {
    const events: AuditEvent[] = []
    const write = (event: AuditEvent): void => {
      if (event.type === 'resource.read') throw new Error('no disk')
      events.push(event)
    }
    const log = openAuditLog({ sink: { write }, required: true })!
    const audit = createSessionAudit({
      log,
      tools: toolset(),
      session: { session: 'task' },
      scriptOf: () => ({}),
      reportProblem: () => undefined,
    })
    await audit.recordIntent({ type: 'resource.read', outcome: 'succeeded', active: [], call: readCall({}) })
    expect(events).toMatchObject([{ type: 'tool.refused', outcome: 'refused', code: 'AUDIT_UNAVAILABLE', callId: 'c' }])
  })
})
