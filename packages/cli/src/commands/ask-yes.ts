import { createInterface } from 'node:readline/promises'
import { setImmediate } from 'node:timers/promises'
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

/** Only a plain yes agrees; the end of the input does not. */
async function ask(question: string, input: Input, stderr: Output, signal: AbortSignal | undefined): Promise<boolean> {
  await dropWaiting(input)
  await stderr.write(`${question} [y/N] `)
  if (!input.readable) return false
  const lines = createInterface({ input })
  try {
    for await (const line of abortable(lines, signal)) return /^\s*y(es)?\s*$/i.test(line)
    return false
  } finally {
    lines.close()
  }
}

/** Drops what was typed before the question is shown. */
async function dropWaiting(input: Input): Promise<void> {
  input.resume()
  for (let turns = 0; turns < 2; turns++) await setImmediate()
  input.pause()
}

/** The lines until the signal aborts, which closes them. */
function abortable(lines: ReturnType<typeof createInterface>, signal: AbortSignal | undefined): AsyncIterable<string> {
  if (signal?.aborted === true) lines.close()
  else signal?.addEventListener('abort', () => lines.close(), { once: true })
  return lines
}
