import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession } from '../../src/adapter.ts'
import type { AuditEvent, ConsentHandler, ConsentRequest } from '../../src/index.ts'
import { activate, HOST, open as openSession, step } from '../session/session-world.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

async function open(session: AdapterSessionOptions = {}, inputs: 'none' | 'redacted' = 'none') {
  const events: AuditEvent[] = []
  const sink = { write: (event: AuditEvent) => void events.push(event) }
  const opened = await openSession(
    { id: 'task', consent: undefined, onProblem: () => undefined, ...session },
    { audit: { sink, inputs } },
  )
  const questions = (): readonly AuditEvent[] => events.filter(({ type }) => type.startsWith('consent.'))
  /** What is on record: the type, the outcome, the answer and what it came from. */
  const seen = () => questions().map(({ type, outcome, consent }) => [type, outcome, consent?.answer, consent?.by])
  return { ...opened, events, questions, seen }
}

const ACTIVATION = { id: 'c1', tool: 'activate_skill', input: { name: 'editor' } }
const ASKED = ['consent.asked', 'started', undefined, undefined]

describe('a question to the handler of a session', () => {
  it('[OBS-8] is on record before its answer, with the request, the digest of the text, and the skill', async () => {
    let request: ConsentRequest | undefined
    const { session, questions, events } = await open({ consent: (asked) => ((request = asked), true) })
    await activate(session, 'editor', 'c1')
    const consent = { request: request!.id, about: 'skill', digest: sha256(request!.text) }
    expect(questions()).toMatchObject([
      {
        type: 'consent.asked',
        outcome: 'started',
        callId: 'c1',
        tool: 'activate_skill',
        skill: { name: 'editor', digest: request!.digest, allowedTools: ['Read', 'Write(docs/**)'] },
        consent,
      },
      {
        type: 'consent.answered',
        outcome: 'succeeded',
        callId: 'c1',
        consent: { ...consent, answer: 'yes', by: 'handler' },
      },
    ])
    expect(questions()[0]!.consent).toEqual(consent)
    expect(events.map(({ type }) => type)).toEqual([
      'consent.asked',
      'consent.answered',
      'skill.activating',
      'skill.activated',
    ])
  })

  it.each<[string, ConsentHandler, unknown, string | undefined]>([
    ['a no with a reason', ({ id }) => ({ requestId: id, approved: false, reason: 'not now' }), 'handler', 'not now'],
    ['a throw', () => Promise.reject(new Error('gone')), 'handler', 'consent could not be requested'],
    ['silence', () => new Promise<boolean>(() => undefined), 'timeout', 'nobody answered in time'],
  ])('[OBS-8, ASK-3] is on record as denied, with what denied it: %s', async (_, ask, by, reason) => {
    const { session, seen, questions } = await open({ consent: { ask, timeout: 5 } })
    await activate(session, 'editor')
    expect(seen()).toEqual([ASKED, ['consent.answered', 'refused', 'no', by]])
    expect(questions()[1]!.consent?.reason).toBe(reason)
  })

  it('[OBS-8] is on record as given up where the run is aborted or the task ends, and only if it was asked', async () => {
    const stop = new AbortController()
    const { session, seen } = await open({
      consent: () => {
        stop.abort(new Error('stop'))
        return new Promise<boolean>(() => undefined)
      },
    })
    const second = { ...ACTIVATION, id: 'c2', input: { name: 'free' } }
    const calls = [ACTIVATION, second].map((call) => session.call(call, () => '', { signal: stop.signal }))
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await session.end()
    expect(seen()).toEqual([ASKED, ['consent.answered', 'aborted', undefined, 'abort']])

    const asked = Promise.withResolvers<void>()
    const ending = await open({ consent: () => (asked.resolve(), new Promise<boolean>(() => undefined)) })
    const call = activate(ending.session, 'editor')
    await asked.promise
    await ending.session.end()
    await call
    expect(ending.seen()).toEqual([ASKED, ['consent.answered', 'aborted', undefined, 'abort']])
  })

  it('[OBS-8, ASK-6] about a call that the policy asks about has the call and its input', async () => {
    const { session, questions } = await open({ policy: { ask: ['Bash'] }, consent: () => true }, 'redacted')
    await step(session, 'Bash', { command: 'ls' }, 'c9')
    expect(questions()).toMatchObject([
      {
        callId: 'c9',
        tool: 'Bash',
        input: { command: 'ls' },
        consent: { about: 'call', text: expect.stringContaining('Let the agent call "Bash"?') as string },
      },
      { callId: 'c9', consent: { about: 'call', answer: 'yes', by: 'handler' } },
    ])
    expect(questions()[0]).not.toHaveProperty('skill')
    expect(questions()[1]!.consent).not.toHaveProperty('text')
  })

  it('[OBS-8, OBS-4] has its text only where inputs are recorded, in one line', async () => {
    const { session, questions } = await open({ consent: () => true })
    await activate(session, 'editor')
    expect(questions()[0]!.consent).not.toHaveProperty('text')
    const recorded = await open({ consent: () => true }, 'redacted')
    await activate(recorded.session, 'editor')
    const { text, digest } = recorded.questions()[0]!.consent!
    expect(text).toMatch(/^Activate the skill "editor"\?\\u\{A\} /)
    expect(text).not.toContain('\n')
    expect(digest).toBe(questions()[0]!.consent!.digest)
  })
})

