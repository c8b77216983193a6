import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import type { SessionProblem } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { activate, open, step } from '../session-world.ts'

const never = (): Promise<never> => new Promise(() => {})
const editor = { id: 'c1', tool: 'activate_skill', input: { name: 'editor' } }

describe('a checkpoint of a session', () => {
  it('[LIB-11] comes before a request is given out, and before what was consented to begins', async () => {
    const seen: unknown[] = []
    const { repertoire } = await open()
    const session = openAdapterSession(repertoire, {
      hostTools: ['Bash'],
      checkpoint: async () => void seen.push([session.state.open.length, session.state.granted.length]),
    })
    const request = (await session.preview(editor, { asks: true })).waits
    expect(seen).toEqual([[1, 0]])
    session.answer({ requestId: request!.id, approved: true })
    await session.call(editor, () => undefined)
    // The request is settled, and the grant comes with what it permits.
    expect(seen).toEqual([
      [1, 0],
      [0, 0],
    ])
    expect(session.state.granted).toHaveLength(1)
  })

  it('[LIB-11] is not waited for longer than `loadTimeout`: nothing is asked, and nothing begins', async () => {
    const problems: SessionProblem[] = []
    const options = { checkpoint: never, onProblem: (problem: SessionProblem) => void problems.push(problem) }
    const { session, repertoire } = await open(options, { catalog: { loadTimeout: 400 }, policy: { ask: ['Bash'] } })
    expect(code(await activate(session, 'editor'))).toBe('CONSENT_DENIED')
    expect(code(await step(session, 'Bash', { command: 'ls' }))).toBe('CALL_DENIED')
    expect(problems.map((problem) => problem.code)).toEqual(['SESSION_NOT_SAVED', 'SESSION_NOT_SAVED'])
    expect(session.state).toMatchObject({ active: [], granted: [] })
    const asking = openAdapterSession(repertoire, { hostTools: ['Bash'], checkpoint: never })
    await expect(asking.preview(editor, { asks: true }).then(({ waits }) => waits)).rejects.toMatchObject({
      code: 'TIMED_OUT',
    })
  })

  it('[LIB-11] that hangs is abandoned by an abort, and by the end of the task', async () => {
    const { session } = await open({ checkpoint: never })
    const leaving = new AbortController()
    const call = (await session.step({ tools: ['Bash'] })).call(editor, () => undefined, { signal: leaving.signal })
    leaving.abort(new Error('The person has left.'))
    await expect(call).rejects.toThrow('The person has left.')
    const other = await open({ checkpoint: never })
    const waiting = activate(other.session, 'editor')
    await other.session.end()
    expect(code(await waiting)).toBe('SESSION_ENDED')
  })

  it('[LIB-11] is a function, and `until` a signal', async () => {
    await expect(open({ checkpoint: 'save' as never })).rejects.toThrow('`checkpoint` is "save"')
    await expect(open({ until: {} as never })).rejects.toThrow('`until` has no `addEventListener`')
  })
})
