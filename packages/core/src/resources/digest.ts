import {
  isSkillError,
  type FolderFiles,
  type FolderListing,
  type SkillFolder,
  MAX_DIGEST_FILE_BYTES,
} from '@repertoire/skill-md/internal'
import { loadHashes, sha256Of } from '../text/hash.ts'

/** The content of a folder as one value. */
export interface FolderDigest {
  /** SHA-256, hex. */
  readonly digest: string
  /**
   * Whether it covers everything in the folder. False if the listing is incomplete, if a file is over 64 MiB, and if
   * there are entries that are not read (a link, a device, a file without permission, `node_modules`): a model is shown
   * none of those, but a script that the host runs may use them, and their changes go unnoticed.
   */
  readonly whole: boolean
  /** SHA-256, hex, of every file that was read, hidden ones and the manifest too, by its path. */
  readonly files: ReadonlyMap<string, string>
}

/**
 * SHA-256 of the content of a skill's folder, hex: for every file, in the order of the paths, its path, executable bit,
 * and the SHA-256 of its bytes; then the entries that are never read; then both for what is withheld, hidden files.
 * Anyone can recompute it: `sha256(lines.join(""))` with one line `<hash>  <x|->  <path>\n` a file and
 * `refused  <path>\n` an entry, the paths as JSON strings. Only `.git` is not covered: it changes with every command
 * of git. A skill whose scripts keep their code there could change unseen.
 *
 * The caller passes the bytes of SKILL.md from which it has read the skill's rights: a second read could return others.
 *
 * A folder that cannot be read in full (see `FolderDigest.whole`) has another digest at every call, so that no earlier
 * consent applies to it.
 */
export async function digestFolder(folder: SkillFolder, listing: FolderListing, manifest: Uint8Array): Promise<string> {
  const { digest, whole } = await measureFolder(folder, listing, { path: 'SKILL.md', bytes: manifest })
  return whole ? digest : sha256Of(crypto.randomUUID())
}

/** Measures a folder as it is now, in one pass where the folder can do that. */
export async function measureNow(folder: SkillFolder, fileName: string): Promise<FolderDigest> {
  const survey = await folder.survey?.()
  if (survey !== undefined) return survey
  const bytes = await folder.readManifest()
  return measureFolder(folder, await folder.list(), { path: fileName, bytes })
}

/**
 * Returns the digest of what can be read in a folder, the same for every call, and whether that is everything.
 * @param known SHA-256, hex, of files that need not be read, by path
 */
export async function measureFolder(
  folder: SkillFolder,
  listing: FolderListing,
  manifest: { readonly path: string; readonly bytes: Uint8Array },
  known: ReadonlyMap<string, string> = new Map(),
): Promise<FolderDigest> {
  await loadHashes()
  const hashes = new Map(known).set(manifest.path, known.get(manifest.path) ?? sha256Of(manifest.bytes))
  const unread = new Map<string, string>()
  for (const part of [listing, listing.withheld]) {
    for (const { path } of part.files) {
      if (hashes.has(path)) continue
      const bytes = await bytesOf(folder, path, part !== listing)
      if (typeof bytes === 'string') unread.set(path, bytes)
      else hashes.set(path, sha256Of(bytes))
    }
  }
  return digestOf(listing, manifest.path, { hashes, unread })
}

function digestOf(
  listing: FolderListing,
  manifestPath: string,
  { hashes, unread }: Readonly<Record<'hashes' | 'unread', ReadonlyMap<string, string>>>,
): FolderDigest {
  const manifestHash = hashes.get(manifestPath)!
  const files = new Map([[manifestPath, manifestHash]])
  // Rights come from these bytes, so they count even if the file is missing in the listing, which is made later.
  const isListed = listing.files.some(({ path }) => path === manifestPath)
  let lines = isListed ? '' : lineOf(manifestHash, false, manifestPath)
  for (const part of [listing, listing.withheld]) {
    for (const { path, executable } of part.files) {
      const hash = hashes.get(path)
      if (hash !== undefined) files.set(path, hash)
      lines += lineOf(hash ?? unread.get(path)!, executable, path)
    }
    for (const { path } of part.refused) lines += `refused  ${JSON.stringify(path)}\n`
  }
  return { digest: sha256Of(lines), whole: unread.size === 0 && isWhole(listing) && isWhole(listing.withheld), files }
}

function isWhole({ truncated, refused }: FolderFiles): boolean {
  return !truncated && refused.length === 0
}

function lineOf(hash: string, executable: boolean, path: string): string {
  return `${hash}  ${executable ? 'x' : '-'}  ${JSON.stringify(path)}\n`
}

/** Returns a file's bytes, or a word to be used instead of their hash if they cannot be read. */
async function bytesOf(folder: SkillFolder, path: string, withheld: boolean): Promise<Uint8Array | string> {
  try {
    return await folder.read(path, { maxBytes: MAX_DIGEST_FILE_BYTES, withheld })
  } catch (error) {
    if (!isSkillError(error)) throw error
    return error.code === 'RESOURCE_TOO_LARGE' ? 'too-large' : 'refused'
  }
}
