import type { Danger } from './dangerous.ts'

/** Returns what `findDanger` finds. It imports the parser of shell scripts on first use. */
export async function dangerIn(text: string, interpreter?: string): Promise<Danger | undefined> {
  const { findDanger } = await import('./dangerous.ts')
  return findDanger(text, interpreter)
}
