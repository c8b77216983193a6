import { withoutTerminalCodes } from '../text/plain-text.ts'

const EXIT_CODE = /^(?:exit|return)_?code$/i

/** Whether a tool's result reports a failure: as our tools do, also inside `result`, or as tools that run programs do. */
export function hasFailed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const printed = 'stdout' in value || 'stderr' in value
  return Object.entries(value).some(
    ([name, item]) =>
      ((EXIT_CODE.test(name) || (printed && name === 'code')) && typeof item === 'number' && item !== 0) ||
      (name === 'isError' && item === true) ||
      (name === 'success' && item === false) ||
      (name === 'result' && 'success' in value && hasFailed(item)),
  )
}

/** The codes of an operating system where no file is at a path. */
const CODES: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])
const CODE_FIRST = /^(?:\w*Error: )?(?:ENOENT|ENOTDIR)(?=:|$)/
/** The words of a tool that found nothing, as its whole result. */
const NOT_FOUND =
  /^(?:(?:the |a )?(?:(?:requested|specified|given) )?(?:file|path|directory|folder)\b.{0,300}\b(?:does(?: not|n't) exist|(?:was |is )?not found|could not be found|cannot be found(?: at the time .{0,80})?)|no (?:file|directory|folder) (?:found )?at\b.{0,300}|the system cannot find the (?:file|path) specified|(?:resource )?not found: \S{1,300}|(?:no such file|(?:could not|cannot|can't) find (?:the )?(?:file|path|directory|folder))\b.{0,300})(?::.{0,300})?\.?$/i
/** A path by itself, and that it is not there. */
const PATH_NOT_FOUND =
  /^["'`]?[^\s"'`]{0,300}[./\\][^\s"'`]{0,300}["'`]? (?:does(?: not|n't) exist|(?:was |is )?not found)\.?$/i
/** The words of the operating system, whatever stands before them in the line. */
const SYSTEM_NOT_FOUND =
  /^(?:[^\n]{0,300}:\s*)?(?:\[Errno 2\]\s*)?no such file or directory(?:\s\(os error 2\)|[:,]\s[^\n]{0,300})?\.?$/i
/** What a tool says before its reason: "Error reading file:", "Could not read file:", "Invalid path:". */
const BEFORE_REASON =
  /^(?:(?:\w*error|failed|failure|could not|cannot|can't|unable to|invalid)(?:\s[^:\n]{0,80})?:\s*){1,3}/i
/** Marks that a tool puts around a message: tags, the name of the stream. */
const MARKS = /^\[?stderr\]?:?\s+|^<[\w-]{1,40}>|<\/[\w-]{1,40}>$/gi

/** Texts of a larger result are the content of a file. */
const MAX_MESSAGE_CHARS = 500
const MAX_LEVELS = 3

/** The properties that tools put their errors and texts into. */
const ERROR_KEYS = ['error', 'message', 'cause', 'reason'] as const
const TEXT_KEYS = ['stderr', 'stdout', 'output', 'text', 'content'] as const

/**
 * Whether what a tool threw or returned says that there is no file at a path: by the code of the operating system, or in
 * the words of a message that is all there is. Content that only mentions a missing file does not count.
 */
export function isNotFound(result: unknown): boolean {
  return saysNotFound(result, 0)
}

function saysNotFound(result: unknown, level: number): boolean {
  if (level > MAX_LEVELS) return false
  if (typeof result === 'string') return isMessage(result) || saysNotFound(parsed(result), level + 1)
  if (typeof result !== 'object' || result === null) return false
  const values = result as Readonly<Record<string, unknown>>
  if (CODES.has(values['code'])) return true
  if (ERROR_KEYS.some((key) => key in values && saysNotFound(values[key], level + 1))) return true
  return hasFailed(result) && textsIn(result, 0).some((text) => text.split('\n').some(isMessage))
}

function isMessage(text: string): boolean {
  if (CODE_FIRST.test(text)) return true
  if (text.length > MAX_MESSAGE_CHARS) return false
  const message = withoutMarks(text)
  const reason = message.replace(BEFORE_REASON, '')
  return (
    SYSTEM_NOT_FOUND.test(message) ||
    [message, reason].some((said) => CODE_FIRST.test(said) || NOT_FOUND.test(said) || PATH_NOT_FOUND.test(said))
  )
}

function withoutMarks(text: string): string {
  return withoutTerminalCodes(text).trim().replaceAll(MARKS, '')
}

function parsed(text: string): unknown {
  if (text.length > 4 * MAX_MESSAGE_CHARS || !/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The texts of a result: itself, what programs have printed, and the parts of a message. */
function textsIn(result: unknown, level: number): readonly string[] {
  if (typeof result === 'string') return [result]
  if (typeof result !== 'object' || result === null || level > MAX_LEVELS) return []
  if (Array.isArray(result)) return result.slice(0, 50).flatMap((part) => textsIn(part, level + 1))
  const values = result as Readonly<Record<string, unknown>>
  return [...ERROR_KEYS, ...TEXT_KEYS].flatMap((key) => (key in values ? textsIn(values[key], level + 1) : []))
}

/** The words of a shell, an interpreter or a program for a file that is not there. */
const SHELL_NOT_FOUND =
  /no such file or directory|cannot find (?:module|the (?:file|path))|(?:can't|cannot|could not|unable to) (?:open|access|stat|find|read|load)|: not found$|module not found|is not recognized as the name of a script|because it does not exist/i
/** How lines begin that say so, when no name of a program does. */
const REASON_FIRST =
  /^(?:(?:fatal )?error\b|\[\w+ error\]|\w*Error\b|can't open \w+ script|could not open input file|the argument|stat )/i
const MAX_LINES = 100
const MAX_LINE_CHARS = 1_000

/**
 * Returns the word of a command that its result says leads nowhere: it stands in a line that begins as error messages do
 * and says so. Undefined: there is none, or the command succeeded.
 * @param words the words of the command
 */
export function missingInShell(words: readonly string[], result: unknown): string | undefined {
  if (typeof result === 'object' && result !== null && !(result instanceof Error) && !hasFailed(result))
    return undefined
  const programs = words.map((word) => programOf(word))
  const paths = words.filter((word) => /[./\\]/.test(word) && /\w/.test(word) && !word.startsWith('-'))
  for (const text of textsIn(result, 0)) {
    for (const printed of text.split('\n', MAX_LINES)) {
      if (printed.length > MAX_LINE_CHARS) continue
      const line = withoutMarks(printed)
      if (/^the system cannot find the (?:file|path) specified/i.test(line)) return paths[0]
      if (!SHELL_NOT_FOUND.test(line)) continue
      const program = programOf(/^(?:[A-Za-z]:)?[^\s:]+(?=\s?:)/.exec(line)?.[0] ?? '')
      const isSaid = /^(?:(?:ba|z|da|k)?sh|[A-Z][a-z]+-[A-Z]\w+)$/.test(program) || programs.includes(program)
      if (!isSaid && !REASON_FIRST.test(line)) continue
      const plain = withSlashes(line)
      const found = paths.find((path) => plain.includes(withSlashes(path).replace(/^\.\//, '')))
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The name of a program, without its folder and the extension of Windows. */
function programOf(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).replace(/\.exe$/i, '')
}

function withSlashes(text: string): string {
  return text.replaceAll(/\\+/g, '/')
}
