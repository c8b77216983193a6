import type { ConsentDecision, ConsentHandler, ConsentRequest } from '../../ports/consent.ts'
import { isThenable, TIMED_OUT, waitFor } from '../../time-limit.ts'
import { readConsentAnswer } from './answer.ts'

/** How often somebody is asked about one call, if the folder changes while the answer is waited for. */
export const MAX_QUESTIONS = 3

/**
 * Asks a handler. Only `true`, or `approved: true` for exactly this request, approves. A throw, anything else, and
 * silence for longer than `timeoutMs` deny. The decision is a promise only where the handler returns one.
 * @param signal aborts the run that asks: the request is then abandoned, which decides nothing
 * @throws the signal's reason
 */
export function ask(
  handler: ConsentHandler,
  request: ConsentRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): ConsentDecision | Promise<ConsentDecision> {
  signal?.throwIfAborted()
  const handling = createHandling()
  let isPromised = false
  try {
    const answer = handler(request, handling.options)
    if (isThenable(answer)) {
      isPromised = true
      return decideLater(answer, request, timeoutMs, handling, signal)
    }
    signal?.throwIfAborted()
    return decide(answer, request)
  } catch {
    signal?.throwIfAborted()
    return FAILED
  } finally {
    if (!isPromised) handling.end()
  }
}

async function decideLater(
  promised: PromiseLike<unknown>,
  request: ConsentRequest,
  timeoutMs: number,
  handling: Handling,
  signal: AbortSignal | undefined,
): Promise<ConsentDecision> {
  try {
    const answer = await waitFor(promised, timeoutMs, signal)
    signal?.throwIfAborted()
    return decide(answer, request)
  } catch {
    signal?.throwIfAborted()
    return FAILED
  } finally {
    handling.end()
  }
}

const FAILED: ConsentDecision = { approved: false, reason: 'consent could not be requested' }

function decide(answer: unknown, request: ConsentRequest): ConsentDecision {
  if (answer === true) return { approved: true }
  if (answer === TIMED_OUT) return { approved: false, reason: 'nobody answered in time' }
  return readConsentAnswer(answer, request.id)
}

/** One call of a handler. */
interface Handling {
  readonly options: { readonly signal: AbortSignal }
  /** Aborts the handler's signal: nobody waits for it any more. */
  readonly end: () => void
}

/** One reason for all requests: to make one takes longer than most of an activation. */
let ended: DOMException | undefined

/** The signal is made when the handler looks at it, which few do. */
function createHandling(): Handling {
  let controller: AbortController | undefined
  let hasEnded = false
  const abort = (): void =>
    controller?.abort((ended ??= new DOMException('The consent request is settled.', 'AbortError')))
  return {
    options: {
      get signal() {
        controller ??= new AbortController()
        if (hasEnded) abort()
        return controller.signal
      },
    },
    end() {
      hasEnded = true
      abort()
    },
  }
}
