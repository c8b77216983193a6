const PREFIX = 'thought: '

/**
 * Returns a vendor's signature of a thought. It is opaque to clients, and the vendor reads the thought from it: so what
 * is sent back is known even where the words themselves need not be.
 */
export function seal(thought: string): string {
  return Buffer.from(PREFIX + thought).toString('base64')
}

/** Returns the thought that a signature holds; undefined if `seal` has not made it. */
export function unseal(signature: string): string | undefined {
  const text = Buffer.from(signature, 'base64').toString()
  return text.startsWith(PREFIX) && seal(text.slice(PREFIX.length)) === signature
    ? text.slice(PREFIX.length)
    : undefined
}
