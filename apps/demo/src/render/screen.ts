import type { Output } from 'repertoire/terminal'
import type { Screen } from './lines.ts'

const NARROWEST = 60
const WIDEST = 200
/** The width if it is unknown, as in a pipe. */
const USUAL = 100

/** The terminal to draw on, within what the drawing is made for. */
export function screenOf({ columns = USUAL, paint }: Output): Screen {
  return { width: Math.min(WIDEST, Math.max(NARROWEST, columns)), paint }
}
