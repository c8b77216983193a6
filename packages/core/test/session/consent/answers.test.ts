import { describe, expect, it } from 'vitest'
import { memorySource } from '../../../src/catalog/memory-source.ts'
import { openRepertoire } from '../../../src/repertoire/repertoire.ts'
import type { ConsentRequest } from '../../../src/ports/consent.ts'
import { foreign } from '../../foreign.ts'

const skill = (body: string) => ({ 'SKILL.md': `---\nname: pdf\ndescription: d\n---\n${body}\n` })
const call = (input: unknown = { name: 'pdf' }, id = 'c') => ({ id, tool: 'activate_skill', input })

/** A session in which nobody is asked in the call itself. */
async function open(body = 'Body.', saved?: unknown) {
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills: { pdf: skill(body) } })],
  })
  return repertoire.openSession({ id: 'task', ...(saved !== undefined && { saved: foreign(saved) }) })
}
const reason = 'The skill "pdf" was not activated: '

describe('the answer to a consent request for a skill', () => {
  it('[ASK-5] is for the call that was asked about, and serves once', async () => {
    const session = await open()
    const request = (await session.consentFor(call())) as ConsentRequest
    session.answer({ requestId: request.id, approved: true })
    const other = await session.call(call(undefined, 'other'), () => '')
    expect(other).toMatchObject({
      refusal: { code: 'CONSENT_DENIED', reason: `${reason}nobody could be asked. Go on without it.` },
    })
    expect(await session.call(call(), () => '')).toMatchObject({ ok: true })
    expect(session.state).toMatchObject({ open: [], granted: [{ skill: 'pdf' }] })
  })

  it('[ASK-2, ASK-5] is for the input and the folder that it was about', async () => {
    for (const [body, input, what] of [
      ['Body.', { name: 'pdf', args: 'x' }, 'for another call than this one'],
      ['Evil.', { name: 'pdf' }, 'for the folder as it was before it changed'],
    ] as const) {
      const asked = await open()
      const request = (await asked.consentFor(call())) as ConsentRequest
      asked.answer({ requestId: request.id, approved: true })
      const session = await open(body, asked.save())
      expect(await session.call(call(input), () => '')).toMatchObject({
        refusal: {
          code: 'CONSENT_DENIED',
          reason: `${reason}the answer was ${what}. Go on without it.`,
        },
      })
      expect(session.state.active).toEqual([])
    }
  })

  it('[ASK-3, ASK-5] is a denial with its reason where it is a no, and is settled by the call', async () => {
    const session = await open()
    const request = (await session.consentFor(call())) as ConsentRequest
    session.answer({ requestId: request.id, approved: false, reason: 'not on a Friday' })
    session.answer({ requestId: request.id, approved: true })
    expect(await session.call(call(), () => '')).toMatchObject({
      refusal: { code: 'CONSENT_DENIED', reason: `${reason}not on a Friday. Go on without it.` },
    })
    expect(session.state).toMatchObject({ open: [], granted: [], active: [] })
  })
})
