/** The content of a `MemorySaver` is JSON, except for bytes, which contain JSON text. */
export function toJson(held: object): unknown {
  return JSON.parse(
    JSON.stringify(held, (_, value) =>
      value instanceof Uint8Array ? { utf8: new TextDecoder().decode(value) } : value,
    ),
  )
}

/** Reads what `toJson` has returned. */
export function fromJson(saved: unknown): object {
  return JSON.parse(JSON.stringify(saved), (_, value) =>
    typeof value?.utf8 === 'string' ? new TextEncoder().encode(value.utf8) : value,
  )
}
