import type { Outcome, Refusal } from '@repertoire/core'
import { failureText } from '@repertoire/core/adapter'

const brand = Symbol.for('@repertoire/ai-sdk/RefusedCallError')

/** Thrown for a call that core has refused, so that AI SDK reports it as a tool error. Nothing ran. */
export class RefusedCallError extends Error {
  override readonly name = 'RefusedCallError'
  readonly refusal: Refusal

  constructor({ text, refusal }: Extract<Outcome, { ok: false }>) {
    super(text)
    this.refusal = refusal
    Object.defineProperty(this, brand, { value: true })
  }

  // AI SDK shows this to the model, and core's text must have no class name before it.
  override toString(): string {
    return this.message
  }
}

/** Whether the `error` of a tool error is a refusal, of this copy of the package or of another. */
export function isRefusedCallError(value: unknown): value is RefusedCallError {
  return typeof value === 'object' && value !== null && brand in value
}

/**
 * Wraps what a host's tool threw, so that AI SDK shows the model the text from core: AI SDK uses `toString()`, which
 * puts the class name before the message. The result is still an instance of the error's class, and the thrown value
 * itself is not changed.
 */
export function withPlainMessage(thrown: unknown): unknown {
  const text = failureText(thrown)
  if (!(thrown instanceof Error)) return text
  if (isRefusedCallError(thrown)) return thrown
  const { name, stack } = thrown
  return Object.create(thrown, {
    // Copied, since getters of built-in errors cannot be read through another object.
    name: { value: name },
    message: { value: text },
    stack: { value: stack },
    toString: { value: () => text },
  })
}
