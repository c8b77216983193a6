import { describe, expect, it } from 'vitest'
import type { ConsentHandler } from '../../../src/index.ts'
import { initialState, readConsentAnswer } from '../../../src/adapter.ts'
import { ask } from '../../../src/session/consent/ask.ts'
import { createQuestions } from '../../../src/session/consent/questions.ts'
import { createStateHolder } from '../../../src/session/state/holder.ts'
import { foreign } from '../../foreign.ts'

const request = foreign({ id: 'q', skill: 'a', text: 'Activate?' })

const session = { context: {}, state: createStateHolder({ state: initialState('task'), changes: [] }) }

/** Asks a handler of any kind, as JavaScript may give one. */
const asked = async (handler: unknown, timeoutMs = 60_000, signal?: AbortSignal) =>
  ask(createQuestions().placeFor(session), handler as ConsentHandler, request, { timeoutMs, signal })

describe('a consent request', () => {
  it('[ASK-3] is settled only when a promised answer is there', async () => {
    const answer = Promise.withResolvers<boolean>()
    const called = Promise.withResolvers<AbortSignal>()
    const asking = asked((_request: unknown, { signal }: { readonly signal: AbortSignal }) => {
      called.resolve(signal)
      return answer.promise
    })
    const signal = await called.promise
    expect(signal.aborted).toBe(false)
    answer.resolve(true)
    expect(await asking).toEqual({ approved: true })
    expect(signal.aborted).toBe(true)
  })
})

describe('an answer', () => {
  it.each([
    [{ requestId: 'q', approved: true }, true],
    [{ requestId: 'other', approved: true }, false],
    [{ approved: true }, false],
    [{ requestId: 'q' }, false],
    [{ requestId: 'q', approved: 'true' }, false],
    [{ requestId: 'q', approved: 1 }, false],
    [{ requestId: 'q', approved: false }, false],
    [true, false],
    ['yes', false],
    [null, false],
    [undefined, false],
    [() => true, false],
  ])('[ASK-3, ABUSE-95] %j to the request "q" is a yes: %s', (value, approved) => {
    expect(readConsentAnswer(value, 'q')).toEqual({ approved })
  })

  it.each([
    ['because', { reason: 'because' }],
    ['', {}],
    ['  ', {}],
    [7, {}],
    [null, {}],
  ])('[ASK-3] with the reason %j gives %j', (reason, kept) => {
    expect(readConsentAnswer({ requestId: 'q', approved: false, reason }, 'q')).toEqual({ approved: false, ...kept })
  })
})

describe('asking', () => {
  it('[ASK-3] takes true, at once or later, for a yes, and an answer to this request', async () => {
    expect(await asked(() => true)).toEqual({ approved: true })
    expect(await asked(async () => true)).toEqual({ approved: true })
    expect(await asked(() => ({ requestId: 'q', approved: true }))).toEqual({ approved: true })
    expect(await asked(async () => ({ requestId: 'q', approved: false, reason: 'no' }))).toEqual({
      approved: false,
      reason: 'no',
    })
  })

  it.each([[undefined], [null], ['true'], [1], [{}], [[]], [{ requestId: 'other', approved: true }]])(
    '[ASK-3, ABUSE-95] takes %j for a no',
    async (answer) => {
      expect(await asked(() => answer)).toEqual({ approved: false })
      expect(await asked(() => Promise.resolve(answer))).toEqual({ approved: false })
    },
  )

  it('[ASK-3, ABUSE-95] takes a handler that throws or rejects for a no, and says so', async () => {
    const failing = { approved: false, reason: 'consent could not be requested' }
    expect(
      await asked(() => {
        throw new Error('broken')
      }),
    ).toEqual(failing)
    expect(await asked(() => Promise.reject(new Error('broken')))).toEqual(failing)
  })

  it('[ASK-3] takes silence for a no, and tells the handler that nobody waits any more', async () => {
    let given: AbortSignal | undefined
    const silent: ConsentHandler = (_, { signal }) => {
      given = signal
      return new Promise(() => {})
    }
    expect(await asked(silent, 1)).toEqual({ approved: false, reason: 'nobody answered in time' })
    expect(given?.aborted).toBe(true)
    expect(given?.reason).toMatchObject({ name: 'AbortError' })
  })

  it('[ASK-3] tells a handler that looks for its signal only afterwards, too', async () => {
    let options: { readonly signal: AbortSignal } | undefined
    const late: ConsentHandler = (_, given) => {
      options = given
      return true
    }
    expect(await asked(late)).toEqual({ approved: true })
    expect(options!.signal.aborted).toBe(true)
    expect(options!.signal).toBe(options!.signal)
  })

  it('[ASK-3] waits as long as it takes where the time is longer than a timer can count', async () => {
    let answer: (value: boolean) => void = () => {}
    const asking = asked(() => new Promise((resolve) => (answer = resolve)), Number.MAX_SAFE_INTEGER)
    await new Promise((resolve) => setImmediate(resolve))
    answer(true)
    expect(await asking).toEqual({ approved: true })
  })

  it('[ASK-3] gives the consent request up where the run is aborted: before it, while it waits, and by the handler', async () => {
    const reason = new Error('stopped')
    let wasAsked = false
    const before = asked(
      () => {
        wasAsked = true
        return true
      },
      60_000,
      AbortSignal.abort(reason),
    )
    await expect(before).rejects.toBe(reason)
    expect(wasAsked).toBe(false)

    const waiting = new AbortController()
    const asking = asked(() => new Promise(() => {}), 60_000, waiting.signal)
    waiting.abort(reason)
    await expect(asking).rejects.toBe(reason)

    for (const answer of [true, new Promise(() => {}), Promise.reject(new Error('broken'))]) {
      const own = new AbortController()
      const given = asked(
        () => {
          own.abort(reason)
          return answer
        },
        60_000,
        own.signal,
      )
      await expect(given).rejects.toBe(reason)
    }
  })
})
