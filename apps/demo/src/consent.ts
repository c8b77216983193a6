import type { ConsentRequest } from '@repertoire/core'
import { dropTyped } from '@repertoire/core/internal'
import process from 'node:process'
import { createInterface } from 'node:readline/promises'

/** Answers a consent request. */
export type Decide = (request: ConsentRequest) => Promise<{ readonly approved: boolean; readonly reason?: string }>

/** The streams for asking a person. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Is called before anything is written. */
  readonly before: () => void
}

/**
 * Asks a person, one question at a time for all adapters. Each skill is asked about once, in exactly the bytes that its
 * folder holds: the answer is for all adapters.
 */
export function askPerson(terminal: Terminal): Decide {
  const answers = new Map<string, Promise<boolean>>()
  let last: Promise<unknown> = Promise.resolve()
  return async ({ id, source, skill, digest, text }) => {
    // A call that the policy asks about is asked about each time.
    const key = skill === undefined ? id : JSON.stringify([source, skill, digest])
    const answer = answers.get(key) ?? last.then(() => ask(terminal, text))
    answers.set(key, answer)
    last = answer.catch(() => undefined)
    return (await answer) ? { approved: true } : { approved: false, reason: 'the user said no' }
  }
}

/** The answer to every request if there is no terminal to ask at. */
export function answerAll(approved: boolean): Decide {
  const answer = approved ? { approved } : { approved, reason: 'nobody is there to be asked' }
  return () => Promise.resolve(answer)
}

/** Only a plain yes approves; the end of the input denies. */
async function ask({ input, output, before }: Terminal, text: string): Promise<boolean> {
  const isQuiet = await dropTyped(input)
  before()
  if (!isQuiet || !input.readable) return false
  const lines = createInterface({ input, output })
  // Readline handles Ctrl-C itself, but here it has to end the process.
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
