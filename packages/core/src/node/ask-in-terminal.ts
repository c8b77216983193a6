import { checkOptions, type OptionTable, withMethods } from '@repertoire/skill-md/internal'
import type { ConsentHandler } from '../ports/consent.ts'
import { markLines } from '../text/marked-lines.ts'
import { dropTyped } from '../text/typed.ts'

/** Options of `askInTerminal`. */
export interface AskInTerminalOptions {
  /** Answers are read from here, one line each. Default: `process.stdin`. */
  readonly input?: NodeJS.ReadableStream | undefined
  /** Questions are written here, at its width. Default: `process.stderr`, so that a program's output stays apart. */
  readonly output?: NodeJS.WritableStream | undefined
}

const ASK_OPTIONS: OptionTable<AskInTerminalOptions> = {
  input: withMethods('a readable stream', 'resume'),
  output: withMethods('a writable stream', 'write'),
}

/**
 * Returns a consent handler that asks the person at the terminal: `openSession({ consent: askInTerminal() })`. It asks
 * one question at a time. Only `y` or `yes` agrees, and nothing that was typed before the question.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function askInTerminal(options: AskInTerminalOptions = {}): ConsentHandler {
  checkOptions('askInTerminal', ASK_OPTIONS, options, 'askInTerminal()')
  const { input = process.stdin, output = process.stderr } = options
  let last: Promise<unknown> = Promise.resolve()
  return ({ text }, { signal }) => {
    const answer = last.then(() => ask(text, { input, output, signal }))
    last = answer.catch(() => undefined)
    return answer
  }
}

interface Asking {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  readonly signal: AbortSignal
}

async function ask(text: string, { input, output, signal }: Asking): Promise<boolean> {
  const { createInterface } = await import('node:readline')
  if (signal.aborted) return false
  const isQuiet = await dropTyped(input, signal)
  const { columns } = output as Partial<NodeJS.WriteStream>
  output.write(`${markLines(text, columns)}\n[y/N] `)
  if (!isQuiet || !input.readable) return noAnswer(output)
  const lines = createInterface({ input })
  const close = (): void => lines.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    for await (const line of lines) return /^\s*y(es)?\s*$/i.test(line)
    return signal.aborted ? false : noAnswer(output)
  } finally {
    signal.removeEventListener('abort', close)
    close()
  }
}

/** A program without a terminal must not deny in silence. */
function noAnswer(output: NodeJS.WritableStream): false {
  output.write('There is no person at a terminal who answers, so the answer is no.\n')
  return false
}
