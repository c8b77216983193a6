/** Hex digits at the beginning of a request's id that do not depend on the folder's digest. */
export const CALL_DIGITS = 16

/** Whether two requests are for the same call with the same input, so that only the folder's content differs. */
export function isSameCall(id: string, other: string): boolean {
  return id.slice(0, CALL_DIGITS) === other.slice(0, CALL_DIGITS)
}
