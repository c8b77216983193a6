import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type ConsentAnswer,
  type ConsentHandler,
  type ConsentRequest,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'

const source = memorySource({
  layer: 'project',
  skills: { free: { 'SKILL.md': '---\nname: free\ndescription: A skill.\n---\nBody.\n' } },
})
const call = { id: 'c1', tool: 'activate_skill', input: { name: 'free' } }

async function open(options: AdapterSessionOptions = {}): Promise<AdapterSession> {
  return openAdapterSession(await openRepertoire({ sources: [source] }), { hostTools: ['Bash'], ...options })
}

/** A session that waits for the answer to one question. */
async function asking(
  options: AdapterSessionOptions = {},
): Promise<{ session: AdapterSession; request: ConsentRequest }> {
  const session = await open(options)
  const request = (await session.preview(call, { asks: true })).waits
  if (request === undefined) throw new Error('Nothing was asked.')
  return { session, request }
}

const activated = async (session: AdapterSession): Promise<boolean> => (await session.call(call, () => undefined)).ok

describe('asking a function while a call waits', () => {
  it('[ASK-5] records a clear yes, which serves the call', async () => {
    for (const yes of [() => true, ({ id }: ConsentRequest): ConsentAnswer => ({ requestId: id, approved: true })]) {
      const { session } = await asking()
      await session.ask(() => session.preview(call), yes)
      expect(await activated(session)).toBe(true)
      expect(session.state.open).toEqual([])
    }
  })

  it('[ASK-3, ASK-5] records everything else as a no: a throw, silence, an unclear answer, a yes to another consent request', async () => {
    const handlers: readonly ConsentHandler[] = [
      () => false,
      () => foreign('yes'),
      () => foreign('aborted'),
      () => ({ requestId: 'another', approved: true }),
      () => Promise.reject(new Error('gone')),
      () => {
        throw new Error('gone')
      },
      () => new Promise(() => undefined),
    ]
    for (const handler of handlers) {
      const { session, request } = await asking({ consent: { timeout: 1 } })
      await session.ask(() => session.preview(call), handler)
      expect(session.state.open).toMatchObject([{ id: request.id, approved: false }])
      expect(await activated(session)).toBe(false)
    }
  })

  it.each([[undefined], [null], [true], [{ approved: true }], [{ requestId: 7, approved: true }]])(
    '[ASK-3, ACT-15] an answer to nothing, %j, changes nothing, and what was sealed can be taken up',
    async (verdict) => {
      const { session, request } = await asking()
      session.answer(foreign(verdict))
      expect(session.state.open).toEqual([{ id: request.id, callId: 'c1' }])
      expect(await activated(session)).toBe(false)
      const repertoire = await openRepertoire({ sources: [source] })
      expect(openAdapterSession(repertoire, { hostTools: ['Bash'], saved: session.save() }).state).toEqual(
        session.state,
      )
    },
  )

  it('[ASK-5] hands the reason on, and does not ask again for what was answered', async () => {
    const { session } = await asking()
    await session.ask(
      () => session.preview(call),
      ({ id }) => ({ requestId: id, approved: false, reason: 'not on a Friday' }),
    )
    await session.ask(
      () => session.preview(call),
      () => true,
    )
    const outcome = await session.call(call, () => undefined)
    expect(outcome.ok ? '' : outcome.refusal.reason).toContain('not on a Friday')
  })

  it('[ASK-5] aborts the signal once the consent request is settled, whether it is read before or after', async () => {
    const { session } = await asking()
    const given: { readonly signal: AbortSignal }[] = []
    let before: AbortSignal | undefined
    await session.ask(
      () => session.preview(call),
      (_request, options) => {
        given.push(options)
        return true
      },
    )
    const second = await asking()
    await second.session.ask(
      () => second.session.preview(call),
      (_request, options) => {
        before = options.signal
        expect(before.aborted).toBe(false)
        return false
      },
    )
    for (const signal of [given[0]!.signal, given[0]!.signal, before!]) {
      expect(signal.aborted).toBe(true)
      expect(signal.reason).toMatchObject({ name: 'AbortError', message: 'The question is settled.' })
    }
  })

  it('[ASK-5] has no effect what a handler promises that aborts the run that asks', async () => {
    const { session } = await asking({ consent: { timeout: Infinity } })
    for (const answer of [true, new Promise<boolean>(() => undefined), Promise.resolve(true)]) {
      const run = new AbortController()
      const handler: ConsentHandler = () => {
        run.abort('stopped')
        return answer
      }
      await expect(session.ask(() => session.preview(call), handler, { signal: run.signal })).rejects.toBe('stopped')
    }
    expect(session.state.open).toEqual([])
  })

  it('[ASK-5] drops a consent request where the run that asks is aborted: a later yes has no effect', async () => {
    const { session } = await asking()
    const stop = new AbortController()
    const late = Promise.withResolvers<boolean>()
    let given: AbortSignal | undefined
    const handler: ConsentHandler = (_request, options) => {
      given = options.signal
      queueMicrotask(() => stop.abort('stopped'))
      return late.promise
    }
    await expect(session.ask(() => session.preview(call), handler, { signal: stop.signal })).rejects.toBe('stopped')
    late.resolve(true)
    await late.promise
    expect(given?.aborted).toBe(true)
    expect(session.state.open).toEqual([])
    await expect(
      session.ask(
        () => session.preview(call),
        () => true,
        { signal: stop.signal },
      ),
    ).rejects.toBe('stopped')
    await session.ask(
      () => session.preview(call),
      () => true,
    )
    expect(await activated(session)).toBe(true)
  })
})

