import { findShellDanger } from './shell-danger.ts'
import { type Danger, findTextDanger, isShellName } from './text-danger.ts'

export type { Danger }

/**
 * Returns the first of the dangerous patterns in a script: what deletes a root, writes over a device, or runs what it
 * downloads. A shell script is parsed; a text in any other language is judged by its words, as `findTextDanger` does. It is
 * the last line of defence and easily evaded: what holds a script is the sandbox.
 * @param interpreter what reads the script. Absent: it is not known, and what a shell can read is read as a shell does
 * @returns undefined where there is none
 */
export function findDanger(text: string, interpreter?: string): Danger | undefined {
  const isOther = interpreter !== undefined && !isShellName(interpreter)
  const found = isOther || interpreter === 'fish' ? 'unread' : findShellDanger(text)
  return found === 'unread' ? findTextDanger(text) : found
}

/** Returns what `findDanger` finds. It imports the parser of shell scripts on first use. */
export async function dangerIn(text: string, interpreter?: string): Promise<Danger | undefined> {
  const { findDanger } = await import('./dangerous.ts')
  return findDanger(text, interpreter)
}
