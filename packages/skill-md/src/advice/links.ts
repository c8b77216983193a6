import { markdownLines } from '../definition/markdown.ts'

/** A link or an image of a Markdown text. */
export interface MarkdownLink {
  /** As written, including its fragment and percent-encoding. */
  readonly target: string
  /** The line of the target, 0-based. */
  readonly index: number
}

/** Longer targets are not paths. */
const MAX_TARGET_CHARS = 1024

/** Links of one text that are read. A text of brackets alone has as many as it has pairs, and each is searched for its end. */
const MAX_LINKS = 5_000

/** `[label]: target`, but not a footnote, `[^1]: text`. */
const DEFINITION = /^ {0,3}\[(?!\^)[^\]]{1,200}\]:[ \t]*(?:<([^<>]{1,1024})>|(\S{1,1024})(?!\S))/

/**
 * Returns the inline links and images of a text and its link definitions. Code blocks, code spans and HTML comments are
 * skipped, and so is what comes after 5,000 links. Runs in linear time. It accepts some text that is not a link in CommonMark (a `](` without its opening
 * bracket), which is good enough for advice.
 */
export function findLinks(markdown: string): readonly MarkdownLink[] {
  const links: MarkdownLink[] = []
  const lines: string[] = []
  for (const { text, role } of markdownLines(markdown, true)) lines.push(role === 'text' ? text : '')
  const plain = withoutCodeSpans(lines.join('\n')).split('\n')
  let read = 0
  for (const [index, line] of plain.entries()) {
    const [, angled, bare] = DEFINITION.exec(line) ?? []
    const defined = angled ?? bare
    if (defined !== undefined) links.push({ target: defined, index })
    for (let at = line.indexOf(']('); at !== -1 && read < MAX_LINKS; at = line.indexOf('](', at + 2)) {
      read++
      const target = isEscaped(line, at) ? undefined : readTarget(line, at + 2)
      if (target !== undefined) links.push({ target, index })
    }
  }
  return links
}

/** Replaces code spans with spaces: text between two runs of backticks of the same length, within a paragraph. */
function withoutCodeSpans(text: string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map(blankSpans)
    .join('')
}

function blankSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].filter(({ index }) => !isEscaped(paragraph, index))
  const byLength = new Map<number, number[]>()
  for (const [order, [run]] of runs.entries()) {
    const orders = byLength.get(run.length)
    if (orders === undefined) byLength.set(run.length, [order])
    else orders.push(order)
  }
  // The next run of the same length closes the span; shorter and longer runs in between are content.
  const parts: string[] = []
  const next = new Map<number, number>()
  let from = 0
  for (let order = 0; order < runs.length; order++) {
    const [run] = runs[order]!
    const orders = byLength.get(run.length)!
    let position = next.get(run.length) ?? 0
    while (orders[position] !== undefined && orders[position]! <= order) position++
    next.set(run.length, position)
    const closing = orders[position]
    if (closing === undefined) continue
    const start = runs[order]!.index
    const end = runs[closing]!.index + run.length
    parts.push(paragraph.slice(from, start), paragraph.slice(start, end).replaceAll(/[^\n]/g, ' '))
    from = end
    order = closing
  }
  return parts.join('') + paragraph.slice(from)
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (slashes < 64 && text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

/** Returns the target that begins at `start`, after `](`; undefined where there is none or it does not end. */
function readTarget(line: string, start: number): string | undefined {
  let at = start
  while (line[at] === ' ' || line[at] === '\t') at++
  if (line[at] === '<') {
    const [, target] = /^<([^<>]+)>[ \t)]/.exec(line.slice(at, at + MAX_TARGET_CHARS)) ?? []
    return target
  }
  let depth = 0
  for (let end = at; end < line.length && end - at <= MAX_TARGET_CHARS; end++) {
    const character = line[end]
    if (character === ' ' || character === '\t') return end > at ? line.slice(at, end) : undefined
    if (character === '\\') end++
    else if (character === '(') depth++
    else if (character === ')' && depth-- === 0) return end > at ? line.slice(at, end) : undefined
  }
  return undefined
}
