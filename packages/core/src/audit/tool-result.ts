import { isObject } from '@repertoire/skill-md/internal'
import { withoutTerminalCodes } from '../text/plain-text.ts'

const EXIT_CODE = /^(?:exit|return)_?code$/i

/**
 * Whether a tool's result reports a failure: as our tools do, also inside `result`, or as tools that run programs do.
 */
export function hasFailed(value: unknown): boolean {
  // Values of tools may throw when they are read.
  try {
    return reportsFailure(value)
  } catch {
    return false
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

const NOT_FOUND = /\b(?:ENOENT|ENOTDIR)(?::|$)|\bno such file or directory\b/i

/** How shells and interpreters say it: behind their name, and a colon. */
const SHELL_NOT_FOUND =
  /^[^:\n]{1,80}:.*(?:no such file or directory|cannot find module|module not found|: not found$)/i

/** Longer texts are the content of a file, or the output of a program that did find it. */
const MAX_CHARS = 10_000
const MAX_MESSAGE_CHARS = 500
const MAX_LEVELS = 4

/** The properties that tools put their errors, and what programs print, into. */
const TEXT_KEYS = ['code', 'error', 'message', 'cause', 'stderr', 'stdout', 'output', 'text', 'content'] as const

/**
 * Whether what a tool threw or returned says that there is no file at a path. A text that is no error may be the
 * content of a file: it has to be one line.
 */
export function isNotFound(result: unknown): boolean {
  const texts = textsOf(result)
  if (isObject(result)) return isFailure(result) && texts.some((text) => NOT_FOUND.test(text))
  const [text = '', ...others] = texts
  return others.length === 0 && text.length <= MAX_MESSAGE_CHARS && !text.includes('\n') && NOT_FOUND.test(text)
}

/**
 * Returns the word of a command that its result says leads nowhere: it stands in a line that says so. Undefined: there
 * is none, or the command succeeded.
 * @param words the words of the command
 */
export function missingInShell(words: readonly string[], result: unknown): string | undefined {
  if (isObject(result) && !isFailure(result)) return undefined
  const lines = textsOf(result).flatMap((text) => text.split(/\s*\n\s*/).filter((line) => SHELL_NOT_FOUND.test(line)))
  return words
    .filter((word) => /[./\\]/.test(word) && /\w/.test(word) && !word.startsWith('-'))
    .find((path) => lines.some((line) => line.includes(path.replace(/^\.\//, ''))))
}

function isFailure(result: Readonly<Record<string, unknown>>): boolean {
  return result instanceof Error || hasFailed(result) || 'error' in result || typeof result['code'] === 'string'
}

/** The texts of a result: itself, what programs have printed, and the parts of a message. */
function textsOf(result: unknown): readonly string[] {
  const visit = (value: unknown, level: number): readonly string[] => {
    if (typeof value === 'string') {
      return value.length > MAX_CHARS ? [] : [withoutTerminalCodes(value).trim()]
    }
    if (level > MAX_LEVELS) return []
    if (Array.isArray(value)) return value.slice(0, 50).flatMap((part) => visit(part, level + 1))
    return isObject(value) ? TEXT_KEYS.flatMap((key) => visit(value[key], level + 1)) : []
  }
  try {
    return visit(result, 0)
  } catch {
    return []
  }
}
