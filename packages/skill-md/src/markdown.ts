/** A line of Markdown and its role. */
interface MarkdownLine {
  /** Without its line ending. */
  readonly text: string
  /** 0-based. */
  readonly index: number
  /** `open`, `close`: the fences of a code block; `code`: a line between; `comment`: part of an HTML comment. */
  readonly role: 'text' | 'open' | 'code' | 'close' | 'comment'
}

/** A fenced code block. */
export interface CodeBlock {
  /** The first word of the info string. Absent: it is empty. */
  readonly language?: string
  /** The lines between the fences, joined by line feeds, whatever line endings the file has. */
  readonly text: string
  /** The line of the opening fence, 0-based. */
  readonly index: number
  /** Whether there is a closing fence. Without one the block extends to the end of the text. */
  readonly closed: boolean
}

/** CommonMark 0.31.2, 4.5: the info string of a backtick fence may not hold a backtick. */
const OPENING = /^( *)(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^ \t]*)/
const CLOSING = /^( *)(`{3,}|~{3,})[ \t]*$/
/** The markers of list items and block quotes before their content. */
const CONTAINER = /^(?:[ \t]|>|[-+*][ \t]|\d{1,9}[.)][ \t])*/
const COMMENT = /^ {0,3}<!--/

interface OpenFence {
  readonly mark: string
  readonly indent: number
}

/**
 * Yields every line with its role, by the code fences of CommonMark. The scan is linear; nothing else of Markdown is
 * needed, so there is no Markdown parser.
 * @param nested whether fences inside lists and block quotes count too; default false: only those at the top level
 */
function* markdownLines(markdown: string, nested = false): Generator<MarkdownLine> {
  let fence: OpenFence | undefined
  let comment = false
  let index = 0
  for (const raw of markdown.split('\n')) {
    const text = raw.endsWith('\r') ? raw.slice(0, -1) : raw
    const bare = nested ? text.replace(CONTAINER, '') : text
    let role: MarkdownLine['role'] = 'text'
    if (fence !== undefined) {
      role = closes(bare, fence) ? 'close' : 'code'
      if (role === 'close') fence = undefined
    } else if (comment || COMMENT.test(text)) {
      role = 'comment'
      comment = !text.includes('-->')
    } else {
      fence = opens(bare)
      if (fence !== undefined) role = 'open'
    }
    yield { text, index, role }
    index++
  }
}

/** Yields the fenced code blocks at the top level, in order. */
export function* codeBlocks(markdown: string): Generator<CodeBlock> {
  let open: { readonly language: string; readonly index: number; readonly indent: number } | undefined
  let lines: string[] = []
  const block = (closed: boolean): CodeBlock => ({
    ...(open!.language === '' ? {} : { language: open!.language }),
    text: lines.join('\n'),
    index: open!.index,
    closed,
  })
  for (const { text, index, role } of markdownLines(markdown)) {
    if (role === 'open') {
      const [, blanks = '', , language = ''] = OPENING.exec(text)!
      open = { language, index, indent: blanks.length }
      lines = []
    } else if (role === 'code') lines.push(outdent(text, open!.indent))
    else if (role === 'close') {
      yield block(true)
      open = undefined
    }
  }
  if (open !== undefined) yield block(false)
}

function opens(line: string): OpenFence | undefined {
  const [, blanks = '', mark] = OPENING.exec(line) ?? []
  return mark === undefined || blanks.length > 3 ? undefined : { mark, indent: blanks.length }
}

function closes(line: string, { mark }: OpenFence): boolean {
  const [, blanks = '', closing = ''] = CLOSING.exec(line) ?? []
  return blanks.length <= 3 && closing[0] === mark[0] && closing.length >= mark.length
}

/** Removes the fence's indentation from a line, as far as the line has it. */
function outdent(line: string, indent: number): string {
  let blanks = 0
  while (blanks < indent && line[blanks] === ' ') blanks++
  return line.slice(blanks)
}

/** A link or an image of a Markdown text. */
interface MarkdownLink {
  /** As written, including its fragment and percent-encoding. */
  readonly target: string
  /** The line of the target, 0-based. */
  readonly index: number
}

/** A code span on one line. */
const CODE_SPAN = /`+[^`]*`+/g
/** The target of an inline link or an image, with at most one pair of parentheses around each part. */
const INLINE = /(?<!\\)\]\([ \t]*(?:<([^<>]{1,1024})>|((?:[^\s()<>]|\([^\s()]{0,200}\)){1,1024}))(?=[ \t)])/g
/** `[label]: target`, but not a footnote, `[^1]: text`. */
const DEFINITION = /^ {0,3}\[(?!\^)[^\]]{1,200}\]:[ \t]*(?:<([^<>]{1,1024})>|(\S{1,1024})(?!\S))/

/**
 * Returns the inline links and images of a text and its link definitions, each within one line. Code blocks, code spans
 * and HTML comments are skipped. It accepts some text that is not a link in CommonMark (a `](` without its opening
 * bracket), which is good enough for advice.
 */
export function findLinks(markdown: string): readonly MarkdownLink[] {
  const links: MarkdownLink[] = []
  for (const { text, index, role } of markdownLines(markdown, true)) {
    if (role !== 'text') continue
    const plain = text.replaceAll(CODE_SPAN, '')
    for (const [, angled, target = angled] of [DEFINITION.exec(plain) ?? [], ...plain.matchAll(INLINE)]) {
      if (target !== undefined) links.push({ target, index })
    }
  }
  return links
}
