import { describe, expect, it } from 'vitest'
import { memorySource, openRepertoire } from '../../../src/index.ts'
import { type AdapterSession, openAdapterSession } from '../../../src/adapter.ts'

const skills = { greeter: { 'SKILL.md': '---\nname: greeter\ndescription: Greets.\n---\nGREET FIRST.\n' } }

async function open(): Promise<AdapterSession> {
  return openAdapterSession(await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] }))
}

describe('a turn that waits', () => {
  it.each([
    [true, ['greeter']],
    [false, []],
  ])('[ACT-12, ASK-3] waits for what a person invokes, before anything begins (%s)', async (approved, active) => {
    const session = await open()
    const first = await session.beginTurn('/greeter Ada', { id: 'one', canWait: true })
    expect(first).toMatchObject({ waits: { callId: 'one', skill: 'greeter', args: 'Ada' } })
    expect(first.text).toContain('CONSENT_DENIED')
    expect(session.activeSkills).toEqual([])
    expect((await session.beginTurn('/greeter Ada', { id: 'one', canWait: true })).waits?.id).toBe(first.waits!.id)
    session.answer({ requestId: first.waits!.id, approved })
    const { text, waits } = await session.beginTurn('/greeter Ada', { id: 'one' })
    expect([waits, session.activeSkills]).toEqual([undefined, active])
    expect(text).toContain(approved ? 'GREET FIRST.' : 'CONSENT_DENIED')
  })

  it.each(['Hello', '/nobody now', '/usr/bin'])('[ACT-12] waits for nothing in %j', async (message) => {
    const session = await open()
    expect(await session.beginTurn(message, { id: 'one' })).toEqual({ activated: [], suggested: [] })
  })

  it('[ACT-12, ASK-3] is denied where nobody is asked', async () => {
    const session = await open()
    const turn = await session.beginTurn('/greeter', { id: 'one' })
    expect(turn.waits).toBeUndefined()
    expect(turn.text).toContain('CONSENT_DENIED')
  })

  it('[ACT-12] serves no other message by its answer', async () => {
    const session = await open()
    const { waits } = await session.beginTurn('/greeter Ada', { id: 'one', canWait: true })
    session.answer({ requestId: waits!.id, approved: true })
    await session.beginTurn('/greeter Ada', { id: 'two' })
    expect(session.activeSkills).toEqual([])
    await session.beginTurn('/greeter Ada', { id: 'one' })
    expect(session.activeSkills).toEqual(['greeter'])
  })
})
