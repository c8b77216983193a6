import type { ForkRunner, Outcome, ToolCall } from '@repertoire/core'
import { resultText, type Step } from '@repertoire/core/adapter'

/** What the model is shown of a call. */
export interface ShownResult {
  readonly ok: boolean
  readonly text: string
}

/** The calls of a query. A call of the session's begins before Claude Code runs it, and ends when it has run. */
export interface Calls {
  /** Judges a call, and carries a skill tool's out. Returns what it ended with; undefined: Claude Code may run it. */
  readonly begin: (call: ToolCall) => Promise<ShownResult | undefined>
  /** Ends a call with what Claude Code reports. Does nothing for one that is not running. */
  readonly end: (id: string, result: { readonly value: unknown } | { readonly error: unknown }) => void
  /** Carries out a call of this process's tools, and returns its result. */
  readonly run: (call: ToolCall, execute: (judged: ToolCall) => unknown) => Promise<ShownResult>
}

/** A call that has begun. */
interface BegunCall {
  readonly outcome: Promise<Outcome>
  /** What may run: the copy that was judged. */
  judged?: ToolCall
  readonly ended: PromiseWithResolvers<unknown>
}

/** Creates the calls of a query. */
export function createCalls(step: () => Promise<Step>, signal: AbortSignal, fork: ForkRunner): Calls {
  const begun = new Map<string, BegunCall>()

  async function begin(call: ToolCall): Promise<ShownResult | undefined> {
    const permitted = Promise.withResolvers<undefined>()
    const ended = Promise.withResolvers<unknown>()
    const execute = (judged: ToolCall): Promise<unknown> => {
      own.judged = judged
      permitted.resolve(undefined)
      return ended.promise
    }
    const own: BegunCall = { outcome: step().then((of) => of.call(call, execute, { signal, fork })), ended }
    begun.set(call.id, own)
    // Who waits for them sees these errors.
    own.outcome.catch(() => {})
    ended.promise.catch(() => {})
    return Promise.race([permitted.promise, own.outcome.then(shownResult)])
  }

  return {
    begin,
    end(id, result) {
      const call = begun.get(id)
      begun.delete(id)
      if ('error' in result) call?.ended.reject(result.error)
      else call?.ended.resolve(result.value)
    },
    async run(call, execute) {
      // Without hooks, which somebody may have switched off, nothing has judged it.
      if (!begun.has(call.id)) await begin(call)
      const { judged, ended, outcome } = begun.get(call.id)!
      begun.delete(call.id)
      if (judged !== undefined) {
        await (async () => execute(judged))().then(ended.resolve, ended.reject)
      }
      return shownResult(await outcome)
    },
  }
}

function shownResult(outcome: Outcome): ShownResult {
  return { ok: outcome.ok, text: outcome.text ?? resultText(outcome.ok ? outcome.value : undefined) }
}
