/** A line of Markdown and what it belongs to. */
export interface MarkdownLine {
  /** Without its end. */
  readonly text: string
  /** 0-based. */
  readonly index: number
  /** `open` and `close` are the fences of a code block, `code` is what stands between, `comment` an HTML comment. */
  readonly role: 'text' | 'open' | 'code' | 'close' | 'comment'
}

/** A fenced code block. */
export interface CodeBlock {
  /** The first word of the info string. Absent: there is none. */
  readonly language?: string
  /** The lines between the fences, each but the last ended by a line feed, whatever the file ends them with. */
  readonly text: string
  /** The line of the opening fence, 0-based. */
  readonly index: number
  /** Whether a closing fence was found. Without one the block goes on to the end. */
  readonly closed: boolean
}

/** CommonMark 0.31.2, 4.5: no backtick may follow in the info string of a fence of backticks. */
const OPENING = /^( *)(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^ \t]*)/
const CLOSING = /^( *)(`{3,}|~{3,})[ \t]*$/
/** What list items and quotes put before their content. */
const CONTAINER = /^(?:[ \t]|>|[-+*][ \t]|\d{1,9}[.)][ \t])*/
const COMMENT = /^ {0,3}<!--/

interface OpenFence {
  readonly mark: string
  readonly indent: number
}

/**
 * Tells the lines of text from those of code, by the fences of CommonMark. The scan is linear and needs no more of
 * Markdown than this, so there is no parser for it.
 * @param nested whether fences inside lists and quotes count too; default false: only those at the top level
 */
export function* markdownLines(markdown: string, nested = false): Generator<MarkdownLine> {
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

/** The fenced code blocks at the top level, in their order. */
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
  const [, blanks = '', other = ''] = CLOSING.exec(line) ?? []
  return blanks.length <= 3 && other[0] === mark[0] && other.length >= mark.length
}

/** A fence's own indentation is taken off its lines, as far as they have it. */
function outdent(line: string, indent: number): string {
  let blanks = 0
  while (blanks < indent && line[blanks] === ' ') blanks++
  return line.slice(blanks)
}
