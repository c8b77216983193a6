import { RecentEntries } from '../../recent-entries.ts'
import {
  SkillError,
  parseManifestPath,
  LOAD_TIMEOUT_MS,
  MAX_DIGEST_FILE_BYTES,
  type SkillFolder,
  type Skill,
  quoteName,
} from '@repertoire/skill-md/internal'
import { measureNow } from '../../resources/digest.ts'
import { quoted, resourceParts } from '../../resources/path.ts'
import type { SkillMounts } from '../../ports/mount.ts'
import type { ScriptFile } from '../../ports/script-runner.ts'
import { inTime, untilAborted } from '../../time-limit.ts'
import type { ActiveSkill } from '../state/state.ts'
import { sha256Of } from '../../text/hash.ts'

interface PinnedFolder {
  /** The one that was measured, whatever the catalog has under the skill's name now. */
  readonly folder: SkillFolder
  readonly fileName: string
  /** SHA-256 of each file, hex, by its path. */
  readonly files: ReadonlyMap<string, string>
}

export type PinnedFolders = ReturnType<typeof createPinnedFolders>

/** Files whose hashes are remembered, over all folders. */
const MAX_FILES = 50_000

/** Bytes that a script may be given, all files of its folder together. */
const MAX_FOLDER_BYTES = 256 * 1024 * 1024

/** Files that are read at once. */
const MAX_READS = 16

/** Characters of the texts that are remembered, over all activations. */
const MAX_TEXT_CHARS = 8_000_000

/**
 * The folders of activated skills, by what was consented to. Shared by sessions: equal digests are equal files. What is
 * read of a skill with a private copy is read of that, so that a change of its folder breaks no running task.
 * @param skillOf returns a skill of the current catalog by where it was activated from
 * @param loadTimeout for measuring a folder, in milliseconds
 * @param mounts opens private copies
 */
export function createPinnedFolders(
  skillOf: (skill: ActiveSkill) => Skill | undefined,
  loadTimeout: number = LOAD_TIMEOUT_MS,
  mounts?: Pick<SkillMounts, 'open'>,
) {
  const pinned = new RecentEntries<string, PinnedFolder>(MAX_FILES, ({ files }) => sizeWithin(MAX_FILES, files.size))
  const texts = new RecentEntries<string, string>(MAX_TEXT_CHARS, (text) => sizeWithin(MAX_TEXT_CHARS, text.length))

  function folderInCatalog(active: ActiveSkill): Omit<PinnedFolder, 'files'> {
    const skill = skillOf(active)
    if (skill === undefined) {
      throw new SkillError(
        'RESOURCE_NOT_FOUND',
        `The folder of the skill ${quoteName(active.name)} is no longer in the catalog: it was removed, or its source has another id than when the skill was activated, as after a move of the project.`,
      )
    }
    return { folder: skill.folder, fileName: parseManifestPath(skill.path).fileName }
  }

  async function measure(
    active: ActiveSkill,
    { folder, fileName }: Omit<PinnedFolder, 'files'> = folderInCatalog(active),
  ): Promise<PinnedFolder> {
    const measuring = measureNow(folder, fileName)
    const what = `The folder of the skill ${quoteName(active.name)}`
    const { digest, files } = await inTime(measuring, loadTimeout, what)
    if (digest !== active.digest) {
      throw refusal(
        active,
        `The folder of the skill ${quoteName(active.name)} has changed since the skill was activated`,
      )
    }
    return { folder, fileName, files }
  }

  async function find(active: ActiveSkill): Promise<PinnedFolder> {
    const copy = active.mount && mounts?.open?.(active.mount)
    const known = pinned.get(folderKey(active)) ?? (await measureAgain(active, copy))
    return copy === undefined ? known : { ...known, folder: copy }
  }

  /** What is remembered of a copy, or what it or its folder is now. Links of a folder are not copied. */
  async function measureAgain(active: ActiveSkill, copy: SkillFolder | undefined): Promise<PinnedFolder> {
    const key = copy === undefined ? folderKey(active) : `${folderKey(active)} ${copy.location}`
    const ofCopy = copy && { folder: copy, fileName: 'SKILL.md' }
    const known = pinned.get(key) ?? (await measure(active, ofCopy).catch(() => measure(active)))
    pinned.set(key, known)
    return known
  }

  return {
    pin: (skill: ActiveSkill, folder: PinnedFolder) => void pinned.set(folderKey(skill), folder),
    rememberText: (skill: ActiveSkill, text: string) => void texts.set(textKey(skill), text),
    /** Returns the text that an activation showed; undefined if it is not remembered. */
    textOf: (skill: ActiveSkill) => texts.get(textKey(skill)),
    skillOf,
    /**
     * Returns the folder; it reads only files that have not changed since the skill was activated.
     * @throws {SkillError} RESOURCE_NOT_FOUND: the folder is gone. RESOURCE_REFUSED: nothing is remembered, as where
     * the session goes on in another process, and the folder has changed.
     */
    open: async (active: ActiveSkill) => unchangedFiles(active, await find(active)),
    /**
     * Reads every file that was agreed to, hidden ones too: what a script is run with. Files that have come since are
     * not among them.
     * @throws {SkillError} RESOURCE_REFUSED: a file has changed; RESOURCE_NOT_FOUND: one is gone; RESOURCE_TOO_LARGE
     */
    async readFiles(active: ActiveSkill, signal?: AbortSignal): Promise<readonly ScriptFile[]> {
      const { files, folder } = await untilAborted(find(active), signal)
      const { files: listed, withheld } = await untilAborted(folder.list(), signal)
      const executable = new Set([...listed, ...withheld.files].flatMap((file) => (file.executable ? file.path : [])))
      const unchanged = unchangedFiles(active, { files, folder })
      const paths = [...files.keys()]
      const read: ScriptFile[] = []
      let size = 0
      for (let start = 0; start < paths.length; start += MAX_READS) {
        const batch = paths.slice(start, start + MAX_READS).map(async (path) => ({
          path,
          executable: executable.has(path),
          bytes: await unchanged.read(path, { withheld: true, maxBytes: MAX_DIGEST_FILE_BYTES }),
        }))
        for (const file of await untilAborted(Promise.all(batch), signal)) {
          size += file.bytes.length
          read.push(file)
          if (size <= MAX_FOLDER_BYTES) continue
          const message = `The folder of the skill ${quoteName(active.name)} holds more than ${MAX_FOLDER_BYTES} bytes, so no script of it is run.`
          throw new SkillError('RESOURCE_TOO_LARGE', message, { path: active.location })
        }
      }
      return read
    },
    /**
     * Measures the whole folder again, never a copy, and returns it as `open` does.
     * @throws {SkillError} as `open` does, and RESOURCE_REFUSED if anything in it has changed
     */
    async verify(active: ActiveSkill) {
      const key = folderKey(active)
      const measured = await measure(active, pinned.get(key))
      pinned.set(key, measured)
      return unchangedFiles(active, measured)
    },
  }
}