describe('a question that is answered later', () => {
  it('[OBS-8] is on record once, however often it is made, and so is its answer', async () => {
    const { session, seen, questions } = await open()
    const request = (await (await session.step({ tools: HOST })).preview(ACTIVATION, { asks: true })).waits
    await session.preview(ACTIVATION, { asks: true })
    session.answer({ requestId: request!.id, approved: true })
    session.answer({ requestId: request!.id, approved: false })
    session.answer({ requestId: 'other', approved: true })
    await session.preview(ACTIVATION, { asks: true })
    await session.call(ACTIVATION, () => '')
    expect(seen()).toEqual([ASKED, ['consent.answered', 'succeeded', 'yes', 'person']])
    expect(questions()[1]).toMatchObject({
      callId: 'c1',
      consent: { request: request!.id, about: 'skill', digest: sha256(request!.text) },
    })
  })

  it('[OBS-8] is on record as given up where newer ones need its place', async () => {
    const { session, questions } = await open({ policy: { ask: ['Bash'] } })
    for (let index = 0; index < 66; index++)
      await session.preview({ id: `c${index}`, tool: 'Bash', input: { command: `echo ${index}` } }, { asks: true })
    const given = questions().filter(({ type }) => type === 'consent.answered')
    expect(given.map(({ callId, outcome, consent }) => [callId, outcome, consent?.answer, consent?.by])).toEqual([
      ['c0', 'aborted', undefined, 'abort'],
      ['c1', 'aborted', undefined, 'abort'],
    ])
  })

  it('[OBS-8, ASK-5] is on record once over the processes in which it is asked, made again and answered', async () => {
    const first = await open()
    const request = (await (await first.session.step({ tools: HOST })).preview(ACTIVATION, { asks: true })).waits
    const saved = JSON.parse(JSON.stringify(first.session.save())) as ReturnType<typeof first.session.save>
    const other = await open({ id: undefined, saved })
    await (await other.session.step({ tools: HOST })).preview(ACTIVATION, { asks: true })
    other.session.answer({ requestId: request!.id, approved: false, reason: 'too wide' })
    expect(first.seen()).toEqual([ASKED])
    expect(other.seen()).toEqual([['consent.answered', 'refused', 'no', 'person']])
    expect(other.questions()[0]!.consent).toEqual({
      request: request!.id,
      about: 'skill',
      digest: sha256(request!.text),
      answer: 'no',
      by: 'person',
      reason: 'too wide',
    })
    const again = await open({ id: undefined, saved: other.session.save() })
    again.session.answer({ requestId: request!.id, approved: true })
    expect(again.seen()).toEqual([])
  })

  it('[OBS-8, ADPT-2] is on record once where a framework makes what suspended a run once more, from the state before it', async () => {
    const first = await open()
    const { repertoire, session } = first
    const before = session.save()
    const request = (await (await session.step({ tools: HOST })).preview(ACTIVATION, { asks: true })).waits
    /** The run goes on from what was saved before it asked. */
    const goOn = async (opened: typeof first, recorded: 'asked' | 'answered') => {
      const resumed = openAdapterSession(opened.repertoire, { saved: before, hostTools: HOST })
      const outcome = await resumed.call(ACTIVATION, undefined, {
        canWait: true,
        recorded: (id) => (id === request!.id ? recorded : undefined),
      })
      if (!outcome.ok) resumed.answer({ requestId: outcome.waits!.id, approved: true })
      await resumed.end()
    }
    await openAdapterSession(repertoire, { saved: before, hostTools: HOST }).preview(ACTIVATION, { asks: true })
    await goOn(first, 'asked')
    await goOn(first, 'answered')
    const answered = ['consent.answered', 'succeeded', 'yes', 'person']
    expect(first.seen()).toEqual([ASKED, answered])
    const other = await open()
    await goOn(other, 'asked')
    expect(other.seen()).toEqual([answered])
    const third = await open()
    await goOn(third, 'answered')
    expect(third.seen()).toEqual([])
  })

  it('[OBS-8] is on record anew in a new session of the same id, and for another tenant', async () => {
    const world = await open()
    for (const options of [{}, {}, { tenant: 'acme' }]) {
      const session = openAdapterSession(world.repertoire, { id: 'same', hostTools: HOST, ...options })
      const request = (await session.preview(ACTIVATION, { asks: true })).waits
      session.answer({ requestId: request!.id, approved: false })
    }
    expect(world.seen().filter(([type]) => type === 'consent.asked')).toHaveLength(3)
    expect(world.seen()).toHaveLength(6)
  })

  it('[OBS-8] has the answer of a function that the framework asks, and what became of it', async () => {
    const { session, seen } = await open({ consent: { timeout: 5 } })
    const ask = async (name: string, handler: ConsentHandler): Promise<void> => {
      await session.ask(() => session.preview({ ...ACTIVATION, id: name, input: { name } }), handler)
    }
    await ask('editor', () => false)
    await ask('free', () => new Promise<boolean>(() => undefined))
    await ask('mute', () => true)
    expect(seen()).toEqual([
      ASKED,
      ['consent.answered', 'refused', 'no', 'handler'],
      ASKED,
      ['consent.answered', 'refused', 'no', 'timeout'],
      ASKED,
      ['consent.answered', 'succeeded', 'yes', 'handler'],
    ])
  })

  it('[OBS-8] is on record as given up at the end of the task, where nobody has answered', async () => {
    const { session, seen } = await open()
    const answered = (await (await session.step({ tools: HOST })).preview(ACTIVATION, { asks: true })).waits
    await session.preview({ ...ACTIVATION, id: 'c2', input: { name: 'free' } }, { asks: true })
    session.answer({ requestId: answered!.id, approved: true })
    await session.end()
    await session.end()
    expect(seen().slice(-1)).toEqual([['consent.answered', 'aborted', undefined, 'abort']])
    expect(seen()).toHaveLength(4)
  })

  it('[OBS-8, ACT-6] is on record as given up where another call has activated the skill meanwhile', async () => {
    const { session, seen } = await open()
    const second = { ...ACTIVATION, id: 'c2' }
    const request = (await session.preview(ACTIVATION, { message: 'm1', asks: true })).waits
    await session.preview(second, { message: 'm2', asks: true })
    session.answer({ requestId: request!.id, approved: true })
    for (const call of [ACTIVATION, second]) expect(await session.call(call, () => '')).toMatchObject({ ok: true })
    expect(seen().slice(2)).toEqual([
      ['consent.answered', 'succeeded', 'yes', 'person'],
      ['consent.answered', 'aborted', undefined, 'abort'],
    ])
  })

  it('[OBS-8] is not on record if it was asked without an audit, nor where nobody could be asked', async () => {
    const unaudited = await openSession({ id: 'task', consent: undefined })
    const request = (await (await unaudited.session.step({ tools: HOST })).preview(ACTIVATION, { asks: true })).waits
    expect(unaudited.session.state.open).toEqual([{ id: request!.id, callId: 'c1' }])
    const { session, seen } = await open({ id: undefined, saved: unaudited.session.save() })
    await (await session.step({ tools: HOST })).preview(ACTIVATION, { asks: true })
    session.answer({ requestId: request!.id, approved: true })
    const nobody = await open()
    await activate(nobody.session, 'editor')
    expect([seen(), nobody.seen()]).toEqual([[], []])
  })
})
