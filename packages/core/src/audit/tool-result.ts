const EXIT_CODE = /^(?:exit|return)_?code$/i

/** Whether a tool's result reports a failure, as tools that run programs commonly do. */
export function hasFailed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, item]) =>
      (EXIT_CODE.test(name) && typeof item === 'number' && item !== 0) || (name === 'isError' && item === true),
  )
}

/** The codes of an operating system where no file is at a path. */
const CODES: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])
const CODE_FIRST = /^(?:\w*Error: )?(?:ENOENT|ENOTDIR)(?=:|$)/
/** The words of a tool that found nothing, as its whole result. */
const NOT_FOUND =
  /^(?:(?:\w*error|failed|failure):\s*)?(?:(?:the )?(?:file|path|directory|folder)\b.{0,300}\b(?:does(?: not|n't) exist|(?:was |is )?not found|could not be found|cannot be found)|(?:no such file|(?:could not|cannot|can't) find (?:the )?(?:file|path|directory|folder))\b.{0,300})(?::.{0,300})?\.?$/i

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
  return CODE_FIRST.test(text) || (text.length <= MAX_MESSAGE_CHARS && NOT_FOUND.test(text.trim()))
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
  /no such file or directory|cannot find (?:module|the (?:file|path))|(?:can't|cannot|could not|unable to) (?:open|access|stat|find|read|load)|: not found$/i
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
  const programs = words.map((word) => word.slice(word.lastIndexOf('/') + 1))
  const paths = words.filter((word) => /[./]/.test(word) && !word.startsWith('-'))
  for (const text of textsIn(result, 0)) {
    for (const line of text.split('\n', MAX_LINES)) {
      if (line.length > MAX_LINE_CHARS || !SHELL_NOT_FOUND.test(line)) continue
      const [first = ''] = /^[^\s:]+(?=:)/.exec(line.trim()) ?? []
      const name = first.slice(first.lastIndexOf('/') + 1)
      if (!/^(?:\w*Error|(?:ba|z|da|k)?sh)$/.test(name) && !programs.includes(name)) continue
      const found = paths.find((path) => line.includes(path) || line.endsWith(`/${path.replace(/^\.\//, '')}'`))
      if (found !== undefined) return found
    }
  }
  return undefined
}
