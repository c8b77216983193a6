import type { Outcome, ToolCall } from '../types.ts'
import { refused } from './refusal.ts'

/** Levels of objects and lists in an input. Far beyond any tool's, and far below what would exhaust a stack. */
const DEEPEST = 256

/**
 * A call with a copy of its input, so that what is judged is what runs, whatever the caller does with its own
 * meanwhile. Plain objects and lists are copied. What else a framework made of a value in the model's JSON (a date, a
 * URL) stays the same object: rules speak of texts alone, and a copy of it would be none.
 * @returns a refusal where the input is nested too deep, refers to itself, or throws while it is read
 */
export function judgedCall(call: ToolCall): { readonly judged: ToolCall } | Extract<Outcome, { ok: false }> {
  try {
    const { input } = call
    // Rules speak of the properties of an input: whatever it was made an instance of, they are there to be judged.
    const isInstance = typeof input === 'object' && input !== null && !Array.isArray(input) && !isPlain(input)
    return { judged: { ...call, input: copyOf(isInstance ? { ...input } : input, []) } }
  } catch (error) {
    const why = error instanceof RangeError ? error.message : 'it cannot be read'
    return refused({
      code: 'INPUT_INVALID',
      reason: `The input of ${JSON.stringify(call.tool.slice(0, 80))} is not taken: ${why}. Give plain JSON.`,
    })
  }
}

/** @throws {RangeError} what is wrong with the nesting */
function copyOf(value: unknown, above: readonly object[]): unknown {
  if (typeof value !== 'object' || value === null || !(Array.isArray(value) || isPlain(value))) return value
  if (above.includes(value)) throw new RangeError('it refers to itself')
  if (above.length >= DEEPEST) throw new RangeError(`it is nested deeper than ${DEEPEST} levels`)
  const path = [...above, value]
  if (Array.isArray(value)) return Array.from<unknown, unknown>(value, (item) => copyOf(item, path))
  // Not by assignment: "__proto__" is a name like any other in JSON.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(item, path)]))
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // Another realm's Object.prototype is a plain object's prototype too: it has none itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
