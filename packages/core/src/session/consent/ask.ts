import type { ConsentHandler, ConsentRequest } from '../../ports/consent.ts'
import { type Answer, readConsentAnswer } from './answer.ts'
import { MAX_TIMER_MS } from '../../ports/limits.ts'

/** What a handler's signal is aborted with. One for all questions: to make one takes longer than most of an activation. */
let settled: DOMException | undefined

/**
 * Asks a handler. Only `true`, or `approved: true` for exactly this request, is a yes. A throw, anything else, and
 * silence beyond `timeout` milliseconds are a no. A handler that answers at once is answered for at once.
 * @param signal aborts the run that asks: the question is then given up, which is no answer at all
 * @throws the signal's reason
 */
export function ask(
  handler: ConsentHandler,
  request: ConsentRequest,
  timeout: number,
  signal?: AbortSignal,
): Answer | Promise<Answer> {
  signal?.throwIfAborted()
  const settling = createSettling()
  let isPromised = false
  try {
    const given = handler(request, settling.options)
    if (isThenable(given)) {
      isPromised = true
      return askedLater(given, request, timeout, settling, signal)
    }
    signal?.throwIfAborted()
    return answerOf(given, request)
  } catch {
    signal?.throwIfAborted()
    return UNASKED
  } finally {
    if (!isPromised) settling.settle()
  }
}

async function askedLater(
  given: PromiseLike<unknown>,
  request: ConsentRequest,
  timeout: number,
  settling: Settling,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  try {
    const answer = await answerInTime(given, timeout, signal)
    signal?.throwIfAborted()
    return answerOf(answer, request)
  } catch {
    signal?.throwIfAborted()
    return UNASKED
  } finally {
    settling.settle()
  }
}

const UNASKED: Answer = { approved: false, reason: 'the question could not be asked' }

function answerOf(given: unknown, request: ConsentRequest): Answer {
  if (given === true) return { approved: true }
  if (given === 'late') return { approved: false, reason: 'nobody answered in time' }
  return readConsentAnswer(given, request.id)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return ((typeof value === 'object' && value !== null) || typeof value === 'function') && 'then' in value
}

/** The answer that a handler promised, or why nobody waits for it any more. */
async function answerInTime(given: PromiseLike<unknown>, timeout: number, signal?: AbortSignal): Promise<unknown> {
  const over = Promise.withResolvers<'late' | 'aborted'>()
  const timer = setTimeout(() => over.resolve('late'), Math.min(timeout, MAX_TIMER_MS))
  const stop = (): void => over.resolve('aborted')
  signal?.addEventListener('abort', stop, { once: true })
  // A handler may have aborted the run that asks.
  if (signal?.aborted === true) stop()
  try {
    return await Promise.race([given, over.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

interface Settling {
  readonly options: { readonly signal: AbortSignal }
  readonly settle: () => void
}

/** What a handler is given: a signal that is made when somebody looks at it, which few do, and is aborted in the end. */
function createSettling(): Settling {
  let giveUp: AbortController | undefined
  let isSettled = false
  const abort = (): void => giveUp?.abort((settled ??= new DOMException('The question is settled.', 'AbortError')))
  return {
    options: {
      get signal() {
        giveUp ??= new AbortController()
        if (isSettled) abort()
        return giveUp.signal
      },
    },
    settle() {
      isSettled = true
      abort()
    },
  }
}
