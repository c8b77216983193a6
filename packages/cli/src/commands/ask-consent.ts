import type { ConsentHandler } from '@repertoire/core'
import { markLines } from '@repertoire/core/internal'
import type { Context } from '../context.ts'
import { askYes } from './ask-yes.ts'

/** How consent is given. */
export interface ConsentOptions {
  /** Answers every request with yes. */
  readonly yes?: true | undefined
}

/**
 * Asks the person at the terminal, on stderr, what a host would ask. Without a terminal nobody is asked, and the answer
 * is no.
 */
export function askConsent({ yes }: ConsentOptions, context: Context): ConsentHandler {
  return async ({ id, text }, { signal }) => {
    await context.stderr.write(`${markLines(text, context.stderr.columns)}\n`)
    if (yes) return true
    const reason = 'there is no terminal to ask at; --yes answers yes'
    return (await askYes('Run it?', context, signal)) ?? { requestId: id, approved: false, reason }
  }
}
