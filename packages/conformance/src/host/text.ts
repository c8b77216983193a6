import type { WireMessage, WireRequest } from '../endpoint/wire.ts'

const MAX_DEPTH = 4

/** Returns every text that a request shows to the model, without the calls that the model wrote itself. */
export function shownTexts({ system, tools, messages }: WireRequest): readonly string[] {
  return [system, ...toolTexts({ tools }), ...messages.map(({ text }) => text)]
}

/** Returns the texts of the offered tools: names, descriptions, and every text of their input schemas. */
export function toolTexts({ tools }: Pick<WireRequest, 'tools'>): readonly string[] {
  return tools.flatMap(({ name, description, inputSchema }) => [name, description, ...stringsIn(inputSchema)])
}

/** Returns the messages that follow the model's last one. */
export function sinceModel({ messages }: WireRequest): readonly WireMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
}

/**
 * Whether one of the texts shows a part. Line breaks count as spaces, and the text may be written as XML or JSON: hosts
 * choose their own format, and a model reads all of them.
 */
export function shows(texts: readonly string[], part: string): boolean {
  const wanted = onOneLine(part)
  return texts.some((text) => readings(text).some((reading) => onOneLine(reading).includes(wanted)))
}

/** Whether one of the texts shows all lines, in their order. Line numbers in front of them do not matter. */
export function showsLines(texts: readonly string[], lines: string): boolean {
  const wanted = lines.split(/\r?\n/).filter((line) => line.trim() !== '')
  return texts.some((text) => {
    const written = readings(text)
    if (written.some((reading) => containsInOrder(reading, wanted))) return true
    // Only some lines may be escaped, such as those that would end the host's own markup.
    return (
      wanted.every((line) => written.some((reading) => reading.includes(line.trimEnd()))) &&
      containsInOrder(withoutEntities(text), wanted.map(withoutEntities))
    )
  })
}

/** Returns the lines of texts, also of those that are written as JSON or XML. */
export function linesOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => readings(text).flatMap((reading) => reading.split('\n')))
}

/** Returns the first line that is not shown, for messages. */
export function firstMissingLine(texts: readonly string[], lines: string): string | undefined {
  return lines.split(/\r?\n/).find((line) => line.trim() !== '' && !showsLines(texts, line))
}

/** Returns a text as a model may read it: unchanged, with XML entities replaced, and with JSON strings decoded. */
function readings(text: string): readonly string[] {
  const decoded = [text, ...jsonStrings(text, 0), withoutJsonEscapes(text)]
  return [...new Set([...decoded, ...decoded.map(withoutEntities)])]
}

function containsInOrder(text: string, lines: readonly string[]): boolean {
  let from = 0
  for (const [index, line] of lines.entries()) {
    // Each line begins a line of the text, or follows a line number.
    const start = index === 0 ? 0 : text.indexOf('\n', from)
    const at = start === -1 ? -1 : text.indexOf(line.trimEnd(), start)
    if (at === -1) return false
    from = at + line.trimEnd().length
  }
  return true
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

/** The texts in a tool's result that is written as JSON, also where JSON is nested in a text. */
function jsonStrings(text: string, depth: number): readonly string[] {
  if (depth === MAX_DEPTH || !/^\s*["[{]/.test(text)) return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return []
  }
  return stringsIn(value).flatMap((each) => [each, ...jsonStrings(each, depth + 1)])
}

/** Returns every text in a JSON value, names of fields included. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...stringsIn(inner),
  ])
}

function withoutEntities(text: string): string {
  return text
    .replaceAll(/&#(x[0-9a-f]+|\d+);/gi, (_, code: string) => {
      const number = /^x/i.test(code) ? Number.parseInt(code.slice(1), 16) : Number(code)
      return number <= 0x10ffff ? String.fromCodePoint(number) : ''
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}

const JSON_ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Decodes JSON strings inside other text, such as a list in a system prompt. */
function withoutJsonEscapes(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-f]{4})|(["\\/nrt]))/gi,
    (_, code: string | undefined, short: string | undefined) =>
      code === undefined ? (JSON_ESCAPES[short!] ?? short!) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