/** A size as the cache takes it: what alone is larger than the limit is kept too, with nothing beside it. */
function sizeWithin(limit: number, size: number): number {
  return Math.min(Math.max(size, 1), limit)
}

function unchangedFiles(active: ActiveSkill, { folder, files }: Pick<PinnedFolder, 'folder' | 'files'>): SkillFolder {
  const { location, alias } = folder
  return {
    location,
    alias,
    readManifest: () => folder.readManifest(),
    list: () => folder.list(),
    async read(path, options) {
      const bytes = await folder.read(path, options)
      const name = resourceParts(path, location, options?.withheld).join('/')
      const hash = sha256Of(bytes)
      const pinnedHash = files.get(name)
      if (pinnedHash === hash) return bytes
      if (pinnedHash !== undefined) {
        throw refusal(
          active,
          `${quoted(name)} of the skill ${quoteName(active.name)} has changed since the skill was activated`,
        )
      }
      // Where a file system ignores case, a file is found by other spellings of its path too.
      const folded = name.toLowerCase()
      for (const [other, known] of files) if (known === hash && other.toLowerCase() === folded) return bytes
      throw refusal(
        active,
        `${quoted(name)} was not among the files of the skill ${quoteName(active.name)} that were looked at when it was activated`,
      )
    },
  }
}

function refusal({ name, location }: ActiveSkill, what: string): SkillError {
  return new SkillError(
    'RESOURCE_REFUSED',
    `${what}, so it is not what was agreed to. Deactivate ${quoteName(name)} and activate it again to use it as it is now.`,
    { path: location },
  )
}

/** The key of a skill's folder as it was consented to. */
export function folderKey({ source, location, digest }: ActiveSkill): string {
  // With the lengths no part of one can pass for a part of another.
  return `${source.length} ${location.length} ${source}${location}${digest}`
}

/**
 * The key of the text of an activation, which depends on the arguments, the private copy and the host's tools too.
 * Copies of several tasks may have one private path, and each its own folder.
 */
function textKey(active: ActiveSkill): string {
  const { args, mount, shownRules, shownDenied, shownMode } = active
  const shown = [args, mount?.path, mount?.location, shownRules, shownDenied, shownMode]
  return `${JSON.stringify(shown)}${folderKey(active)}`
}
