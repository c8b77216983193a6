import { createInterface } from 'node:readline'
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
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    number++
    if (line.trim() !== '') yield readLine(line, number)
  }
}

function readLine(text: string, line: number): BatchLine {
  let value: unknown
  try {
    value = JSON.parse(text)
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
