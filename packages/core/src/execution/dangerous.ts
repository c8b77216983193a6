import { loadCommands } from '@repertoire/gate/internal'
import { isShellName } from './interpreter.ts'
import type { Danger } from './shell-danger.ts'

/**
 * Returns the first dangerous pattern in a script. A shell script is parsed, or read line by line if it does not parse.
 * In another language, the texts in quotes are read as command lines. This is the last line of defence and easy to
 * evade: only a sandbox holds a script.
 * @param interpreter what reads the script
 */
export async function findDanger(text: string, interpreter = 'sh'): Promise<Danger | undefined> {
  // With the parser of shell scripts, which is heavy.
  await loadCommands()
  const { findShellDanger } = await import('./shell-danger.ts')
  const isShellScript = isShellName(interpreter)
  const whole = isShellScript ? findShellDanger(text) : 'unread'
  if (whole !== 'unread') return whole
  for (const { index, 0: part } of text.matchAll(isShellScript ? LINE : QUOTED)) {
    const found = findShellDanger(isShellScript ? part : part.slice(1, -1))
    if (typeof found === 'object') return { ...found, line: text.slice(0, index).split('\n').length }
  }
  return undefined
}

/** What is longer is not read, so that a text of megabytes takes no longer than one pass. */
const LINE = /[^\n]{1,2000}/g
const QUOTED = /(["'`])(?:\\.|(?!\1)[^\\\n]){1,500}\1/g
