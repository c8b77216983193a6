import matter from 'gray-matter'
import type { Contestant } from './contestant.ts'
import { ownCode } from './own-code.ts'

/** `gray-matter`, fs.promises and zod. */
export function prepare(root: string): Contestant {
  // With options, even empty ones, it does not use its cache, so a second scan really parses.
  return ownCode(root, (text) => matter(text, {}).data)
}
