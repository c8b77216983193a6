import type { Message } from './model.ts'

/**
 * A function that returns the id of a call as an API accepts it: letters, digits, `_` and `-`. Calls of another vendor's
 * model may have other ids, and every later request with them would fail.
 * @param maxLength in characters. Default: no limit
 */
export function wireIds(messages: readonly Message[], maxLength = Infinity): (id: string) => string {
  const ids = messages
    .flatMap((message) => (message.role === 'assistant' ? (message.calls ?? []) : []))
    .map(({ id }) => id)
  const taken = new Set(ids)
  const renamed = new Map<string, string>()
  for (const id of ids) {
    if ((/^[\w-]+$/.test(id) && id.length <= maxLength) || renamed.has(id)) continue
    const name = id.replaceAll(/[^\w-]/g, '_') || '_'
    let free = name.slice(0, maxLength)
    for (let count = 2; taken.has(free); count++) free = `${name.slice(0, maxLength - 8)}_${count}`
    taken.add(free)
    renamed.set(id, free)
  }
  return (id) => renamed.get(id) ?? id
}

/** A tool name that an API accepts. Models invent names, and text protocols allow any. */
export function wireName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 128) || '_'
}
