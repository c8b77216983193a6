import { StringDecoder } from 'node:string_decoder'
import type { Input } from '../context.ts'
import { UsageError } from '../usage-error.ts'

/** A line of the standard input as a query, or why it is not one. */
export type BatchLine =
  | { readonly query: readonly string[]; readonly limit?: number }
  | { readonly error: string; readonly line: number }

const SHAPE = 'Give a phrase, a list of phrases, or { "query", "limit"? } as one line of JSON.'

/**
 * Reads queries, a line at a time. Empty lines are passed over.
 * @throws {UsageError} there is nothing to read from
 */
export async function* readBatch(input: Input | undefined): AsyncGenerator<BatchLine> {
  if (input === undefined || input.isTTY === true) {
    throw new UsageError('--batch reads what is piped in, and nothing is.')
  }
  let number = 0
  for await (const line of linesOf(input)) {
    number++
    if (line === undefined) yield { error: `It has more than ${MAX_LINE_CHARS} characters.`, line: number }
    else if (line.trim() !== '') yield readLine(line, number)
  }
}

/** Of a query, only the beginning counts. A line without an end must not fill the memory. */
const MAX_LINE_CHARS = 1_000_000

/**
 * Returns the lines of an input; undefined in the place of one that is too long. Not `readline`: for it U+2028 ends a line,
 * which JSON has inside of strings.
 */
async function* linesOf(input: Input): AsyncGenerator<string | undefined> {
  const decoder = new StringDecoder('utf8')
  let line = ''
  let isTooLong = false
  const take = (text: string): void => {
    isTooLong ||= line.length + text.length > MAX_LINE_CHARS
    line = isTooLong ? '' : line + text
  }
  for await (const chunk of input) {
    const [first = '', ...more] = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n')
    take(first)
    for (const text of more) {
      yield isTooLong ? undefined : line
      line = ''
      isTooLong = false
      take(text)
    }
  }
  take(decoder.end())
  if (isTooLong || line !== '') yield isTooLong ? undefined : line
}

function readLine(text: string, line: number): BatchLine {
  let value: unknown
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return { error: `It is not JSON. ${SHAPE}`, line }
  }
  const { query: given, limit } = isRecord(value) ? value : { query: value, limit: undefined }
  const query = typeof given === 'string' ? [given] : given
  if (!Array.isArray(query) || query.length === 0 || !query.every((phrase) => typeof phrase === 'string')) {
    return { error: `It holds no query. ${SHAPE}`, line }
  }
  if (limit === undefined) return { query }
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1) return { query, limit }
  return { error: 'Its limit is not a whole number, 1 or more.', line }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
