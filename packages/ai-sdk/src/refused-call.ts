import type { Outcome, Refusal } from '@repertoire/core'
import { failureText } from '@repertoire/core/adapter'

const brand = Symbol.for('@repertoire/ai-sdk/RefusedCall')

/** What a call that core refused throws, so that it is a tool error of AI SDK's own form. Nothing ran. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall'
  readonly refusal: Refusal

  constructor({ text, refusal }: Extract<Outcome, { ok: false }>) {
    super(text)
    this.refusal = refusal
    Object.defineProperty(this, brand, { value: true })
  }

  // AI SDK shows the model what this gives, and core's text is to stand there without a class name before it.
  override toString(): string {
    return this.message
  }
}

/** Whether the `error` of a tool error is a refusal, of this copy of the package or of another. */
export function isRefusedCall(value: unknown): value is RefusedCall {
  return typeof value === 'object' && value !== null && brand in value
}

/**
 * What a host's tool threw, so that AI SDK shows the model the text that core gives it: AI SDK writes `toString()`,
 * which has the name of the error's class before the message. It stays an instance of its class, and the thrown value
 * itself is not touched.
 */
export function asTold(thrown: unknown): unknown {
  const text = failureText(thrown)
  if (!(thrown instanceof Error)) return text
  if (isRefusedCall(thrown)) return thrown
  const { name, stack } = thrown
  return Object.create(thrown, {
    // Own copies, for getters of built-in errors refuse to be read through another object.
    name: { value: name },
    message: { value: text },
    stack: { value: stack },
    toString: { value: () => text },
  })
}
