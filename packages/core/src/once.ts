/** Returns a function that makes a value with its first call, and returns the same one with every other. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}
