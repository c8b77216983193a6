import { LRUCache } from 'lru-cache'
import { SkillError } from '../errors.ts'
import { type ManifestParser, parseManifestPath, type SkillDocument } from '../manifest/index.ts'
import type { Profile } from '../ports/manifest.ts'
import type { Skill } from '../ports/skill.ts'

/** A skill's whole file, read. */
export interface LoadedSkill extends SkillDocument {
  readonly skill: Skill
  /** As the file says it now, which may be newer than what the catalog shows. */
  readonly manifest: NonNullable<SkillDocument['manifest']>
  readonly body: string
}

/** Reads whole skills, and keeps what it read for a while. */
export interface Documents {
  /** @throws {SkillError} SKILL_BROKEN, or what the folder's reading refuses */
  load(skill: Skill): Promise<LoadedSkill>
  /** Forgets a skill by its name, or all. A reading that is going on is not kept. */
  forget(name?: string): void
}

/** How long and how much is kept. */
export interface DocumentsOptions {
  readonly parser: ManifestParser
  readonly profile: Profile
  /** In milliseconds; 0: nothing is kept. */
  readonly ttl: number
  readonly now: () => number
}

/** Documents that are kept: a body is at most 1 MiB, and 6 KB in the median. */
const MAX_KEPT = 256

/** The cache is for people and tools that look at skills. An activation reads and verifies, whatever is kept here. */
export function createDocuments({ parser, profile, ttl, now }: DocumentsOptions): Documents {
  // By the skill itself: one of the next snapshot is another, so nothing of the last one is ever found.
  const kept = new LRUCache<Skill, { readonly since: number; readonly document: Promise<LoadedSkill> }>({
    max: MAX_KEPT,
  })

  async function read(skill: Skill): Promise<LoadedSkill> {
    const { path, name } = skill
    const document = await parser.document(await skill.folder.readManifest(), { ...parseManifestPath(path), profile })
    const { manifest, body } = document
    if (manifest === undefined || body === undefined) {
      const first = document.diagnostics.find(({ severity }) => severity === 'error')
      throw broken(skill, first?.message ?? 'It cannot be read.', first?.line)
    }
    if (manifest.name !== name)
      throw broken(skill, `It names another skill now, ${JSON.stringify(manifest.name)}.`, undefined)
    return { ...document, manifest, body, skill }
  }

  return {
    load(skill) {
      const known = kept.get(skill)
      if (known !== undefined && now() - known.since < ttl) return known.document
      const document = read(skill)
      if (ttl > 0) {
        const entry = { since: now(), document }
        kept.set(skill, entry)
        // What failed is tried again by the next.
        document.catch(() => kept.get(skill) === entry && kept.delete(skill))
      }
      return document
    },
    forget(name) {
      const forgotten = [...kept.keys()].filter((skill) => name === undefined || skill.name === name)
      for (const skill of forgotten) kept.delete(skill)
    },
  }
}

function broken({ name, path }: Skill, why: string, line: number | undefined): SkillError {
  return new SkillError('SKILL_BROKEN', `The skill "${name}" cannot be loaded from ${path}: ${why}`, {
    path,
    ...(line !== undefined && { line }),
  })
}
