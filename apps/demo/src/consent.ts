import type { ConsentRequest } from '@repertoire/core'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'

/** Answers a question for consent. */
export type Decide = (request: ConsentRequest) => Promise<{ readonly approved: boolean; readonly reason?: string }>

/** The streams for asking a person. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Is called before anything is written. */
  readonly before: () => void
}

/**
 * Asks a person. Each skill is asked about once, in exactly the bytes that its folder holds: the answer is for all
 * adapters.
 */
export function askPerson(terminal: Terminal): Decide {
  const given = new Map<string, Promise<boolean>>()
  return async ({ source, skill, digest, text }) => {
    const key = JSON.stringify([source, skill, digest])
    const answer = given.get(key) ?? ask(terminal, text)
    given.set(key, answer)
    return (await answer) ? { approved: true } : { approved: false, reason: 'the user said no' }
  }
}

/** The answer to every request if nobody can be asked. */
export function answerAll(approved: boolean): Decide {
  const verdict = approved ? { approved } : { approved, reason: 'nobody is there to be asked' }
  return () => Promise.resolve(verdict)
}

/** Only a plain yes is one; the end of the input is a no. */
async function ask({ input, output, before }: Terminal, text: string): Promise<boolean> {
  before()
  const lines = createInterface({ input, output })
  // Readline takes Ctrl-C for itself, and whoever presses it wants to leave.
  lines.on('SIGINT', () => {
    output.write('\n')
    process.kill(process.pid, 'SIGINT')
  })
  const ended = new Promise<string>((resolve) => void lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(`\n${text}\nActivate it, in every adapter? [y/N] `), ended])
    return /^\s*y(es)?\s*$/i.test(answer)
  } finally {
    lines.close()
  }
}
