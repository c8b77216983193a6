import type { Danger } from './dangerous.ts'

/** As `findDanger`, whose parser of shell scripts is imported on first use. */
export async function dangerIn(text: string, interpreter?: string): Promise<Danger | undefined> {
  const { findDanger } = await import('./dangerous.ts')
  return findDanger(text, interpreter)
}
