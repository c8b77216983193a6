import { isDeepStrictEqual } from 'node:util'
import type { ForkRunner, Outcome, ToolCall } from '@repertoire/core'
import { resultText, type Step } from '@repertoire/core/adapter'

/** What the model is shown of a call. */
export interface ShownResult {
  readonly ok: boolean
  readonly text: string
}

/** The calls of a query. A call of the session's begins before Claude Code runs it, and ends when it has run. */
export type Calls = ReturnType<typeof createCalls>

/** A call that has begun. */
interface BegunCall {
  readonly outcome: Promise<Outcome>
  /** What it has ended with; undefined: it may run. */
  readonly result: Promise<ShownResult | undefined>
  /** What may run: the copy that was judged. */
  judged?: ToolCall
  readonly ended: PromiseWithResolvers<unknown>
}

/** Creates the calls of a query. @param step returns the step of a call, and what identifies the message it is in */
export function createCalls(
  step: () => Promise<{ readonly step: Step; readonly message: string }>,
  signal: AbortSignal,
  fork: ForkRunner,
) {
  const begun = new Map<string, BegunCall>()

  /**
   * Judges a call, and carries a skill tool's out. Returns what it ended with; undefined: Claude Code may run it. A
   * call that runs already is judged once more if its input has been edited.
   */
  function begin(call: ToolCall): Promise<ShownResult | undefined> {
    const earlier = begun.get(call.id)?.judged
    if (earlier !== undefined && isDeepStrictEqual(earlier.input, call.input)) return Promise.resolve(undefined)
    end(call.id, { error: new Error('The input was edited, and the call is judged once more.') })
    const permitted = Promise.withResolvers<undefined>()
    const ended = Promise.withResolvers<unknown>()
    const execute = (judged: ToolCall): Promise<unknown> => {
      own.judged = judged
      permitted.resolve(undefined)
      return ended.promise
    }
    const outcome = step().then((of) => of.step.call(call, execute, { signal, fork, message: of.message }))
    const own: BegunCall = { outcome, ended, result: Promise.race([permitted.promise, outcome.then(shownResult)]) }
    begun.set(call.id, own)
    // Who waits for them sees these errors.
    for (const each of [own.outcome, own.result, ended.promise]) each.catch(() => {})
    return own.result
  }

  /** Ends a call with what Claude Code reports. Does nothing for one that is not running. */
  function end(id: string, result: { readonly value: unknown } | { readonly error: unknown }): void {
    const call = begun.get(id)
    begun.delete(id)
    if ('error' in result) call?.ended.reject(result.error)
    else call?.ended.resolve(result.value)
  }

  return {
    begin,
    /** Whether Claude Code may run a call, or it has ended before. Undefined: it was not judged. */
    async mayRun(id: string): Promise<boolean | undefined> {
      const call = begun.get(id)
      return call && (await call.result) === undefined
    },
    end,
    /** Carries out a call of this process's tools, and returns its result. */
    async run(call: ToolCall, execute: (judged: ToolCall) => unknown): Promise<ShownResult> {
      // Without hooks, which can be switched off, nothing has judged it, and others may have edited it.
      if ((await begun.get(call.id)?.result) === undefined) await begin(call)
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
