import picocolors from 'picocolors'
import { UsageError } from '../usage-error.ts'
import { colorsWanted } from './color.ts'
import { foldLines } from './text.ts'

/** The colours of one stream. Without colours, the functions return the text unchanged. */
export type Paint = ReturnType<typeof picocolors.createColors>

/** The stream under an output: what of `process.stdout` is used. */
export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string | Uint8Array, done: (error?: Error | null) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** One of the two streams of the command. */
export interface Output {
  readonly isTerminal: boolean
  readonly paint: Paint
  /** Columns of the terminal, or of `COLUMNS`. Undefined: nothing needs to be shortened. */
  readonly columns: number | undefined
  /**
   * Resolves when the text, or the bytes as they are, were written, or when the reader has closed the stream.
   * @throws {UsageError} if it cannot be written, as on a full disk
   */
  write(text: string | Uint8Array): Promise<void>
  /** Writes lines for a person: on a narrow terminal, they are broken between words. */
  print(text: string): Promise<void>
}

/** Returns an output that writes to a stream, with the colours that it supports. */
export function createOutput(stream: Stream, env: Readonly<Record<string, string | undefined>>): Output {
  const isTerminal = stream.isTTY === true
  // Every failure comes back from `write` too; without a listener it would end the process.
  stream.on('error', () => {})
  // A terminal that knows no size says 0.
  const columns = stream.columns || columnsOf(env['COLUMNS'])
  const write: Output['write'] = (text) =>
    new Promise((resolve, reject) => {
      stream.write(text, (error) => {
        if (error === undefined || error === null || isReaderGone(error)) resolve()
        else reject(new UsageError(`The output cannot be written: ${error.message}`))
      })
    })
  return {
    isTerminal,
    paint: picocolors.createColors(colorsWanted(isTerminal, env)),
    columns,
    write,
    print: (text) => write(columns === undefined ? text : foldLines(text, columns)),
  }
}

// `repertoire list | head` closes the pipe when it has seen enough, which is not a failure.
function isReaderGone(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED'
}

function columnsOf(value: string | undefined): number | undefined {
  return value !== undefined && /^[1-9]\d{0,4}$/.test(value) ? Number(value) : undefined
}
