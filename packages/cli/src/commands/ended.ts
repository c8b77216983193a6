import process from 'node:process'

/** Resolves at a signal, or when a command that goes on is to end. */
export async function ended(stopped: Promise<void> | undefined): Promise<void> {
  if (stopped !== undefined) return stopped
  const signals = ['SIGINT', 'SIGTERM'] as const
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of signals) process.once(signal, () => resolve())
  return promise
}
