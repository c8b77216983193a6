/**
 * Tells whether an adapter fails for what a check is about: an expectation of the check or of the scripted model. An error
 * from setting it up does not count, and a deadline only where the fault is to hang.
 */
export function isMeant(
  reason: string,
  { because, deadline }: { readonly because?: string; readonly deadline?: number },
): boolean {
  if (because !== undefined) return reason.includes(because)
  if (reason.startsWith('The check did not end')) return deadline !== undefined
  return reason.startsWith('expected ') || reason.startsWith('400 ')
}
