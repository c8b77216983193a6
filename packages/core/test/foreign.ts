/** A value of any type, passed as a program without types may pass it. */
export function foreign(value: unknown): never {
  return value as never
}
