import { setImmediate as turn } from 'node:timers/promises'
import { array, assert as assertProperty, asyncProperty, constantFrom, integer, nat, oneof, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AdapterSessionOptions,
  adapterSession,
  openAdapterSession,
  type AdapterSession,
  type Step,
  type StepCalls,
} from '../../../src/adapter.ts'
import {
  type ConsentHandler,
  type Repertoire,
  type SkillSource,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { mapped } from '../../mapped-source.ts'

const NAMES = ['one', 'two', 'three']
const skills = Object.fromEntries([
  ...NAMES.map((name) => [name, { 'SKILL.md': `---\nname: ${name}\ndescription: ${name}.\n---\nBody.\n` }]),
  ['forked', { 'SKILL.md': '---\nname: forked\ndescription: Forked.\ncontext: fork\n---\nBody.\n' }],
])
const source = memorySource({ layer: 'project', skills })

/** A source in which it takes as many turns of the event loop to read a skill as its entry says. */
function slow(turns: Readonly<Record<string, number>>): SkillSource {
  return {
    ...source,
    scan: () =>
      mapped(source, (found) => {
        const { folder, path } = found
        const name = NAMES.find((each) => path.includes(each)) ?? ''
        return {
          ...found,
          folder: {
            location: folder.location,
            list: () => folder.list(),
            read: (file, options) => folder.read(file, options),
            async readManifest() {
              for (let n = 0; n < (turns[name] ?? 0); n++) await turn()
              return folder.readManifest()
            },
          },
        }
      }),
  }
}

const HOST = ['Delete', 'Read']
const policy = { ask: ['Delete'] }
const activation = (name: string, id = name) => ({ id, tool: 'activate_skill', input: { name } })
const deletion = (id: string) => ({ id, tool: 'Delete', input: { path: id } })

async function open(
  options: AdapterSessionOptions,
  sources: readonly SkillSource[] = [source],
): Promise<{ repertoire: Repertoire; session: AdapterSession; step: Step }> {
  const repertoire = await openRepertoire({ sources })
  const session = openAdapterSession(repertoire, { id: 'task', hostTools: HOST, policy, ...options })
  return { repertoire, session, step: await session.step({ tools: HOST }) }
}

/** Notes what is asked about, and how many questions are open at once. */
function watching(answer: (what: string, signal: AbortSignal) => unknown = () => true) {
  const asked: string[] = []
  let now = 0
  let most = 0
  const consent: ConsentHandler = async ({ callId }, { signal }) => {
    asked.push(callId)
    most = Math.max(most, ++now)
    try {
      await turn()
      return (await answer(callId, signal)) as boolean
    } finally {
      now--
    }
  }
  return { asked, consent, most: () => most }
}

const run = (at: StepCalls, call: { id: string; tool: string; input: unknown }, signal?: AbortSignal) =>
  at.call(call, () => 'ran', { signal, fork: () => Promise.resolve('Done.') })

describe('the questions of a session', () => {
  it('[ASK-8] come one at a time, in the order of the calls, however long each takes to prepare', async () => {
    const call = oneof(
      constantFrom(...NAMES).map((name) => ({ name })),
      integer({ min: 0, max: 9 }).map((n) => ({ path: `p${n}` })),
    )
    await assertProperty(
      asyncProperty(
        array(call, { minLength: 2, maxLength: 6 }),
        record({ one: nat(4), two: nat(4), three: nat(4) }),
        async (calls, turns) => {
          const { asked, consent, most } = watching()
          const { step } = await open({ consent }, [slow(turns)])
          const made = calls.map((each, at) => ('name' in each ? activation(each.name, `${at}`) : deletion(`${at}`)))
          await Promise.all(made.map((each) => run(step, each)))
          const seen = new Set<string>()
          const expected = calls.flatMap((each, at) => {
            if (!('name' in each)) return [`${at}`]
            if (seen.has(each.name)) return []
            seen.add(each.name)
            return [`${at}`]
          })
          expect(asked).toEqual(expected)
          expect(most()).toBe(1)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('[ASK-8, ABUSE-123] take one line of a shared input each', async () => {
    let waiting: ((line: string) => void)[] = []
    const lines = ['y']
    const consent: ConsentHandler = async () => {
      const line = new Promise<string>((resolve) => waiting.push(resolve))
      for (let n = 0; n < 20; n++) await turn()
      const [next, answers] = [lines.shift() ?? 'n', waiting]
      waiting = []
      for (const answer of answers) answer(next)
      return (await line) === 'y'
    }
    const { session } = await open({ consent })
    const outcomes = await Promise.all(['a', 'b', 'c'].map((id) => run(session, deletion(id))))
    expect(outcomes.map(code)).toEqual(['ok', 'CALL_DENIED', 'CALL_DENIED'])
  })

  it('[ASK-8] come one at a time over all sessions of one id, as frameworks open one for each call', async () => {
    const { asked, consent, most } = watching()
    const { repertoire, session } = await open({ consent })
    const saved = session.save()
    const calls = ['a', 'b', 'c'].map((id) =>
      run(openAdapterSession(repertoire, { saved, hostTools: HOST, policy, consent }), deletion(id)),
    )
    await Promise.all(calls)
    expect([asked, most()]).toEqual([['a', 'b', 'c'], 1])
  })

  it('[ASK-8, ACT-10] come one at a time from forks that run side by side', async () => {
    const { asked, consent, most } = watching()
    const { session } = await open({ consent })
    const both = Promise.withResolvers<void>()
    let started = 0
    const calls = ['f1', 'f2'].map((id) =>
      session.call(activation('forked', id), () => 'ran', {
        async fork({ session: child }) {
          if (++started === 2) both.resolve()
          await both.promise
          await adapterSession(child).step({ tools: HOST })
          await run(adapterSession(child), deletion(`${id}-inner`))
          return 'Done.'
        },
      }),
    )
    await Promise.all([...calls, run(session, deletion('beside'))])
    expect(asked.slice(0, 2)).toEqual(['f1', 'beside'])
    expect(asked.slice(2).toSorted()).toEqual(['f1-inner', 'f2-inner'])
    expect(most()).toBe(1)
  })

  it('[ASK-8] of two tasks with one handler do not wait for each other', async () => {
    const both = Promise.withResolvers<void>()
    let now = 0
    const consent: ConsentHandler = async () => {
      if (++now === 2) both.resolve()
      await both.promise
      return true
    }
    const { repertoire, session } = await open({ consent })
    const other = openAdapterSession(repertoire, { id: 'other', hostTools: HOST, policy, consent })
    const outcomes = await Promise.all([run(session, deletion('a')), run(other, deletion('b'))])
    expect(outcomes.map(code)).toEqual(['ok', 'ok'])
  })

  it('[ASK-8] have a time limit that starts when each is asked', async () => {
    const asked: string[] = []
    const consent: ConsentHandler = ({ callId }) => {
      asked.push(callId)
      return callId === 'c' ? true : new Promise(() => undefined)
    }
    const { session } = await open({ consent: { ask: consent, timeout: 30 } })
    const outcomes = await Promise.all(['a', 'b', 'c'].map((id) => run(session, deletion(id))))
    expect(asked).toEqual(['a', 'b', 'c'])
    expect(outcomes.map(code)).toEqual(['CALL_DENIED', 'CALL_DENIED', 'ok'])
  })

  it('[ASK-8] leave the queue when their run is aborted, asked or not, and the next one is asked', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const { asked, consent } = watching((what) => {
      if (what !== 'a') return true
      second.abort(new Error('second'))
      first.abort(new Error('first'))
      return new Promise(() => undefined)
    })
    const { session } = await open({ consent: { ask: consent, timeout: Infinity } })
    const outcomes = await Promise.allSettled([
      run(session, deletion('a'), first.signal),
      run(session, deletion('b'), second.signal),
      run(session, deletion('c')),
    ])
    expect(asked).toEqual(['a', 'c'])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  })

  it('[ASK-8, ACT-7] are not asked any more once the session ends', async () => {
    const { asked, consent } = watching(async () => {
      void session.end()
      return new Promise(() => undefined)
    })
    const { session } = await open({ consent: { ask: consent, timeout: Infinity } })
    const outcomes = await Promise.all([
      ...['a', 'b'].map((id) => run(session, deletion(id))),
      run(session, activation('one')),
    ])
    expect(asked).toEqual(['a'])
    expect(outcomes.map(code)).toEqual(['SESSION_ENDED', 'SESSION_ENDED', 'SESSION_ENDED'])
  })

  it('[ASK-8] do not wait for a call that has been permitted and runs', async () => {
    const { session } = await open({ consent: () => true })
    const inner = Promise.withResolvers<void>()
    const long = session.call(deletion('long'), async () => {
      await run(session, deletion('inner'))
      inner.resolve()
      return 'ran'
    })
    await inner.promise
    expect(code(await long)).toBe('ok')
  })

  it('[ASK-8] of `session.ask` and `session.question` wait for each other, and stay open where their run is aborted', async () => {
    const { session } = await open({})
    const { asked, consent, most } = watching()
    const approve = () => consent({ callId: 'approval' } as never, { signal: new AbortController().signal })
    await Promise.all([
      ...['a', 'b'].map((id) => session.ask(() => session.preview(deletion(id)), consent)),
      session.question(approve),
    ])
    expect([asked, most()]).toEqual([['a', 'b', 'approval'], 1])
    await session.end()
    await expect(session.question(() => true)).rejects.toMatchObject({ code: 'SESSION_ENDED' })
  })
})

describe('a skill that one message names several times', () => {
  const both = async (
    calls: readonly { id: string; tool: string; input: unknown }[],
    options: AdapterSessionOptions,
  ) => {
    const opened = await open(options)
    const alone = await open(options)
    const saved = alone.session.save()
    const inOne = await Promise.all(calls.map((call) => run(opened.step, call)))
    const inEach = await Promise.all(
      calls.map((call) =>
        openAdapterSession(alone.repertoire, { ...options, saved, hostTools: HOST, policy }).call(call, () => 'ran', {
          message: 'm',
          fork: () => Promise.resolve('Done.'),
        }),
      ),
    )
    return [inOne, inEach]
  }

  it('[ASK-8, ABUSE-123] is asked about once, after a yes and after a no, in one session and in one for each call', async () => {
    for (const approved of [true, false]) {
      const { asked, consent } = watching(() => approved)
      const calls = ['a', 'b', 'c'].map((id) => activation('one', id))
      for (const outcomes of await both(calls, { consent })) {
        expect(outcomes.map(code)).toEqual(Array(3).fill(approved ? 'ok' : 'CONSENT_DENIED'))
      }
      expect(asked).toEqual(['a', 'a'])
    }
  })

  it('[ASK-8] is asked about again by the next message', async () => {
    const { asked, consent } = watching(() => false)
    const { session, step } = await open({ consent })
    await Promise.all(['a', 'b'].map((id) => run(step, activation('one', id))))
    await run(await session.step({ tools: HOST }), activation('one', 'c'))
    expect(asked).toEqual(['a', 'c'])
  })

  it('[ASK-8, ACT-10] is asked about once where each call runs a sub-agent', async () => {
    const { asked, consent } = watching()
    const calls = ['a', 'b'].map((id) => activation('forked', id))
    for (const outcomes of await both(calls, { consent })) expect(outcomes.map(code)).toEqual(['ok', 'ok'])
    expect(asked).toEqual(['a', 'a'])
  })

  it('[ASK-8, ASK-5] has one open request, and the other calls are told where its result is', async () => {
    const { session, step } = await open({})
    const requests = await Promise.all(
      ['a', 'b'].map((id) => step.preview(activation('one', id), { asks: true }).then(({ waits }) => waits)),
    )
    expect(requests.map((request) => request?.callId)).toEqual(['a', undefined])
    const early = await run(step, activation('one', 'b'))
    expect(early).toMatchObject({ ok: true, text: expect.stringContaining('The result of that call says whether') })
    expect(session.state.active).toEqual([])
    session.answer({ requestId: requests[0]!.id, approved: true })
    expect((await run(step, activation('one', 'a'))).text).toContain('Body.')
  })

  it('[ASK-8] is tried by the next call where the first one is aborted', async () => {
    const stop = new AbortController()
    const { asked, consent } = watching((what) => {
      if (what === 'b') return true
      stop.abort(new Error('stopped'))
      return new Promise(() => undefined)
    })
    const { session, step } = await open({ consent })
    const outcomes = await Promise.allSettled([
      run(step, activation('one', 'a'), stop.signal),
      run(step, activation('one', 'b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(asked).toEqual(['a', 'b'])
    expect(session.activeSkills).toEqual(['one'])
  })
})
