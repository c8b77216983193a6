import { isUtf8 } from 'node:buffer'
import type { SkillFiles } from '@repertoire/core'
import { readHidden } from '@repertoire/core/authoring'

/** A text that people do not see where it stands. */
export interface UnseenText {
  readonly path: string
  readonly line: number
  readonly text: string
}

/** What the files of a skill hold, for the person who decides whether it is installed. It judges nothing. */
export interface ContentFacts {
  /** Runs of hidden characters, decoded: tags and variation selectors as what they spell, others as `U+200B`. */
  readonly hidden: readonly UnseenText[]
  /** HTML comments of Markdown files. A model reads them, and a rendered page does not show them. */
  readonly comments: readonly UnseenText[]
  /** Addresses in Markdown files, sorted. */
  readonly addresses: readonly string[]
  /** Paths of files that are not UTF-8 text. */
  readonly binary: readonly string[]
}

const MARKDOWN = /\.(?:md|mdx|markdown)$/i
const ADDRESS = /\b(?:https?|wss?|ftp):\/\/[^\s<>"'`()[\]{}|\\^]+/gi
const MAX_TEXT_CHARS = 200

/** Looks at the bytes of all files of a skill. */
export function readFacts(files: SkillFiles): ContentFacts {
  const hidden: UnseenText[] = []
  const comments: UnseenText[] = []
  const addresses = new Set<string>()
  const binary: string[] = []
  for (const [path, { bytes }] of files) {
    if (bytes.includes(0) || !isUtf8(bytes)) {
      binary.push(path)
      continue
    }
    const text = new TextDecoder().decode(bytes)
    hidden.push(...at(path, text, readHidden(text)))
    if (!MARKDOWN.test(path)) continue
    comments.push(...at(path, text, commentsIn(text)))
    for (const [address] of text.matchAll(ADDRESS)) addresses.add(address.replace(/[.,;:!?*_~]+$/, ''))
  }
  return { hidden, comments, addresses: [...addresses].toSorted(), binary }
}

interface Found {
  readonly index: number
  readonly text: string
}

function commentsIn(text: string): readonly Found[] {
  const found: Found[] = []
  for (let index = text.indexOf('<!--'); index !== -1; index = text.indexOf('<!--', index + 4)) {
    const end = text.indexOf('-->', index + 4)
    const comment = text.slice(index + 4, end === -1 ? undefined : end).trim()
    if (comment !== '') found.push({ index, text: comment })
    if (end === -1) break
    index = end - 1
  }
  return found
}

/** With lines, each counted once: what was found is in the order of the text. */
function at(path: string, text: string, found: readonly Found[]): readonly UnseenText[] {
  let line = 1
  let counted = 0
  return found.map((each) => {
    for (let next = text.indexOf('\n', counted); next !== -1 && next < each.index; next = text.indexOf('\n', counted)) {
      line++
      counted = next + 1
    }
    const isLong = each.text.length > MAX_TEXT_CHARS
    return { path, line, text: isLong ? `${each.text.slice(0, MAX_TEXT_CHARS)}…` : each.text }
  })
}
