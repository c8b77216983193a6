import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type ConsentRequest, type SessionProblem, memorySource, openRepertoire } from '../../../src/index.ts'
import { type AdapterSessionOptions, isOutdatedYes, openAdapterSession } from '../../../src/adapter.ts'

const skill = (body: string) => ({ 'SKILL.md': `---\nname: pdf\ndescription: d\n---\n${body}\n` })
const call = (input: unknown = { name: 'pdf' }, id = 'c') => ({ id, tool: 'activate_skill', input })

/** A session in which nobody is asked in the call itself. */
async function open(body = 'Body.', saved?: unknown, more: AdapterSessionOptions = {}) {
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills: { pdf: skill(body) } })],
  })
  return openAdapterSession(repertoire, { id: 'task', ...more, ...(saved !== undefined && { saved: foreign(saved) }) })
}
const reason = 'The skill "pdf" was not activated: '

describe('the answer to a consent request for a skill', () => {
  it('[ASK-5] permits exactly the call that was asked about, and only once', async () => {
    const session = await open()
    const request = (await session.preview(call(), { asks: true })).waits as ConsentRequest
    session.answer({ requestId: request.id, approved: true })
    const other = await session.call(call(undefined, 'other'), () => '')
    expect(other).toMatchObject({
      refusal: { code: 'CONSENT_DENIED', reason: `${reason}nobody could be asked. Go on without it.` },
    })
    expect(await session.call(call(), () => '')).toMatchObject({ ok: true })
    expect(session.state).toMatchObject({ open: [], granted: [{ skill: 'pdf' }] })
  })

  it('[ASK-5, ASK-8, ABUSE-94] begins no call once more that a handler has answered since', async () => {
    const policy = { ask: ['Read'] }
    const read = { id: 'read', tool: 'Read', input: {} }
    let ran = 0
    const asking = await open('Body.', undefined, { policy, hostTools: ['Read'] })
    const { waits } = await asking.preview(read, { asks: true })
    const handled = await open('Body.', asking.save(), { policy, hostTools: ['Read'], consent: () => true })
    expect(await handled.call(read, () => ++ran)).toMatchObject({ ok: true })
    const later = await open('Body.', handled.save(), { policy, hostTools: ['Read'] })
    later.answer({ requestId: waits!.id, approved: true })
    expect(await later.call(read, () => ++ran)).toMatchObject({ refusal: { code: 'CALL_DENIED' } })
    expect(ran).toBe(1)
  })

  it('[ASK-5, FRONT-5] is a problem, once, where nobody could be asked', async () => {
    const problems: SessionProblem[] = []
    const session = await open('Body.', undefined, { onProblem: (problem) => problems.push(problem) })
    await session.call(call(), () => '')
    await session.call(call(undefined, 'again'), () => '')
    expect(problems).toEqual([
      {
        code: 'CONSENT_UNATTENDED',
        skill: 'pdf',
        message: expect.stringMatching(
          /^Consent to "pdf" was denied, .* Give the session a handler, such as `consent: askInTerminal\(\)` .*, or let the framework ask: LangChain does so with a checkpointer\. In sub-agents, only `consent` can ask\.$/,
        ),
      },
    ])
  })

  it('[ASK-5] is a problem for a call that the policy asks about, and none where somebody said no', async () => {
    const problems: SessionProblem[] = []
    const onProblem = (problem: SessionProblem) => problems.push(problem)
    const policy = { ask: ['Read'] }
    const read = { id: 'read', tool: 'Read', input: {} }
    for (const consent of [() => false, undefined]) {
      const session = await open('Body.', undefined, { onProblem, policy, consent })
      await session.step({ tools: ['Read'] })
      expect(await session.call(read, () => '')).toMatchObject({ refusal: { code: 'CALL_DENIED' } })
    }
    const answered = await open('Body.', undefined, { onProblem })
    const request = (await answered.preview(call(), { asks: true })).waits as ConsentRequest
    answered.answer({ requestId: request.id, approved: false })
    await answered.call(call(), () => '')
    expect(problems).toEqual([
      { code: 'CONSENT_UNATTENDED', message: expect.stringMatching(/^Consent to "Read" was denied/) },
    ])
  })

  it('[ASK-2, ASK-5] permits nothing where the input or the folder differs from what it was about', async () => {
    const again = 'Make the same call again, which asks for consent to its folder as it is now.'
    for (const [body, input, approved, what] of [
      [
        'Body.',
        { name: 'pdf', args: 'x' },
        true,
        'the answer was for another call than this one, or for a skill of another source. Go on without it.',
      ],
      ['Evil.', { name: 'pdf' }, true, `the answer was for the folder as it was before it changed. ${again}`],
      ['Evil.', { name: 'pdf' }, false, 'consent was not given. Go on without it.'],
    ] as const) {
      const asked = await open()
      const request = (await asked.preview(call(), { asks: true })).waits as ConsentRequest
      asked.answer({ requestId: request.id, approved })
      const session = await open(body, asked.save())
      expect(await session.call(call(input), () => '')).toMatchObject({
        refusal: {
          code: 'CONSENT_DENIED',
          reason: `${reason}${what}`,
        },
      })
      expect(session.state.active).toEqual([])
    }
  })

  it('[ASK-3, ASK-5] is a denial with its reason if it is a no, and the call removes it from the open requests', async () => {
    const session = await open()
    const request = (await session.preview(call(), { asks: true })).waits as ConsentRequest
    session.answer({ requestId: request.id, approved: false, reason: 'not on a Friday' })
    session.answer({ requestId: request.id, approved: true })
    expect(await session.call(call(), () => '')).toMatchObject({
      refusal: { code: 'CONSENT_DENIED', reason: `${reason}not on a Friday. Go on without it.` },
    })
    expect(session.state).toMatchObject({ open: [], granted: [], active: [] })
  })

  it('[ASK-2, ABUSE-122] is outdated only if it is a yes to what the folder held before', async () => {
    const requestFor = async (body: string, input?: unknown) =>
      (await (await open(body)).preview(call(input), { asks: true })).waits!.id
    const before = await requestFor('Old.')
    const now = await requestFor('New.')
    const other = await requestFor('Old.', { name: 'pdf', args: 'x' })
    expect(isOutdatedYes({ requestId: before, approved: true }, now)).toBe(true)
    for (const answer of [
      { requestId: now, approved: true },
      { requestId: before, approved: false },
      { requestId: before },
      { requestId: other, approved: true },
      { requestId: 7, approved: true },
      { approved: true },
      before,
      null,
      undefined,
    ]) {
      expect(isOutdatedYes(answer, now)).toBe(false)
    }
  })
})
