import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type ConsentHandler, type ConsentRequest, openRepertoire, memorySource } from '../../../src/index.ts'
import { readConsentAnswer } from '../../../src/adapter.ts'
import { skillText } from '../session-world.ts'

const skills = { pdf: { 'SKILL.md': skillText('pdf') } }
const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })

type Options = Parameters<ConsentHandler>[1]

/** Activates a skill with a handler of any kind, as JavaScript may give one: `yes`, or why it is not active. */
async function asked(
  handler: (request: ConsentRequest, options: Options) => unknown,
  consentTimeout = 60_000,
  signal?: AbortSignal,
): Promise<string> {
  const session = repertoire.openSession({ consent: { ask: foreign(handler), timeout: consentTimeout } })
  const call = { id: 'c', tool: 'activate_skill', input: { name: 'pdf' } }
  const outcome = await session.call(call, () => '', { signal })
  if (outcome.ok) return 'yes'
  expect(outcome.refusal.code).toBe('CONSENT_DENIED')
  return /not activated: (.*)\. Go on without it\.$/.exec(outcome.refusal.reason)![1]!
}
const NO = 'consent was not given'
const UNREADABLE = 'the answer could not be read'

describe('an answer', () => {
  it.each([
    [{ requestId: 'q', approved: true }, true],
    [{ requestId: 'other', approved: true }, false],
    [{ requestId: 'q', approved: false }, false],
    [false, false],
    [null, false],
    [undefined, false],
  ])('[ASK-3, ABUSE-95] %j to the request "q" is a yes: %s', (value, approved) => {
    expect(readConsentAnswer(value, 'q')).toEqual({ approved })
  })

  it.each([
    [{ approved: true }],
    [{ requestId: 'q' }],
    [{ requestId: 'q', approved: 'true' }],
    [{ requestId: 'q', approved: 1 }],
    [{ decisions: [{ type: 'approve' }] }],
    [true],
    ['yes'],
    [() => true],
  ])('[ASK-3, ABUSE-95] %j is a no, with a reason', (value) => {
    expect(readConsentAnswer(value, 'q')).toEqual({ approved: false, reason: UNREADABLE })
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

describe('a handler of consent requests', () => {
  it('[ASK-3] is waited for until its promised answer is there', async () => {
    const answer = Promise.withResolvers<boolean>()
    const called = Promise.withResolvers<AbortSignal>()
    const asking = asked((_, { signal }) => {
      called.resolve(signal)
      return answer.promise
    })
    const signal = await called.promise
    expect(signal.aborted).toBe(false)
    answer.resolve(true)
    expect(await asking).toBe('yes')
    expect(signal.aborted).toBe(true)
  })

  it('[ASK-3] says yes with true or with an answer to this request, at once or later', async () => {
    expect(await asked(() => true)).toBe('yes')
    expect(await asked(async () => true)).toBe('yes')
    expect(await asked(({ id }) => ({ requestId: id, approved: true }))).toBe('yes')
    expect(await asked(async ({ id }) => ({ requestId: id, approved: false, reason: 'too early' }))).toBe('too early')
  })

  it.each([
    [undefined, UNREADABLE],
    [null, UNREADABLE],
    [false, NO],
    [{ requestId: 'other', approved: true }, NO],
    ['true', UNREADABLE],
    [1, UNREADABLE],
    [{}, UNREADABLE],
    [[], UNREADABLE],
  ])('[ASK-3, ABUSE-95] says no with %j: %s', async (answer, why) => {
    expect(await asked(() => answer)).toBe(why)
    expect(await asked(() => Promise.resolve(answer))).toBe(why)
  })

  it('[ASK-3, ABUSE-95] says no where it throws or rejects, and the model is told so', async () => {
    const broken = (): never => {
      throw new Error('broken')
    }
    expect(await asked(broken)).toBe('consent could not be requested')
    expect(await asked(() => Promise.reject(new Error('broken')))).toBe('consent could not be requested')
  })

  it('[ASK-3] says no with silence, and is told that its answer is no longer waited for', async () => {
    let given: AbortSignal | undefined
    const silent = (_: unknown, { signal }: Options) => {
      given = signal
      return new Promise(() => {})
    }
    expect(await asked(silent, 1)).toBe('nobody answered in time')
    expect(given?.aborted).toBe(true)
    expect(given?.reason).toMatchObject({ name: 'AbortError' })
  })

  it('[ASK-3] finds the same aborted signal in its options after its answer', async () => {
    let options: Options | undefined
    const late = (_: unknown, given: Options) => {
      options = given
      return true
    }
    expect(await asked(late)).toBe('yes')
    expect(options!.signal.aborted).toBe(true)
    expect(options!.signal).toBe(options!.signal)
  })

  it('[ASK-3] is waited for as long as it takes where its time is longer than a timer can count', async () => {
    const answer = Promise.withResolvers<boolean>()
    const called = Promise.withResolvers<void>()
    const asking = asked(() => {
      called.resolve()
      return answer.promise
    }, Number.MAX_SAFE_INTEGER)
    await called.promise
    await new Promise((resolve) => setImmediate(resolve))
    answer.resolve(true)
    expect(await asking).toBe('yes')
  })

  it('[ASK-3] is abandoned where the run is aborted: before it, while it waits, and by the handler', async () => {
    const reason = new Error('stopped')
    let wasAsked = false
    const note = () => (wasAsked = true)
    await expect(asked(note, 60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(wasAsked).toBe(false)

    const waiting = new AbortController()
    const called = Promise.withResolvers<void>()
    const asking = asked(
      () => {
        called.resolve()
        return new Promise(() => {})
      },
      60_000,
      waiting.signal,
    )
    await called.promise
    waiting.abort(reason)
    await expect(asking).rejects.toBe(reason)

    for (const answer of [() => true, () => new Promise(() => {}), () => Promise.reject(new Error('broken'))]) {
      const own = new AbortController()
      const handler = () => {
        own.abort(reason)
        return answer()
      }
      await expect(asked(handler, 60_000, own.signal)).rejects.toBe(reason)
    }
  })
})
