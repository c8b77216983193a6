import type { Fields } from '../fields.ts'

/** The kinds of items that a model writes. */
function isModels({ type, role }: Fields): boolean {
  return type === 'function_call' || type === 'reasoning' || (type === 'message' && role === 'assistant')
}

/**
 * Checks that every call has its one result behind it, that no item is there twice, and that reasoning and the item that
 * it led to are sent back together. OpenAI API, errors "No tool call found for function call output", "No tool output
 * found for function call", "Duplicate item found with id", "was provided without its required following item", "was
 * provided without its required 'reasoning' item".
 *
 * @throws {TypeError} naming the item
 */
export function checkOrder(items: readonly Fields[]): void {
  const open = new Set<string>()
  const seen = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const { id, type } = item
    const callId = String(item.call_id)
    if (typeof id === 'string') {
      if (seen.has(id)) {
        throw new TypeError(`Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`)
      }
      seen.add(id)
    }
    if (type === 'function_call') {
      if (open.has(callId))
        throw new TypeError(`Two calls have the call_id '${callId}', and no result is between them.`)
      open.add(callId)
    }
    if (type === 'function_call_output' && !open.delete(callId)) {
      throw new TypeError(`No tool call found for function call output with call_id ${callId}.`)
    }
    const next = items[index + 1]
    if (type === 'reasoning' && typeof id === 'string' && (next === undefined || !isModels(next))) {
      throw new TypeError(`Item '${id}' of type 'reasoning' was provided without its required following item.`)
    }
  }
  const [waiting] = open
  if (waiting !== undefined) throw new TypeError(`No tool output found for function call ${waiting}.`)
}

/**
 * Checks that an item which the vendor has stored comes with the reasoning that led to it.
 * @param needed the id of the reasoning item, by the id of each stored item that needs one
 */
export function checkReasoning(items: readonly Fields[], needed: (id: string) => string | undefined): void {
  const ids = new Set(items.map(({ id }) => id))
  for (const { id, type } of items) {
    const reasoning = typeof id === 'string' ? needed(id) : undefined
    if (reasoning === undefined || ids.has(reasoning)) continue
    throw new TypeError(
      `Item '${String(id)}' of type '${String(type)}' was provided without its required 'reasoning' item: '${reasoning}'.`,
    )
  }
}
