import type { Output } from './output.ts'

/** A line that counts checks during long work. */
export interface Progress {
  readonly step: () => void
  readonly end: () => void
}

const ERASE_LINE = '\r\u001B[K'

/** Counts on a terminal, and writes nothing anywhere else. */
export function createProgress(output: Output, total: number): Progress {
  if (!output.isTerminal) return { step: () => {}, end: () => {} }
  let done = 0
  const show = (text: string): void => void output.write(ERASE_LINE + text).catch(() => {})
  show(`0 of ${total} checks`)
  return { step: () => show(`${++done} of ${total} checks`), end: () => show('') }
}
