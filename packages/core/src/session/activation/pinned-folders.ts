import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { LRUCache } from 'lru-cache'
import { SkillError } from '../../errors.ts'
import { parseManifestPath } from '../../manifest/index.ts'
import { type FolderDigest, measureFolder } from '../../resources/digest.ts'
import { quoted, resourceParts } from '../../resources/path.ts'
import type { SkillFolder } from '../../ports/folder.ts'
import type { Skill } from '../../ports/skill.ts'
import type { ActiveSkill } from '../state/state.ts'

/** A folder as it was when its skill was activated. */
interface PinnedFolder {
  /** The one that was measured, whatever the catalog has under the skill's name by now. */
  readonly folder: SkillFolder
  /** The manifest's file name. */
  readonly fileName: string
  /** What each file held: SHA-256, hex, by its path. */
  readonly files: ReadonlyMap<string, string>
}

/** The folders of activated skills, by what was agreed to. Shared by sessions: equal digests are equal files. */
export interface PinnedFolders {
  /** Remembers what was measured. */
  hold(skill: ActiveSkill, folder: PinnedFolder): void
  /**
   * The folder with the reading of files that are as they were when the skill was activated, and of no others.
   * @throws {SkillError} RESOURCE_NOT_FOUND: it is gone. RESOURCE_REFUSED: nothing is remembered, as where the
   * session goes on in another process, and the folder is not what it was.
   */
  open(skill: ActiveSkill): Promise<SkillFolder>
  /**
   * The same, and the whole folder is looked through anew.
   * @throws {SkillError} as `open` does, and RESOURCE_REFUSED where anything in it has changed
   */
  verify(skill: ActiveSkill): Promise<SkillFolder>
  /** Remembers what an activation showed. */
  holdText(skill: ActiveSkill, text: string): void
  /** What an activation showed; undefined where that is not remembered. */
  textOf(skill: ActiveSkill): string | undefined
  /** The skill as the catalog has it now, at the place where it was activated from. */
  skillOf(skill: ActiveSkill): Skill | undefined
}

/** Files whose hashes are remembered, over all folders. */
const MAX_FILES = 50_000

/** Characters of the texts of activations that are remembered, over all of them. */
const MAX_TEXT_CHARS = 8_000_000

/** @param find a skill of the catalog as it is now, by where it was activated from */
export function createPinnedFolders(find: (skill: ActiveSkill) => Skill | undefined): PinnedFolders {
  const held = new LRUCache<string, PinnedFolder>({
    maxSize: MAX_FILES,
    sizeCalculation: ({ files }) => sizeWithin(MAX_FILES, files.size),
  })
  const texts = new LRUCache<string, string>({
    maxSize: MAX_TEXT_CHARS,
    sizeCalculation: (text) => sizeWithin(MAX_TEXT_CHARS, text.length),
  })

  function found(active: ActiveSkill): Omit<PinnedFolder, 'files'> {
    const skill = find(active)
    if (skill === undefined) {
      throw new SkillError(
        'RESOURCE_NOT_FOUND',
        `The folder of the skill "${active.name}" is no longer in the catalog.`,
      )
    }
    return { folder: skill.folder, fileName: parseManifestPath(skill.path).fileName }
  }

  async function measure(
    active: ActiveSkill,
    { folder, fileName }: Omit<PinnedFolder, 'files'> = found(active),
  ): Promise<PinnedFolder> {
    const { digest, files } = (await folder.survey?.()) ?? (await measured(folder, fileName))
    if (digest !== active.digest) throw changed(active, `The folder of the skill "${active.name}" has changed`)
    return { folder, fileName, files }
  }

  return {
    hold: (skill, folder) => held.set(keyOf(skill), folder),
    holdText: (skill, text) => texts.set(textKeyOf(skill), text),
    textOf: (skill) => texts.get(textKeyOf(skill)),
    skillOf: find,
    async open(active) {
      const known = held.get(keyOf(active)) ?? (await measure(active))
      held.set(keyOf(active), known)
      return unchanged(active, known)
    },
    async verify(active) {
      const now = await measure(active, held.get(keyOf(active)))
      held.set(keyOf(active), now)
      return unchanged(active, now)
    },
  }
}

/** The last key, and what it was made of: a skill is looked for several times in a row. */
let last: (Pick<ActiveSkill, 'source' | 'location' | 'digest'> & { readonly key: string }) | undefined

function keyOf({ source, location, digest }: ActiveSkill): string {
  if (last?.digest === digest && last.location === location && last.source === source) return last.key
  // By the lengths nothing of one can pass for a part of the other.
  const key = `${source.length} ${location.length} ${source}${location}${digest}`
  last = { source, location, digest, key }
  return key
}

/** All that a text is made of beside the folder. Copies of several tasks may have one path, and each its own place. */
function textKeyOf(active: ActiveSkill): string {
  const { args, mount } = active
  return args === undefined && mount === undefined
    ? keyOf(active)
    : `${JSON.stringify([args ?? null, mount?.path ?? null, mount?.location ?? null])}${keyOf(active)}`
}

/** A size as the cache takes it: what alone is larger than the limit is kept too, with nothing beside it. */
function sizeWithin(limit: number, size: number): number {
  return Math.min(Math.max(size, 1), limit)
}

async function measured(folder: SkillFolder, fileName: string): Promise<FolderDigest> {
  const bytes = await folder.readManifest()
  return measureFolder(folder, await folder.list(), { path: fileName, bytes })
}

function unchanged(active: ActiveSkill, { folder, files }: PinnedFolder): SkillFolder {
  const { location, alias } = folder
  return {
    location,
    ...(alias !== undefined && { alias }),
    readManifest: () => folder.readManifest(),
    list: () => folder.list(),
    async read(path, options) {
      const bytes = await folder.read(path, options)
      const name = resourceParts(path, location, options?.withheld).join('/')
      const hash = bytesToHex(sha256(bytes))
      const agreed = files.get(name)
      if (agreed === hash) return bytes
      if (agreed !== undefined) throw changed(active, `${quoted(name)} of the skill "${active.name}" has changed`)
      // Where case does not tell two files apart, a file is found by other spellings of its path too.
      const folded = name.toLowerCase()
      for (const [other, known] of files) if (known === hash && other.toLowerCase() === folded) return bytes
      throw changed(active, `${quoted(name)} was not among the files of the skill "${active.name}" that were looked at`)
    },
  }
}

function changed({ name, location }: ActiveSkill, what: string): SkillError {
  const when = what.endsWith('changed') ? 'since the skill was activated' : 'when it was activated'
  return new SkillError(
    'RESOURCE_REFUSED',
    `${what} ${when}, so it is not what was agreed to. Deactivate "${name}" and activate it again to use it as it is now.`,
    { path: location },
  )
}
