import { showInvisible } from '@repertoire/core'

/** A value as JSON for stdout, indented, with a line break at its end. */
export function toJson(value: unknown): string {
  return escapeJson(`${JSON.stringify(value, undefined, 2)}\n`)
}

/**
 * JSON whose text holds no control character but line breaks, and none that turns the direction of text. JSON itself
 * allows some of them; escaped, they mean the same and cannot affect a terminal.
 */
export function escapeJson(json: string): string {
  return json.replace(/[^\n\u0020-\u007E]/gu, (character) =>
    showInvisible(character) === character ? character : codeUnits(character),
  )
}

function codeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
