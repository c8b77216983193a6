import type { ConsentHandler } from '@repertoire/core'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'

/** Asks in a terminal. Anything but "y" is a no; an aborted run withdraws the question. */
export function askAt(input: Readable, output: Writable): ConsentHandler {
  return async ({ text }, { signal }) => {
    const terminal = createInterface({ input, output })
    try {
      return (await terminal.question(`${text}\n[y/N] `, { signal })) === 'y'
    } finally {
      terminal.close()
    }
  }
}
