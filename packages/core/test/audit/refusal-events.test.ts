import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import type { AuditEventType, ForkRunner, RefusalCode, RepertoireOptions, SessionOptions } from '../../src/index.ts'
import { caller, keeping, open, called } from './world.ts'
import { hooksBy } from '../session/hook-runner.ts'

interface Refused extends SessionOptions, Pick<RepertoireOptions, 'scripts' | 'mounts'> {
  readonly code: RefusalCode
  readonly type: AuditEventType
  readonly tool?: string
  readonly input: unknown
  /** The skills that are active. */
  readonly active?: readonly string[]
  readonly ended?: boolean
  /** The path that the event names. */
  readonly path?: string
}

const SCRIPT = 'memory:memory/git/scripts/go.sh'
const activating = (name: string) => ({ tool: 'activate_skill', input: { name } })
const reading = (path: unknown) => ({ tool: 'read_skill_resource', input: { path }, active: ['git'] })
const fail = () => Promise.reject(new Error('no'))

const REFUSALS: readonly Refused[] = [
  { code: 'TOOL_NOT_ALLOWED', type: 'restriction.violated', tool: 'Write', input: { path: 'a' }, active: ['git'] },
  { code: 'TOOL_UNKNOWN', type: 'tool.refused', tool: 'Nothing', input: { path: 'a' } },
  {
    code: 'SCRIPT_READ_BLOCKED',
    type: 'script_read.blocked',
    tool: 'Read',
    input: { file_path: SCRIPT },
    active: ['git'],
    path: SCRIPT,
  },
  { code: 'RESOURCE_NOT_FOUND', type: 'resource.refused', ...reading('none.md'), path: 'none.md' },
  { code: 'RESOURCE_REFUSED', type: 'resource.refused', ...reading('../a.md'), path: '../a.md' },
  { code: 'INPUT_INVALID', type: 'tool.refused', ...reading(7) },
  { code: 'SKILL_NOT_ACTIVE', type: 'tool.refused', ...reading('a.md'), active: [] },
  { code: 'SKILL_NOT_ACTIVE', type: 'tool.refused', tool: 'deactivate_skill', input: {} },
  {
    code: 'SKILL_NOT_ON_TOP',
    type: 'tool.refused',
    tool: 'deactivate_skill',
    input: { name: 'git' },
    active: ['git', 'runner'],
  },
  {
    code: 'CALL_DENIED',
    type: 'tool.refused',
    tool: 'Write',
    input: {},
    policy: { ask: ['Write'] },
    consent: () => false,
  },
  { code: 'SESSION_ENDED', type: 'tool.refused', tool: 'Write', input: {}, ended: true },
  { code: 'SKILL_NOT_FOUND', type: 'skill.denied', ...activating('none') },
  { code: 'CONSENT_DENIED', type: 'skill.denied', ...activating('git'), consent: () => false },
  { code: 'HOOK_UNAVAILABLE', type: 'skill.denied', ...activating('hooked') },
  { code: 'HOOK_FAILED', type: 'skill.denied', ...activating('hooked'), scripts: hooksBy(() => ({ ok: false })) },
  { code: 'FORK_UNAVAILABLE', type: 'skill.denied', ...activating('apart') },
  {
    code: 'MOUNT_FAILED',
    type: 'skill.denied',
    ...activating('git'),
    mounts: { mount: fail, unmount: () => Promise.resolve() },
  },
]

