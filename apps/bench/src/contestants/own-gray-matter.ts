import matter from 'gray-matter'
import type { Contestant } from './contestant.ts'
import { ownCode } from './own-code.ts'

/** `gray-matter`, fs.promises and zod. */
export function prepare(root: string): Contestant {
  // With options, even empty ones, it does not answer from its cache: a second scan reads what is there then.
  return ownCode(root, (text) => matter(text, {}).data)
}
