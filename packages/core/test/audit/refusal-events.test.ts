import { describe, expect, it } from 'vitest'
import { openAuditLog } from '../../src/audit/audit-log.ts'
import type { AuditEventType } from '../../src/audit/events.ts'
import { createSessionAudit } from '../../src/session/session-audit.ts'
import type { RefusalCode, ToolCall } from '../../src/types.ts'
import { keeping } from './world.ts'

/** Every code that there is: the type holds the table to that. */
const EVENTS: Readonly<Record<RefusalCode, AuditEventType>> = {
  TOOL_NOT_ALLOWED: 'restriction.violated',
  TOOL_UNKNOWN: 'tool.refused',
  SCRIPT_READ_BLOCKED: 'script_read.blocked',
  INPUT_INVALID: 'tool.refused',
  SKILL_NOT_FOUND: 'skill.denied',
  SKILL_BROKEN: 'skill.denied',
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
  RESOURCE_NOT_FOUND: 'resource.refused',
  RESOURCE_REFUSED: 'resource.refused',
  AUDIT_UNAVAILABLE: 'tool.refused',
  SESSION_ENDED: 'tool.refused',
}
const table = Object.entries(EVENTS) as readonly (readonly [RefusalCode, AuditEventType])[]

function auditing() {
  const sink = keeping()
  const log = openAuditLog({ sink })!
  const audit = createSessionAudit({
    log,
    of: { session: 'task' },
    scriptOf: () => undefined,
    problem: () => undefined,
  })
  return { audit, events: sink.events }
}
const called = (input: unknown): ToolCall => ({ id: 'c', tool: 'Read', input })

describe('the event of a refusal', () => {
  it.each(table)('[OBS-1] with the code %s is %s', async (code, type) => {
    const { audit, events } = auditing()
    await audit.refused(called({ path: 'a.md' }), [], { code, reason: 'No.' })
    expect(events).toMatchObject([{ type, code, reason: 'No.', outcome: 'refused', enforced: true, callId: 'c' }])
  })

  it.each(table)('[OBS-1] with the code %s names a path where it is about a file (%s)', async (code, type) => {
    const isOfFile = type === 'resource.refused' || type === 'script_read.blocked'
    const { audit, events } = auditing()
    await audit.refused(called({ path: 'a.md' }), [], { code, reason: 'No.' })
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
    const { audit, events } = auditing()
    await audit.refused(called(input), [], { code: 'RESOURCE_REFUSED', reason: 'No.' })
    expect(events.map((event) => event.path)).toEqual([path])
  })

  it('[OBS-1] is written once for one refusal, and again for another like it', async () => {
    const { audit, events } = auditing()
    const refusal = { code: 'TOOL_UNKNOWN', reason: 'No.' } as const
    await audit.refused(called({}), [], refusal)
    await audit.refused(called({}), [], refusal)
    expect(events).toHaveLength(1)
    await audit.refused(called({}), [], { ...refusal })
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
    const { audit, events } = auditing()
    audit.usage(usage as never)
    await audit.settled()
    expect(events).toMatchObject([{ type: 'model.called', outcome: 'succeeded', skills: [] }])
    expect(events[0]!.usage).toEqual(counted)
    expect(events[0]!.model).toBeUndefined()
  })

  it('[OBS-2] names the model of the step, and what was active in it', async () => {
    const { audit, events } = auditing()
    const skill = { name: 'git', layer: 'project', source: 's', location: '/git', digest: 'd', scripts: [] } as const
    audit.step('model-a', [skill])
    audit.usage({ inputTokens: 1 })
    audit.fork('task/f').usage({ inputTokens: 2 })
    await audit.settled()
    expect(events.map(({ session, model, skills }) => [session, model, skills.map(({ name }) => name)])).toEqual([
      ['task', 'model-a', ['git']],
      ['task/f', 'model-a', ['git']],
    ])
    expect(events[1]!.skills[0]!.session).toBe('task')
  })

  it('[OBS-2] in a fork of a session without a step names none', async () => {
    const { audit, events } = auditing()
    audit.fork('task/f').usage({ inputTokens: 2 })
    await audit.settled()
    expect(events[0]).toMatchObject({ session: 'task/f', skills: [] })
    expect(events[0]!.model).toBeUndefined()
  })
})
