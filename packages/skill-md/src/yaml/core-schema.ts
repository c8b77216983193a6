import type { YamlScalar } from './tree.ts'

const NULL = /^(?:~|[Nn]ull|NULL)?$/
const TRUE = /^(?:[Tt]rue|TRUE)$/
const FALSE = /^(?:[Ff]alse|FALSE)$/
const OCTAL = /^0o[0-7]+$/
const INTEGER = /^[-+]?[0-9]+$/
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/

/** The length of `false`, the longest boolean. */
const MAX_BOOLEAN_CHARS = 5

/** Returns the value of a plain scalar by the core schema (YAML 1.2.2, 10.3.2). */
export function resolvePlain(source: string): YamlScalar['value'] {
  // Nearly every scalar is text, which its first character shows.
  switch (source.charCodeAt(0)) {
    case 0x7e: // ~
    case 0x6e: // n
    case 0x4e: // N
      return NULL.test(source) ? null : source
    case 0x74: // t
    case 0x54: // T
      return source.length <= MAX_BOOLEAN_CHARS && TRUE.test(source) ? true : source
    case 0x66: // f
    case 0x46: // F
      return source.length <= MAX_BOOLEAN_CHARS && FALSE.test(source) ? false : source
    case 0x2b: // +
    case 0x2d: // -
    case 0x2e: // .
    case 0x30:
    case 0x31:
    case 0x32:
    case 0x33:
    case 0x34:
    case 0x35:
    case 0x36:
    case 0x37:
    case 0x38:
    case 0x39:
      return resolveNumber(source)
    default:
      return source === '' ? null : source
  }
}

function resolveNumber(source: string): string | number {
  if (INTEGER.test(source)) return Number.parseInt(source, 10)
  if (OCTAL.test(source)) return Number.parseInt(source.slice(2), 8)
  if (HEXADECIMAL.test(source)) return Number.parseInt(source.slice(2), 16)
  if (FLOAT.test(source)) return Number.parseFloat(source)
  if (INFINITE.test(source)) return source[0] === '-' ? -Infinity : Infinity
  return NOT_A_NUMBER.test(source) ? Number.NaN : source
}
