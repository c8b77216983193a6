import { isObject } from '@repertoire/skill-md/internal'
import { withoutTerminalCodes } from '../text/plain-text.ts'

const EXIT_CODE = /^(?:exit|return)_?code$/i

/**
 * Whether a tool's result reports a failure: as our tools do, also inside `result`, or as tools that run programs do.
 */
export const hasFailed = readable(reportsFailure)

/** Values of tools may throw when they are read. */
function readable(of: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => {
    try {
      return of(value)
    } catch {
      return false
    }
  }
}

function reportsFailure(value: unknown): boolean {
  if (!isObject(value)) return false
  const { isError, success, result } = value
  if (isError === true || success === false) return true
  if (success !== undefined && hasFailed(result)) return true
  const printed = 'stdout' in value || 'stderr' in value
  const codes = Object.keys(value).filter((name) => EXIT_CODE.test(name) || (printed && name === 'code'))
  return codes.some((name) => typeof value[name] === 'number' && value[name] !== 0)
}

/**
 * A message that begins with a code of an operating system, also behind "Error:" and the like; or says the same in words,
 * in one line.
 */
const NOT_FOUND =
  /^(?:[^:\n]{0,40}: ){0,3}(?:ENOENT|ENOTDIR)(?=:|$)|^[^\n]{0,300}\bno such file or directory\b[^\n]{0,300}$/i

/** Texts of a larger result are the content of a file. */
const MAX_MESSAGE_CHARS = 500
const MAX_LEVELS = 3

/** The properties that tools put their errors and texts into. */
const ERROR_KEYS = ['error', 'message', 'cause'] as const
const TEXT_KEYS = ['stderr', 'stdout', 'output', 'text', 'content'] as const

/**
 * Whether what a tool threw or returned says that there is no file at a path: by the code of the operating system, or
 * by a message that is all there is. Content that only mentions a missing file does not count.
 */
export const isNotFound = readable((result) =>
  errorsIn(result, 0).some(
    (text) => text.length <= MAX_MESSAGE_CHARS && NOT_FOUND.test(withoutTerminalCodes(text).trim()),
  ),
)

/** The codes and messages of errors in a result. */
function errorsIn(result: unknown, level: number): readonly string[] {
  if (typeof result === 'string') return [result]
  if (typeof result !== 'object' || level > MAX_LEVELS) return []
  // The content of an MCP tool's result, as some frameworks pass it on.
  if (Array.isArray(result)) return result.length === 1 ? textsIn(result, 0) : []
  const values = Object(result) as Readonly<Record<string, unknown>>
  const printed = hasFailed(result) ? textsIn(result, 0).flatMap((text) => text.split('\n')) : []
  return [String(values['code']), ...ERROR_KEYS.flatMap((key) => errorsIn(values[key], level + 1)), ...printed]
}

/** The texts of a result: itself, what programs have printed, and the parts of a message. */
function textsIn(result: unknown, level: number): readonly string[] {
  if (typeof result === 'string') return [result]
  if (typeof result !== 'object' || level > MAX_LEVELS) return []
  if (Array.isArray(result)) return result.slice(0, 50).flatMap((part) => textsIn(part, level + 1))
  const values = Object(result) as Readonly<Record<string, unknown>>
  return [...ERROR_KEYS, ...TEXT_KEYS].flatMap((key) => textsIn(values[key], level + 1))
}

/** How shells and interpreters say that a file is not there: behind their name, and a colon. */
const SHELL_NOT_FOUND =
  /^[^:\n]{1,80}:.*(?:no such file or directory|cannot find (?:module|path)|(?:can't|cannot|could not) (?:open|access|find)|: not found$|module not found)/i
const MAX_LINES = 100
const MAX_LINE_CHARS = 1_000

/**
 * Returns the word of a command that its result says leads nowhere: it stands in a line that says so. Undefined: there
 * is none, or the command succeeded.
 * @param words the words of the command
 */
export function missingInShell(words: readonly string[], result: unknown): string | undefined {
  if (isObject(result) && !(result instanceof Error) && !hasFailed(result)) return undefined
  const lines = textsIn(result, 0)
    .flatMap((text) => text.split('\n', MAX_LINES))
    .filter((line) => line.length <= MAX_LINE_CHARS)
    .map((line) => withoutTerminalCodes(line).trim())
    .filter((line) => SHELL_NOT_FOUND.test(line))
  return words
    .filter((word) => /[./\\]/.test(word) && /\w/.test(word) && !word.startsWith('-'))
    .find((path) => lines.some((line) => line.includes(path.replace(/^\.\//, ''))))
}
