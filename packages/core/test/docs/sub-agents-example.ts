import type { ForkRunner, Session } from '@repertoire/core'

/** Your own loop: it runs to its end over a session, and returns the last text. */
type RunAgent = (session: Session, system: string, message: string, signal: AbortSignal) => Promise<string>

export function forkWith(runAgent: RunAgent): ForkRunner {
  return async ({ session, system, message, signal }) => ({ text: await runAgent(session, system, message, signal) })
}
