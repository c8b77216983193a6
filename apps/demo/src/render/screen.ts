import type { Output } from 'repertoire/terminal'
import type { Screen } from './lines.ts'

const MIN_WIDTH = 60
const MAX_WIDTH = 200
/** The width if it is unknown, as in a pipe. */
const DEFAULT_WIDTH = 100

/** The terminal to draw on, within what the drawing is made for. */
export function screenOf({ columns = DEFAULT_WIDTH, paint }: Output): Screen {
  return { width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns)), paint }
}
