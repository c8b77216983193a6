import type { ConsentHandler } from '@repertoire/core'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

/** Asks in a terminal. Only "y" is a yes; the end of the input is a no. An aborted run withdraws the question. */
export function askAt(input: Readable, output: Writable): ConsentHandler {
  return async ({ text }, { signal }) => {
    await dropWaiting(input)
    if (!input.readable) return false
    const terminal = createInterface({ input, output })
    const ended = once(terminal, 'close').then(() => '')
    try {
      return (await Promise.race([terminal.question(`${text}\n[y/N] `, { signal }), ended])) === 'y'
    } finally {
      terminal.close()
    }
  }
}

/** Drops what was typed before the question is shown. */
async function dropWaiting(input: Readable): Promise<void> {
  input.resume()
  for (let turns = 0; turns < 2; turns++) await setImmediate()
  input.pause()
}
