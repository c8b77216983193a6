import { showInvisible } from '@repertoire/core'

/** A value as JSON for stdout, indented, with a line break at its end. */
export function toJson(value: unknown): string {
  return escapeJson(`${JSON.stringify(value, undefined, 2)}\n`)
}

/**
 * Escapes control characters, except line breaks, and characters that change the direction of text. JSON allows some of
 * them unescaped; escaped, they mean the same and cannot affect a terminal.
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
