import { sha256 } from './file-hasher.ts'

/** Names that Windows takes for devices. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Small letters, digits, and what joins them: a name by which no file system takes two texts for one. */
const PLAIN = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/

/**
 * A folder's name for any text: the text itself where it is plain, else what is left of it, `~`, and a hash. Different
 * texts have different names, also where case, normal forms, blanks or dots at the end do not tell names apart; none
 * leads anywhere else.
 */
export function folderName(text: string): string {
  if (PLAIN.test(text) && !DEVICES.test(text)) return text
  // Long texts are cut first. As JSON: as UTF-8, halves of characters would all be one.
  const rest = text
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)
  return `${rest}~${sha256(JSON.stringify(text)).slice(0, 40)}`
}
