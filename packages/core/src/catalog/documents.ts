import {
  type Diagnostic,
  type Profile,
  type Skill,
  type SkillDocument,
  SkillError,
  quoteName,
  showName,
  withOrigin,
  parseManifestPath,
} from '@repertoire/skill-md/internal'
import { parseDocument } from '@repertoire/skill-md/internal/parser'
import { RecentEntries } from '../recent-entries.ts'
import { firstError } from '../text/message.ts'

/** A skill's whole file, parsed. */
export interface LoadedSkill extends SkillDocument {
  readonly skill: Skill
  /** From the file as it is now, which may be newer than the catalog. */
  readonly manifest: NonNullable<SkillDocument['manifest']>
  readonly body: string
}

export type Documents = ReturnType<typeof createDocuments>

/** A body is at most 1 MiB; the median is 6 KB. */
const MAX_CACHED_DOCUMENTS = 256

/**
 * The cache is for people and tools that inspect skills. An activation always reads and verifies the file itself.
 * @param ttl in milliseconds; 0: nothing is cached
 */
export function createDocuments(profile: Profile, ttl: number, now: () => number) {
  // Keyed by the skill object: a new snapshot has new objects, so a document of an older snapshot is never returned.
  const documents = new RecentEntries<Skill, { readonly since: number; readonly document: Promise<LoadedSkill> }>(
    MAX_CACHED_DOCUMENTS,
  )

  async function read(skill: Skill): Promise<LoadedSkill> {
    const { path, name } = skill
    const document = await parseDocument(await skill.folder.readManifest(), { ...parseManifestPath(path), profile })
    const { manifest, body = '' } = document
    if (manifest === undefined) throw broken(skill, firstError(document.diagnostics))
    if (manifest.name !== name)
      throw broken(skill, { message: `It names another skill now, ${quoteName(manifest.name)}.` })
    return { ...document, manifest: withOrigin(manifest, skill.origin), body, skill }
  }

  return {
    /** @throws {SkillError} SKILL_BROKEN, or the folder's error if it refuses to read the file */
    async load(skill: Skill): Promise<LoadedSkill> {
      const cached = documents.get(skill)
      if (cached !== undefined && now() - cached.since < ttl) return cached.document
      const document = read(skill)
      if (ttl > 0) {
        const entry = { since: now(), document }
        documents.set(skill, entry)
        // A failure is not cached: the next call reads again.
        document.catch(() => documents.get(skill) === entry && documents.delete(skill))
      }
      return document
    },
    /** Removes the skills of a name from the cache, or all skills. The result of a read in progress is not cached. */
    forget(name?: string) {
      for (const skill of documents.keys()) if (name === undefined || skill.name === name) documents.delete(skill)
    },
  }
}

function broken({ name, path }: Skill, { message, line }: Pick<Diagnostic, 'message' | 'line'>): SkillError {
  return new SkillError(
    'SKILL_BROKEN',
    `The skill ${quoteName(name)} cannot be loaded from ${showName(path)}: ${message}`,
    {
      path,
      line,
    },
  )
}
