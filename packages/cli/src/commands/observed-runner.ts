import type { ScriptOutput, ScriptResult, ScriptRunner } from '@repertoire/core'

/** A runner whose results are kept as the bytes that they are. */
export interface ObservedRunner {
  readonly runner: ScriptRunner
  /** The bytes of what core gives as text. Undefined: it is not of this runner. */
  resultOf(output: ScriptOutput): ScriptResult | undefined
}

/** Passes jobs on to a runner, as the session makes them, and keeps what they came to. */
export function observeRunner(inner: ScriptRunner): ObservedRunner {
  const results: ScriptResult[] = []
  return {
    runner: {
      name: inner.name,
      isolation: inner.isolation,
      supports: (...asked) => inner.supports(...asked),
      async run(job) {
        const result = await inner.run(job)
        results.push(result)
        return result
      },
      close: async () => inner.close?.(),
    },
    // Hooks are run by it too: the last result that reads the same is the one.
    resultOf: ({ stdout, stderr, durationMs }) =>
      results.findLast(
        (result) => result.durationMs === durationMs && begins(result.stdout, stdout) && begins(result.stderr, stderr),
      ),
  }
}

/** Whether a text was decoded from these bytes: at a cut, a part of a character is left out of it. */
function begins(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder().decode(bytes).startsWith(text)
}
