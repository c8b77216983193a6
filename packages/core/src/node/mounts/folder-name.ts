import { sha256 } from '../folder/file-hasher.ts'

/** Names of devices on Windows. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Lower-case letters, digits, `-` and `_`: no file system confuses two such names. */
const PLAIN_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/

/**
 * A folder's name for any text: the text itself if it is plain, otherwise its plain characters, `~`, and a hash. Different
 * texts get different names, even on file systems that ignore case, normal forms, or spaces and dots at the end; no name
 * is a path to another folder.
 */
export function folderName(text: string): string {
  if (PLAIN_NAME.test(text) && !WINDOWS_DEVICE.test(text)) return text
  const readable = text
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)
  // Hashed as JSON: in UTF-8, all lone surrogates would be the same character.
  return `${readable}~${sha256(JSON.stringify(text)).slice(0, 40)}`
}
