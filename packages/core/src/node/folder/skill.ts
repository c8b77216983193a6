import { lstatSync, realpathSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  SkillError,
  flag,
  oneOf,
  withDefault,
  checkOptions,
  type OptionTable,
  type FolderListing,
  type SkillFolder,
  MAX_MANIFEST_BYTES,
  MAX_RESOURCE_BYTES,
} from '@repertoire/skill-md/internal'
import { quoted, resourceParts } from '../../resources/path.ts'
import { OpenError, explainOpenError, fileError, systemCode } from './open-error.ts'
import { MANIFEST_NAME } from './names.ts'
import { listIn, openSkillInPlace, readFile, type Access, type DiskFolder, type ReadRules } from './reading.ts'

/** Options of `skillFolder`. */
export interface SkillFolderOptions extends ReadRules {
  /** Whether the path itself may be a link, which is resolved once. Default false. */
  readonly followLinks?: boolean | undefined
}

/** Whether hard links are read. */
export const hardLinksKind = withDefault('refuse', oneOf('refuse', 'allow'))

const OPEN_SKILL_FOLDER_OPTIONS: OptionTable<SkillFolderOptions> = {
  followLinks: withDefault(false, flag),
  hardLinks: hardLinksKind,
}

/**
 * Opens one skill's folder for reading. Links in it are never followed, hidden files are read for digests only,
 * `node_modules` and `.git` never, and a folder that is later swapped for a link is refused.
 * @param path absolute, or relative to the working folder of this moment
 * @throws {SkillError} RESOURCE_NOT_FOUND (no such folder), RESOURCE_REFUSED (a file, a link, no permission)
 * @throws {TypeError} if an option does not have the shape named here
 */
export function skillFolder(path: string, options: SkillFolderOptions = {}): SkillFolder {
  checkOptions('skillFolder', OPEN_SKILL_FOLDER_OPTIONS, options, 'skillFolder(path, { followLinks: true })')
  const { followLinks = false, hardLinks = 'refuse' } = options
  if (typeof path !== 'string' || path === '') throw new TypeError('skillFolder: pass the path of a folder.')
  const location = resolve(path)
  try {
    const isLink = lstatSync(location).isSymbolicLink()
    if (isLink && !followLinks) throw new OpenError('link')
    const real = realpathSync.native(location)
    // It may have been swapped for a link since `lstat`.
    if (!isLink && dirname(real) !== realpathSync.native(dirname(location))) throw new OpenError('link')
    if (!lstatSync(real).isDirectory()) throw new OpenError('missing')
    return createSkillFolder(isLink ? real : location, real, location, { hardLinks, fileName: MANIFEST_NAME })
  } catch (error) {
    const { kind } = explainOpenError(error, location)
    if (kind === 'missing') {
      throw new SkillError(
        'RESOURCE_NOT_FOUND',
        `There is no folder ${quoted(location)}. Pass the folder that holds SKILL.md.`,
        { path: location, cause: error },
      )
    }
    const reason =
      kind === 'link'
        ? 'it is a link. Pass the folder that it leads to, or followLinks: true.'
        : `it cannot be opened${systemCode(error)}. Check its permissions.`
    throw new SkillError('RESOURCE_REFUSED', `The folder ${quoted(location)} is not opened: ${reason}`, {
      path: location,
      cause: error,
    })
  }
}

/**
 * Creates a skill's folder at a path that was already checked. Nothing is opened before the first read.
 * @param location as people and models are shown it
 * @param real the path without links, to which the folder is pinned
 * @param found the path by which it was found
 * @param access shared by all folders with the same rules
 */
export function createSkillFolder(location: string, real: string, found: string, access: Access): DiskFolder {
  // Thousands are kept in memory, so optional properties are left out.
  if (real === location && found === location) return { location, access, readManifest, list, read }
  return { location, access, readManifest, list, read, real, alias: real === location ? found : real }
}

export function isDiskFolder(folder: SkillFolder): folder is DiskFolder {
  return folder.read === read && 'access' in folder
}

async function readManifest(this: DiskFolder): Promise<Uint8Array> {
  return readFile(this, [this.access.fileName], MAX_MANIFEST_BYTES)
}

async function read(
  this: DiskFolder,
  path: string,
  { maxBytes = MAX_RESOURCE_BYTES, withheld = false }: { maxBytes?: number; withheld?: boolean } = {},
): Promise<Uint8Array> {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) throw new TypeError('maxBytes is a whole number from 0 on.')
  const parts = resourceParts(path, this.location, withheld)
  // NTFS reads a name such as "a.md:b" as another stream of the file.
  if (process.platform === 'win32' && path.includes(':'))
    throw fileError(new OpenError('missing'), this.location, path, path)
  return readFile(this, parts, maxBytes)
}

async function list(this: DiskFolder): Promise<FolderListing> {
  const folder = await openSkillInPlace(this)
  try {
    return listIn(folder, this)
  } finally {
    folder.close()
  }
}
