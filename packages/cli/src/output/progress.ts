import type { Output } from './output.ts'
import { shorten } from './text.ts'

const ERASE_LINE = '\r\u001B[K'

/** A line on a terminal that each text replaces, and an empty one removes. Nothing is written anywhere else. */
export function createStatusLine(output: Output): (text: string) => void {
  if (!output.isTerminal) return () => {}
  return (text) => void output.write(ERASE_LINE + shorten(text, output.columns ?? 80)).catch(() => {})
}
