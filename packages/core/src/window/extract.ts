import type { SummarizedMessage } from '../ports/summarizer.ts'
import { type Covered, summaryRequest } from './transcript.ts'

/** At most: other scripts, and text without words, have fewer. */
const CHARS_PER_TOKEN = 3
const MAX_LINE_CHARS = 400
const MIN_LINE_CHARS = 60

/** How much more is kept of what persons have said. */
const PERSON_FACTOR = 3

const ROLES = { user: 'User', assistant: 'Assistant', tool: 'Result' } as const

/**
 * Returns an extract of a conversation in the place of a summary: a line for each message, persons' in more detail, and
 * where these are too many the first and the last. Deterministic, and never longer than about `maxTokens`.
 * @param density the tokens of a character of each message
 */
export function extractOf(covered: Covered, maxTokens: number, density: readonly number[]): string {
  const { messages } = summaryRequest(covered, maxTokens)
  const maxChars = Math.floor(maxTokens * charsPerToken(messages, density))
  // The earlier summary gets its share, or the beginning of a long conversation would soon be gone.
  const earlier = covered.previous === undefined ? [] : [shortened(covered.previous, Math.floor(maxChars / 3))]
  const room = maxChars - charsOf(earlier)
  const linesOf = (limit: number): readonly string[] =>
    messages.map(
      ({ role, text }) => `${ROLES[role]}: ${shortened(text, role === 'user' ? PERSON_FACTOR * limit : limit)}`,
    )
  let limit = MAX_LINE_CHARS
  let lines = linesOf(limit)
  while (limit > MIN_LINE_CHARS && charsOf(lines) > room) {
    limit = Math.max(MIN_LINE_CHARS, Math.floor(limit / 2))
    lines = linesOf(limit)
  }
  return [...earlier, ...withoutMiddle(lines, room)].join('\n')
}

function charsPerToken(messages: readonly SummarizedMessage[], density: readonly number[]): number {
  const chars = messages.reduce((sum, { text }) => sum + text.length, 0)
  const tokens = messages.reduce((sum, { text }, at) => sum + text.length * density[at]!, 0)
  return tokens > 0 ? Math.min(CHARS_PER_TOKEN, chars / tokens) : CHARS_PER_TOKEN
}

/** A text as one line: its beginning, and where it is too long some of its end. */
function shortened(text: string, maxChars: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxChars) return line
  const end = Math.floor(maxChars / 4)
  return `${line.slice(0, maxChars - end)} … ${line.slice(line.length - end)}`.toWellFormed()
}

/** The first and the last lines, as many as there is room for; one of each at least. */
function withoutMiddle(lines: readonly string[], room: number): readonly string[] {
  if (charsOf(lines) <= room || lines.length < 3) return lines
  let first = 1
  let last = 1
  const kept = (): readonly string[] => [...lines.slice(0, first), ...lines.slice(-last)]
  while (first + last < lines.length - 1 && charsOf(kept()) < room) {
    if (last > first) first++
    else last++
  }
  return [...lines.slice(0, first), `(${lines.length - first - last} messages left out)`, ...lines.slice(-last)]
}

function charsOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}