describe('the event of a refusal', () => {
  it.each(REFUSALS)(
    '[OBS-1] with the code $code is $type',
    async ({ code, type, tool = '', input, active = [], ended = false, path, scripts, mounts, ...session }) => {
      const sink = keeping()
      const { session: opened } = await open(sink, session, {
        ...(scripts && { scripts }),
        ...(mounts && { mounts }),
      })
      const { activate, call } = caller(opened)
      for (const name of active) await activate(name)
      if (ended) await opened.end()
      sink.events.length = 0
      expect(await call(tool, input, { id: 'call' })).toMatchObject({ ok: false, refusal: { code } })
      const events = sink.events.filter(({ outcome }) => outcome === 'refused')
      expect(events).toMatchObject([{ type, code, reason: expect.any(String), enforced: true, callId: 'call' }])
      expect(events[0]!.path).toBe(path)
    },
  )
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
  ])('[OBS-2] keeps of %j only valid counts', async (usage, counted) => {
    const sink = keeping()
    const { session } = await open(sink)
    await called(session, undefined, foreign(usage))
    await session.end()
    expect(sink.events).toMatchObject([{ type: 'model.called', outcome: 'succeeded', skills: [] }])
    expect(sink.events[0]!.usage).toEqual(counted)
    expect(sink.events[0]!.model).toBeUndefined()
  })

  it('[OBS-2] names the model of the step, and the skills that were active in it', async () => {
    const sink = keeping()
    const { session } = await open(sink)
    await caller(session).activate('git')
    await called(session, 'model-a', { inputTokens: 1 })
    await session.end()
    const event = sink.events.find(({ type }) => type === 'model.called')!
    expect(event).toMatchObject({ session: 'task', model: 'model-a', skills: [{ name: 'git' }] })
  })

  it('[OBS-2] names in a fork the model of its parent’s step, unless there is none', async () => {
    for (const model of ['model-a', undefined]) {
      const sink = keeping()
      const { session } = await open(sink)
      const step = await session.step({ tools: [], nameOf: () => model })
      const fork: ForkRunner = async ({ session: own }) => {
        await own.call({ id: 'g', ...activating('git') })
        return 'done'
      }
      await step.call({ id: 'f', ...activating('apart') }, () => undefined, { fork })
      const inFork = sink.events.find(({ skill }) => skill?.name === 'git')!
      expect(inFork.session).not.toBe('task')
      expect(inFork.model).toBe(model)
    }
  })
})

describe('the events of what runs', () => {
  const endOf = async (run: () => unknown, { suspends = false, aborted = false } = {}) => {
    const sink = keeping()
    const { session } = await open(sink)
    await session.step({ tools: ['Bash'] })
    const stop = new AbortController()
    const execute = () => {
      if (aborted) stop.abort()
      return run()
    }
    const options = { signal: stop.signal, suspends: () => suspends }
    await session.call({ id: 'c', tool: 'Bash', input: {} }, execute, options).catch(() => undefined)
    const [{ type }, end] = [sink.events[0]!, sink.events.at(-1)!]
    expect([type, end.type]).toEqual(['tool.started', 'tool.finished'])
    return [end.outcome, end.error]
  }

  it('[OBS-1] distinguish a result from a failure', async () => {
    expect(await endOf(() => 'good')).toEqual(['succeeded', undefined])
    expect(await endOf(() => ({ isError: true }))).toEqual(['failed', undefined])
  })

  it('[OBS-1] distinguish whether a throw suspends, was an abort or failed', async () => {
    expect(await endOf(fail, { suspends: true })).toEqual(['suspended', undefined])
    expect(await endOf(fail)).toEqual(['failed', 'no'])
    expect((await endOf(fail, { aborted: true }))[0]).toBe('aborted')
  })
})

describe('a call that cannot be recorded', () => {
  const broken = {
    write(): never {
      throw new Error('no disk')
    },
  }

  it('[OBS-3, ABUSE-100] is refused where it must be recorded, and the host is told', async () => {
    const { session, problems } = await open({ sink: broken, required: true })
    const outcome = await caller(session).call('Bash', {})
    expect(outcome).toMatchObject({
      refusal: {
        code: 'AUDIT_UNAVAILABLE',
        reason: 'This was not done: it must be recorded, and the record cannot be written now. Tell the user.',
      },
    })
    expect(problems.map(({ message }) => message)).toEqual([
      'The audit of the session "task" is incomplete: a sink failed. no disk. What must be recorded is refused until it can be written.',
    ])
  })

  it('[OBS-3] is made where it need not be recorded, and the host is told', async () => {
    const { session, problems } = await open(broken)
    expect((await caller(session).call('Bash', {})).ok).toBe(true)
    expect(problems.map(({ message }) => message)).toEqual([
      'The audit of the session "task" is incomplete: a sink failed. no disk.',
    ])
  })

  it('[OBS-3] has the event of its refusal, where a sink accepts that', async () => {
    const events: unknown[] = []
    const sink = {
      write({
        type,
        outcome,
        code,
        callId,
      }: {
        type: AuditEventType
        outcome: string
        code?: string
        callId?: string
      }) {
        if (type === 'tool.started') throw new Error('no disk')
        events.push([type, outcome, code, callId])
      },
    }
    const { session } = await open({ sink: foreign(sink), required: true })
    await caller(session).call('Bash', {}, { id: 'call' })
    expect(events).toEqual([['tool.refused', 'refused', 'AUDIT_UNAVAILABLE', 'call']])
  })
})
