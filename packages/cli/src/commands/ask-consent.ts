import type { ConsentHandler } from '@repertoire/core'
import { createInterface } from 'node:readline/promises'
import type { Context, Input } from '../context.ts'
import type { Output } from '../output/output.ts'

/** How consent is given. */
export interface ConsentOptions {
  /** Answers every request with yes. */
  readonly yes?: true
}

/**
 * Asks the person at the terminal, on stderr, what a host would ask. Without a terminal nobody is asked, and the answer
 * is no.
 */
export function askConsent({ yes }: ConsentOptions, { stderr, input }: Context): ConsentHandler {
  return async ({ id, text }, { signal }) => {
    await stderr.write(`${text}\n`)
    if (yes) return true
    const terminal = input?.()
    if (terminal?.isTTY === true && stderr.isTerminal) return ask(terminal, stderr, signal)
    const reason = 'there is no terminal to ask at; --yes answers yes'
    return { requestId: id, approved: false, reason }
  }
}

/** Only a plain yes agrees; the end of the input does not. */
async function ask(input: Input, stderr: Output, signal: AbortSignal): Promise<boolean> {
  await stderr.write('Run it? [y/N] ')
  const lines = createInterface({ input })
  try {
    for await (const line of abortable(lines, signal)) return /^\s*y(es)?\s*$/i.test(line)
    return false
  } finally {
    lines.close()
  }
}

/** The lines until the signal aborts, which closes them. */
function abortable(lines: ReturnType<typeof createInterface>, signal: AbortSignal): AsyncIterable<string> {
  if (signal.aborted) lines.close()
  else signal.addEventListener('abort', () => lines.close(), { once: true })
  return lines
}
