import { describe, expect, it, vi } from 'vitest'
import { adapterSession, openAdapterSession, type AdapterSession } from '../../src/adapter.ts'
import { memorySource } from '../../src/index.ts'
import { HOST, skillText, open, step, activate } from './session-world.ts'
import { code, activeNames } from './outcome.ts'

describe('the end, and what comes after', () => {
  it('[ACT-7] deactivates every skill, top first, and refuses later calls', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    await activate(session, 'historian')
    await session.end()
    await session.end()
    expect(session.state).toMatchObject({ active: [], granted: [], open: [], ended: true })
    expect(code(await step(session, 'Read', { file_path: 'a' }))).toBe('SESSION_ENDED')
    expect(code(await activate(session, 'editor'))).toBe('SESSION_ENDED')
  })

  it('[ACT-7] reports a model call that begins after its task has ended, once', async () => {
    const { repertoire } = await open()
    const onProblem = vi.fn()
    const session = await repertoire.runTask({ onProblem }, async (opened) => {
      await adapterSession(opened).step({ tools: HOST })
      return opened
    })
    expect(onProblem).not.toHaveBeenCalled()
    await adapterSession(session).step({ tools: HOST })
    await adapterSession(session).step({ tools: HOST })
    expect(onProblem).toHaveBeenCalledOnce()
    expect(onProblem).toHaveBeenCalledWith(expect.objectContaining({ code: 'SESSION_ENDED_EARLY' }))
  })

  it.each([
    ['call', (session: AdapterSession) => session.call({ id: 'late', tool: 'Read', input: {} }, () => 'ran')],
    ['turn', (session: AdapterSession) => session.beginTurn('Hello')],
  ])('[ACT-7] reports a %s that begins after its task has ended, once', async (_, begin) => {
    const onProblem = vi.fn()
    const { session } = await open({ onProblem })
    await session.end()
    await begin(session)
    await begin(session)
    expect(onProblem.mock.calls).toEqual([[expect.objectContaining({ code: 'SESSION_ENDED_EARLY' })]])
    const { message } = onProblem.mock.calls[0]![0] as { readonly message: string }
    for (const remedy of ['Await the end of the stream', '`skillsAgent`']) expect(message).toContain(remedy)
  })

  it('[ACT-7] reports no call of an aborted run, which may come after the end', async () => {
    const onProblem = vi.fn()
    const { session } = await open({ onProblem })
    await session.end()
    const late = { id: 'late', tool: 'Read', input: {} }
    expect(code(await session.call(late, () => 'ran', { signal: AbortSignal.abort() }))).toBe('SESSION_ENDED')
    expect(onProblem).not.toHaveBeenCalled()
  })

  it('[ACT-7] ends the session of a task on success, on an error and on an abort', async () => {
    const { repertoire } = await open()
    const sessions: AdapterSession[] = []
    const task = (end: () => unknown) =>
      repertoire.runTask({ consent: () => true }, async (session) => {
        sessions.push(adapterSession(session))
        await activate(adapterSession(session), 'editor')
        return end()
      })
    await expect(task(() => 'answer')).resolves.toBe('answer')
    await expect(task(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(task(() => AbortSignal.abort(new Error('stopped')).throwIfAborted())).rejects.toThrow('stopped')
    expect(sessions.map((session) => session.state.ended)).toEqual([true, true, true])
  })

  it('[ACT-15] goes on from what was saved: stack, restriction and consent', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    const saved = JSON.parse(JSON.stringify(session.save()))
    const { repertoire } = await open()
    const again = openAdapterSession(repertoire, { saved, hostTools: HOST })
    expect(again.id).toBe(session.id)
    expect(code(await step(again, 'Bash', { command: 'ls' }))).toBe('TOOL_NOT_ALLOWED')
    await step(again, 'deactivate_skill', {})
    expect(code(await activate(again, 'editor'))).toBe('ok')
  })

  it('[ACT-15, ABUSE-109] keeps the rights of an active skill as they were, whatever the catalog says now', async () => {
    const { session } = await open()
    await activate(session, 'editor')
    const wider = { editor: { 'SKILL.md': skillText('editor', 'allowed-tools: Bash Read Write\n') } }
    const { repertoire } = await open({}, { sources: [memorySource({ layer: 'project', skills: wider })] })
    const again = openAdapterSession(repertoire, { saved: session.save(), hostTools: HOST })
    expect(code(await step(again, 'Bash', { command: 'ls' }))).toBe('TOOL_NOT_ALLOWED')
  })

  it('[ACT-8, ACT-15] refuses the state of another task, of an ended one, and a changed one', async () => {
    const { session, repertoire } = await open({}, { sessionSecret: 'k' })
    const saved = session.save()
    expect(() => openAdapterSession(repertoire, { id: 'other', saved })).toThrow(
      expect.objectContaining({ code: 'STATE_INVALID' }),
    )
    expect(() => openAdapterSession(repertoire, { saved: { ...saved, seal: '0' } })).toThrow(
      expect.objectContaining({ code: 'STATE_TAMPERED' }),
    )
    await session.end()
    expect(() => openAdapterSession(repertoire, { saved: session.save() })).toThrow(
      expect.objectContaining({ code: 'SESSION_ENDED' }),
    )
  })

  it('[ADPT-2] merges what calls did that ran side by side on the same saved state', async () => {
    const { repertoire } = await open()
    const base = openAdapterSession(repertoire, { id: 'thread' }).save()
    const side = async (name: string) => {
      const session = openAdapterSession(repertoire, { saved: base, consent: () => true, hostTools: HOST })
      await activate(session, name)
      return session.save()
    }
    const [one, two] = await Promise.all([side('editor'), side('historian')])
    const merged = repertoire.mergeSaved(base, one, two)
    expect(activeNames(openAdapterSession(repertoire, { saved: merged }))).toEqual(['editor', 'historian'])
  })
})
