import { describe, expect, it } from 'vitest'
import { type ConsentRequest, memorySource, openRepertoire } from '../../../src/index.ts'
import {
  type AdapterSession,
  beginTurnWithConsent,
  invocationConsentRequest,
  openAdapterSession,
} from '../../../src/adapter.ts'

const skills = { greeter: { 'SKILL.md': '---\nname: greeter\ndescription: Greets.\n---\nGREET FIRST.\n' } }

async function open(): Promise<AdapterSession> {
  return openAdapterSession(await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] }))
}

/** Answers every question, and notes what was active when it was asked. */
function answering(session: AdapterSession, approved: boolean) {
  const asked: { readonly request: ConsentRequest; readonly active: number }[] = []
  const ask = (request: ConsentRequest): void => {
    asked.push({ request, active: session.state.active.length })
    session.answer({ requestId: request.id, approved })
  }
  return { asked, ask }
}

describe('a turn that asks', () => {
  it.each([
    [true, ['greeter']],
    [false, []],
  ])('[ACT-12, ASK-3] asks once about what a person invokes, before anything begins (%s)', async (approved, active) => {
    const session = await open()
    const { asked, ask } = answering(session, approved)
    const { text } = await beginTurnWithConsent(session, '/greeter Ada', { id: 'one', ask })
    expect(asked).toMatchObject([{ request: { callId: 'one', skill: 'greeter', args: 'Ada' }, active: 0 }])
    expect(session.activeSkills).toEqual(active)
    expect(text).toContain(approved ? 'GREET FIRST.' : 'CONSENT_DENIED')
  })

  it.each(['Hello', '/nobody now', '/usr/bin'])('[ACT-12] asks nothing about %j', async (message) => {
    const session = await open()
    const { asked, ask } = answering(session, true)
    expect(await beginTurnWithConsent(session, message, { id: 'one', ask })).toEqual(await session.beginTurn(message))
    expect(asked).toEqual([])
  })

  it('[ACT-12, ASK-5] begins nothing where asking throws, and takes the same consent request up again', async () => {
    const session = await open()
    const suspended = new Error('Wait.')
    const seen: string[] = []
    const suspending = (request: ConsentRequest): void => {
      seen.push(request.id)
      throw suspended
    }
    const turn = { id: 'one', ask: suspending }
    await expect(beginTurnWithConsent(session, '/greeter', turn)).rejects.toBe(suspended)
    await expect(beginTurnWithConsent(session, '/greeter', turn)).rejects.toBe(suspended)
    expect(seen[1]).toBe(seen[0])
    expect(session.state.active).toEqual([])
    const { asked, ask } = answering(session, true)
    await beginTurnWithConsent(session, '/greeter', { id: 'one', ask })
    expect(asked.map(({ request }) => request.id)).toEqual([seen[0]])
    expect(session.activeSkills).toEqual(['greeter'])
  })

  it('[ACT-12, ASK-3] denies an invocation where nobody can be asked', async () => {
    const session = await open()
    const { text } = await beginTurnWithConsent(session, '/greeter', { id: 'one' })
    expect(text).toContain('CONSENT_DENIED')
    expect(session.state.active).toEqual([])
  })
})

describe('the consent request for what a person invokes', () => {
  it('[ACT-12] has the id that its turn is given', async () => {
    const session = await open()
    const question = await invocationConsentRequest(session, '/greeter Ada', 'one')
    const other = await invocationConsentRequest(session, '/greeter Ada', 'two')
    expect(question).toMatchObject({ callId: 'one', skill: 'greeter', args: 'Ada' })
    expect(other!.id).not.toBe(question?.id)
    session.answer({ requestId: question!.id, approved: true })
    await session.beginTurn('/greeter Ada', { id: 'two' })
    expect(session.state.active).toEqual([])
    await session.beginTurn('/greeter Ada', { id: 'one' })
    expect(session.activeSkills).toEqual(['greeter'])
  })

  it('[ACT-12] is not made where the message invokes nothing', async () => {
    const session = await open()
    expect(await invocationConsentRequest(session, 'Hello', 'one')).toBeUndefined()
    expect(await invocationConsentRequest(session, '/greeter', 'two')).toMatchObject({ skill: 'greeter' })
  })
})
