import { OpenError } from '@repertoire/core/node'

/**
 * The code that the system, or a library, gave an error, such as `EACCES`; empty: it has none. Read by its shape: a
 * test runner that gives each file its own realm has errors that are no instances of `Error` here.
 */
export function systemCodeOf(error: unknown): string {
  const cause: unknown = error instanceof OpenError ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string'
    ? cause.code
    : ''
}

/** Whether an error is the system's own. By its shape, for the same reason. */
export function isSystemError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errno' in error
}
