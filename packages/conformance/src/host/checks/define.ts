import { failure, show } from '../../failure.ts'
import type { HostArea, HostCheck } from '../check.ts'
import { firstMissingLine, shows, showsLines } from '../text.ts'

type Written = Omit<HostCheck, 'area' | 'level' | 'title'> & {
  readonly level?: HostCheck['level']
  /** The demand, without the requirement. */
  readonly demands: string
}

/** Returns the checks of an area. The level is `MUST` unless a check says otherwise. */
export function hostChecksOf(area: HostArea, written: readonly Written[]): readonly HostCheck[] {
  return written.map(({ demands, level = 'MUST', ...check }) => ({
    ...check,
    area,
    level,
    title: `[CONF-7] ${demands}`,
  }))
}

/** Returns the text of a `SKILL.md`. The description is YAML as it is written. */
export function manifest(name: string, description: string, body: string, fields = ''): string {
  return `---\nname: ${name}\ndescription: ${description}\n${fields}---\n\n${body}\n`
}

/** Asserts that one of the texts shows a part. */
export function shown(what: string, texts: readonly string[], part: string): void {
  if (!shows(texts, part)) throw failure(`${what} to show ${show(part, 240)}`, nearest(texts, part))
}

/** Asserts that no text shows a part. */
export function hidden(what: string, texts: readonly string[], part: string): void {
  if (shows(texts, part)) throw failure(`${what} not to show ${show(part, 240)}`, nearest(texts, part))
}

/** Asserts that one of the texts shows all lines of a text, in their order. */
export function wholly(what: string, texts: readonly string[], lines: string): void {
  if (showsLines(texts, lines)) return
  const missing = firstMissingLine(texts, lines)
  throw failure(`${what} to show every line of the file in order`, missing ?? 'the lines in another order')
}

const CONTEXT_CHARS = 160

/** The texts around what is the most similar to a part, for messages. */
function nearest(texts: readonly string[], part: string): string {
  for (let length = part.length; length >= 8; length = Math.floor(length * 0.7)) {
    const start = part.slice(0, length)
    for (const text of texts) {
      const at = text.indexOf(start)
      if (at !== -1) return text.slice(Math.max(0, at - CONTEXT_CHARS / 2), at + length + CONTEXT_CHARS)
    }
  }
  const last = texts.filter((text) => text.trim() !== '').at(-1) ?? ''
  return last.length > 2 * CONTEXT_CHARS ? `… ${last.slice(-2 * CONTEXT_CHARS)}` : last
}
