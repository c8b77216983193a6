import { dropTyped } from '@repertoire/core/internal'
import { createInterface } from 'node:readline/promises'
import type { Context, Input } from '../context.ts'
import type { Output } from '../output/output.ts'

/** Asks a person at the terminal. Undefined: there is no terminal to ask at. */
export async function askYes(
  question: string,
  { stderr, input }: Pick<Context, 'stderr' | 'input'>,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  const terminal = input?.()
  return terminal?.isTTY === true && stderr.isTerminal ? ask(question, terminal, stderr, signal) : undefined
}

/** Asks a person whether to do what is shown, and says how to agree without a terminal. */
export async function agrees(question: string, context: Pick<Context, 'stderr' | 'input'>): Promise<boolean> {
  const answer = await askYes(question, context)
  if (answer === undefined) {
    await context.stderr.print('There is no terminal to ask at. --yes agrees to what is shown.\n')
  }
  return answer === true
}

/** Only a plain yes agrees; the end of the input does not. */
async function ask(question: string, input: Input, stderr: Output, signal: AbortSignal | undefined): Promise<boolean> {
  const isQuiet = await dropTyped(input, signal)
  await stderr.write(`${question} [y/N] `)
  if (!isQuiet || !input.readable) return false
  const lines = createInterface({ input })
  try {
    for await (const line of abortable(lines, signal)) return /^\s*y(es)?\s*$/i.test(line)
    return false
  } finally {
    lines.close()
  }
}

/** The lines until the signal aborts, which closes them. */
function abortable(lines: ReturnType<typeof createInterface>, signal: AbortSignal | undefined): AsyncIterable<string> {
  if (signal?.aborted === true) lines.close()
  else signal?.addEventListener('abort', () => lines.close(), { once: true })
  return lines
}
