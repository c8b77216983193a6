import { isAbsolute } from 'node:path'
import { inspectDemands, type SkillDemands } from '@repertoire/core/authoring'
import { checkSkillFiles } from '@repertoire/core/stores'
import { portableSource } from '../lock/lock-file.ts'
import { pinSkill } from '../lock/pin.ts'
import type { LockedSkill, PinnedScan, SkillPin } from '../lock/skills-lock.ts'
import type { FetchedSkill, ResolvedOrigin } from '../origins/origin.ts'
import { folderOfFiles } from '../store/files-folder.ts'
import { readFacts, type ContentFacts } from './facts.ts'
import type { Project } from './project.ts'
import type { ScanResult } from './scan.ts'

/** A fetched skill with what the lock will have of it. */
export interface FetchedContent {
  readonly skill: FetchedSkill
  readonly origin: ResolvedOrigin
  readonly description: string
  readonly pin: Required<Pick<LockedSkill, 'computedHash'>> & { readonly repertoire: SkillPin }
  demands(): Promise<SkillDemands>
  facts(): ContentFacts
}

/**
 * Judges a fetched skill as one that is stored, and pins it.
 * @throws {SkillError} as a store refuses to write it
 */
export async function readContent(skill: FetchedSkill, origin: ResolvedOrigin): Promise<FetchedContent> {
  const { manifest, body, definition } = await checkSkillFiles(skill.name, skill.files)
  const folder = folderOfFiles(skill.name, skill.files)
  const { computedHash, repertoire } = await pinSkill(folder, skill.revision ?? origin.revision)
  return {
    skill,
    origin,
    description: manifest.description,
    // Plain objects, so that they can be compared with the entries of a lock file.
    pin: { computedHash, repertoire: { ...repertoire, files: { ...repertoire.files } } },
    demands: () => inspectDemands({ manifest, body, definition, diagnostics: [] }, folder),
    facts: () => readFacts(skill.files),
  }
}

/** The entry of a skill after its installation. What others have written into it stays, if the origin is the same. */
export function entryOf(
  { skill, origin, pin }: FetchedContent,
  before: LockedSkill | undefined,
  { also, scanned }: { readonly also: readonly string[]; readonly scanned: ScanResult | undefined },
  { project, lockedFolder: folder }: Project,
): LockedSkill {
  const { source, sourceType, sourceUrl, ref } = origin
  const { wellKnownDigest, ref: _ref, sourceUrl: _url, ...others }: Partial<LockedSkill> = before ?? {}
  const isOfBefore = before !== undefined && isSameOrigin(before, origin, project)
  const isSameContent = before?.computedHash === pin.computedHash
  const scan = scanned === undefined ? (isSameContent && before?.repertoire?.scan) || undefined : pinnedScan(scanned)
  return {
    ...(isOfBefore && others),
    ...(isOfBefore && isSameContent && wellKnownDigest !== undefined && { wellKnownDigest }),
    source: isPath(origin) ? portableSource(source, project) : source,
    ...(sourceUrl !== undefined && { sourceUrl }),
    ...(ref !== undefined && { ref }),
    sourceType,
    skillPath: skill.path,
    computedHash: pin.computedHash,
    repertoire: {
      ...pin.repertoire,
      ...(folder !== undefined && { folder }),
      ...(also.length > 0 && { also }),
      ...(scan !== undefined && { scan }),
    },
  }
}

function pinnedScan({ scanner, version, verdict, findings }: ScanResult): PinnedScan {
  return { scanner, ...(version !== undefined && { version }), verdict, findings: findings.length }
}

/** Whether an entry names the same place. Another branch of it is the same place. */
export function isSameOrigin(entry: LockedSkill, origin: ResolvedOrigin, project: string): boolean {
  if (entry.sourceType !== origin.sourceType) return false
  if (isPath(origin)) return portableSource(entry.source, project) === portableSource(origin.source, project)
  return entry.source === origin.source
}

/** Whether the source is a path of this machine: a folder, or an archive. */
function isPath({ source, sourceType, sourceUrl }: ResolvedOrigin): boolean {
  return sourceType === 'local' || (sourceUrl === undefined && (isAbsolute(source) || /^\.{1,2}\//.test(source)))
}