describe('the abort of a run', () => {
  it("[ASK-3, GATE-5] abandons the consent request to the session's handler, activates nothing, and holds up no later call", async () => {
    const stop = new AbortController()
    const late = Promise.withResolvers<boolean>()
    let asked = 0
    const session = await open({
      consent: () => {
        asked++
        if (asked > 1) return true
        queueMicrotask(() => stop.abort('stopped'))
        return late.promise
      },
    })
    await expect(session.call(call, () => undefined, { signal: stop.signal })).rejects.toBe('stopped')
    late.resolve(true)
    await late.promise
    expect(session.state).toMatchObject({ active: [], granted: [] })
    expect(await activated(session)).toBe(true)
    expect(asked).toBe(2)
  })
})

describe('calls of an aborted run', () => {
  it('[GATE-5] that had not begun are not begun: none runs, and none lifts a restriction', async () => {
    const stop = new AbortController()
    const session = await open({ consent: () => true })
    await session.call(call, () => undefined)
    stop.abort('stopped')
    const run = (): never => {
      throw new Error('It ran.')
    }
    for (const tool of ['deactivate_skill', 'Bash', 'activate_skill']) {
      await expect(session.call({ id: 'c4', tool, input: {} }, run, { signal: stop.signal })).rejects.toBe('stopped')
    }
    expect(session.state.active).toHaveLength(1)
  })

  it('[GATE-5] wait in turn, and are given up in turn', async () => {
    const stop = new AbortController()
    const skills = {
      a: { 'SKILL.md': '---\nname: a\ndescription: A.\nallowed-tools: Bash\n---\n' },
      b: { 'SKILL.md': '---\nname: b\ndescription: B.\n---\n' },
    }
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
    const session = openAdapterSession(repertoire, {
      consent: ({ skill }) => {
        if (skill === 'a') return true
        queueMicrotask(() => stop.abort('stopped'))
        return new Promise(() => undefined)
      },
    })
    await session.call({ id: '1', tool: 'activate_skill', input: { name: 'a' } }, () => undefined)
    const options = { signal: stop.signal }
    const calls = await Promise.allSettled([
      session.call({ id: '2', tool: 'activate_skill', input: { name: 'b' } }, () => undefined, options),
      session.call({ id: '3', tool: 'deactivate_skill', input: {} }, () => undefined, options),
    ])
    expect(calls).toEqual([
      { status: 'rejected', reason: 'stopped' },
      { status: 'rejected', reason: 'stopped' },
    ])
    expect(session.activeSkills).toEqual(['a'])
  })
})

describe('an input that is not a JSON object', () => {
  it('[GATE-1, GATE-7] is refused for host tools too, with its beginning, and nothing runs', async () => {
    const session = await open()
    const given = ['{"command": "ls', `"${'x'.repeat(200)}`, undefined, null, 7, true, ['ls']]
    const reasons: string[] = []
    for (const input of given) {
      const outcome = await session.call({ id: 'c', tool: 'bash', input }, () => {
        throw new Error('It ran.')
      })
      expect(outcome).toMatchObject({ ok: false, refusal: { code: 'INPUT_INVALID' } })
      if (!outcome.ok) reasons.push(outcome.refusal.reason)
    }
    const start = '`Bash` takes its input as one JSON object; it was given'
    expect(reasons).toEqual([
      `${start} "{\\"command\\": \\"ls".`,
      `${start} "\\"${'x'.repeat(119)}…".`,
      `${start} undefined.`,
      `${start} null.`,
      `${start} 7.`,
      `${start} true.`,
      `${start} a list.`,
    ])
  })
})
