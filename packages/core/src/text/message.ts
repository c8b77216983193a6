import { showHidden } from '@repertoire/skill-md/internal'

/** Returns the message of any thrown value, with what is invisible in it made visible. */
export function messageOf(error: unknown): string {
  try {
    return showHidden(error instanceof Error ? error.message : String(error))
  } catch {
    // An object without a prototype, a getter that throws.
    return 'it threw what has no message'
  }
}
