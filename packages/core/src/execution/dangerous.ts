import { loadCommands } from '@repertoire/gate/internal'
import { type Danger, findTextDanger, isShellName } from './text-danger.ts'

export type { Danger }

/**
 * Returns the first of the dangerous patterns in a script: what deletes a root, writes over a device, or runs what it
 * downloads. A shell script is parsed; a text in any other language is judged by its words, as `findTextDanger` does. It is
 * the last line of defence and easily evaded: what holds a script is the sandbox.
 * @param interpreter what reads the script. Absent: it is not known, and what a shell can read is read as a shell does
 * @returns undefined where there is none
 */
export async function findDanger(text: string, interpreter?: string): Promise<Danger | undefined> {
  const isOther = interpreter !== undefined && !isShellName(interpreter)
  if (isOther || interpreter === 'fish') return findTextDanger(text)
  // With the parser of shell scripts, which is heavy.
  await loadCommands()
  const { findShellDanger } = await import('./shell-danger.ts')
  const found = findShellDanger(text)
  return found === 'unread' ? findTextDanger(text) : found
}
