import type { Output } from 'repertoire/terminal'

/** A line that shows the current activity. */
export interface Status {
  readonly show: (text: string) => void
  /** Must be called before anything else is written to the terminal. */
  readonly clear: () => void
}

const ERASE_LINE = '\r\u001B[K'

/** Writes to a terminal only. */
export function createStatus(output: Output): Status {
  const write = (text: string): void => void output.write(ERASE_LINE + text).catch(() => {})
  if (!output.isTerminal) return { show: () => {}, clear: () => {} }
  return { show: (text) => write(output.paint.dim(text)), clear: () => write('') }
}
