import { describe, expect, it } from 'vitest'
import {
  type AuditEvent,
  type ConsentRequest,
  type ForkRunner,
  type RepertoireOptions,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import {
  adapterSession,
  type AdapterSession,
  type AdapterSessionOptions,
  openAdapterSession,
} from '../../../src/adapter.ts'
import { isQuestion } from '../../audit/world.ts'
import { activeNames } from '../outcome.ts'

const skill = (name: string, fields = '') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\nBody of ${name}: $ARGUMENTS.\n`,
})
const SKILLS = {
  greeter: skill('greeter', 'triggers:\n  keywords: [hello]\n'),
  secret: skill('secret', 'disable-model-invocation: true\n'),
  inner: skill('inner', 'user-invocable: false\n'),
  apart: skill('apart', 'context: fork\n'),
}

async function open(session: AdapterSessionOptions = {}, options: Partial<RepertoireOptions> = {}) {
  const events: AuditEvent[] = []
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills: SKILLS })],
    audit: { write: (event) => void (isQuestion(event) || events.push(event)) },
    ...options,
  })
  return { events, session: openAdapterSession(repertoire, { id: 'task', consent: () => true, ...session }) }
}

/** What happens in the session of a sub-agent. */
async function inFork(work: (child: AdapterSession) => Promise<void> | void): Promise<readonly AuditEvent[]> {
  const { session, events } = await open()
  const fork: ForkRunner = async ({ session: child }) => {
    await work(adapterSession(child))
    return 'done'
  }
  const outcome = await session.call({ id: 'f', tool: 'activate_skill', input: { name: 'apart' } }, () => '', { fork })
  expect(outcome).toMatchObject({ ok: true, value: { result: 'done' } })
  return events
}

describe('what a message invokes', () => {
  it.each([
    ['/greeter', { skill: 'greeter' }],
    [' /greeter  a b ', { skill: 'greeter', args: 'a b' }],
    ['/secret', { skill: 'secret' }],
    ['/none', undefined],
    ['greeter', undefined],
    ['', undefined],
  ])('[ACT-12] of %j waits for consent under the id of its message', async (message, waits) => {
    const { session } = await open({ consent: undefined })
    const turn = await session.beginTurn(message, { id: 'm1', canWait: true })
    if (waits === undefined) expect(turn).toEqual({ activated: [], suggested: [] })
    else expect(turn.waits).toMatchObject({ callId: 'm1', ...waits })
    await session.end()
    expect((await session.beginTurn(message, { id: 'm1', canWait: true })).waits).toBeUndefined()
  })
})

describe('a person’s activation', () => {
  it('[ACT-12, OBS-1] is recorded under its own id, or under a random one', async () => {
    const { session, events } = await open()
    await session.activate('greeter', { id: 'i' })
    await session.activate('none')
    await session.activate('none')
    expect(events.map(({ type }) => type)).toEqual([
      'skill.activating',
      'skill.activated',
      'skill.denied',
      'skill.denied',
    ])
    const ids = events.map(({ callId }) => callId)
    expect(ids.slice(0, 2)).toEqual(['i', 'i'])
    expect(ids[2]).toMatch(/^[\da-f-]{36}$/)
    expect(ids[3]).toMatch(/^[\da-f-]{36}$/)
    expect(ids[3]).not.toBe(ids[2])
  })

  it('[ACT-10, ACT-12] of a skill that runs in a sub-agent is refused where the host cannot run one', async () => {
    const { session } = await open()
    expect(await session.activate('apart')).toMatchObject({ refusal: { code: 'FORK_UNAVAILABLE' } })
    const fork: ForkRunner = () => Promise.resolve('done')
    expect(await session.activate('apart', { fork })).toMatchObject({ ok: true })
  })

  it('[ACT-12] names what persons may activate, which differs from what the model may activate', async () => {
    const { session } = await open()
    expect(await session.activate('secret')).toMatchObject({ ok: true })
    expect(await session.activate('inner')).toMatchObject({
      refusal: {
        code: 'SKILL_NOT_INVOCABLE',
        reason:
          'The skill "inner" was not activated: only a model may activate it, since it says "user-invocable: false".',
      },
    })
  })

  it('[ACT-10, ACT-12] is not read in a sub-agent, whose messages no person writes', async () => {
    const events = await inFork(async (child) => {
      expect(await child.activate('greeter', { id: 'i' })).toMatchObject({
        refusal: { code: 'SKILL_NOT_INVOCABLE' },
      })
      expect(await child.beginTurn('/greeter hello')).toEqual({ activated: [], suggested: [] })
      expect(activeNames(child)).toEqual(['apart'])
    })
    expect(events.filter(({ callId }) => callId === 'i')).toMatchObject([
      { type: 'skill.denied', code: 'SKILL_NOT_INVOCABLE', session: 'task/f' },
    ])
  })
})

describe('an activation by a trigger', () => {
  it('[ACT-11, OBS-1] is recorded as a call of the activation tool, with its own id', async () => {
    const asked: ConsentRequest[] = []
    const { session, events } = await open({
      turns: { triggers: 'activate' },
      consent: (request) => asked.push(request) > 0,
    })
    const turn = await session.beginTurn('hello you')
    expect(turn).toMatchObject({ activated: [{ name: 'greeter', outcome: { ok: true } }], suggested: [] })
    expect(turn.text).toContain('Body of greeter: ')
    expect(events.map(({ type, tool }) => [type, tool])).toEqual([
      ['skill.activating', 'activate_skill'],
      ['skill.activated', 'activate_skill'],
    ])
    expect(asked).toMatchObject([{ skill: 'greeter', callId: expect.stringMatching(/^[\da-f-]{36}$/) as string }])
    expect(asked[0]!.args).toBeUndefined()
  })

  it('[ACT-11, OBS-1] says in its input that a trigger made it', async () => {
    const inputs: unknown[] = []
    const sink = { write: (event: AuditEvent) => void (isQuestion(event) || inputs.push(event.input)) }
    const { session } = await open({ turns: { triggers: 'activate' } }, { audit: { sink, inputs: 'redacted' } })
    await session.beginTurn('hello you')
    expect(inputs).toEqual([{ trigger: { skill: 'greeter' } }, { trigger: { skill: 'greeter' } }])
  })

  it('[ACT-11, OBS-1, ASK-3] that is denied is recorded, and the model is told', async () => {
    const { session, events } = await open({ turns: { triggers: 'activate' }, consent: () => false })
    const { text } = await session.beginTurn('hello you')
    expect(text).toMatch(/^The skill "greeter" fits this message, and it was not activated\.\n.*CONSENT_DENIED/)
    expect(events).toMatchObject([{ type: 'skill.denied', code: 'CONSENT_DENIED' }])
    expect(activeNames(session)).toEqual([])
  })

  it('[ACT-7, ACT-11] is given up where the run of its message is aborted', async () => {
    const stop = new AbortController()
    const consent = (): Promise<boolean> => {
      stop.abort(new Error('stopped'))
      return new Promise(() => undefined)
    }
    const { session } = await open({ turns: { triggers: 'activate' }, consent })
    await expect(session.beginTurn('hello you', { signal: stop.signal })).rejects.toThrow('stopped')
    expect(activeNames(session)).toEqual([])
  })
})
