import { createManifestParser, createMemory } from '../manifest/index.ts'
import type { ManifestParser, Metadata } from '../manifest/index.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Profile } from '../ports/manifest.ts'
import type { Layer, Skill } from '../ports/skill.ts'
import type { FoundSkill, SkillLocator, SkillSource } from '../ports/source.ts'
import type { PendingDiagnostic } from './pending-diagnostic.ts'
import { createToSkill } from './lazy-skill.ts'

/** A manifest that is there and from which no skill was loaded. */
export interface BrokenSkill {
  /** The name that it gives itself, where one can be read; it was not checked. */
  readonly declared?: string
  readonly folderName: string
  /** The manifest file; the diagnostics that say why carry the same path. */
  readonly path: string
  readonly layer: Layer
  /** The id of the source it came from. */
  readonly source: string
}

/** What the sources hold, in the order of discovery. */
export interface Scan {
  readonly found: readonly Skill[]
  /** Those of `found` that cannot be read now and are as an earlier scan found them. */
  readonly kept: readonly Skill[]
  readonly broken: readonly BrokenSkill[]
  /** Everything that was found to say, in the order of discovery. */
  readonly sayings: readonly PendingDiagnostic[]
}

/**
 * Scans every source. One broken, unreadable or hostile skill never stops the others, nor does a source that fails as
 * a whole: each becomes a diagnostic.
 * @param former every skill of the scan before. One whose manifest cannot be read any more stays as it was; so do all
 * of a source that fails.
 * @returns with `memory`: held for as long as what was read is not to be read again by later scans
 */
export async function scanSources(
  sources: readonly SkillSource[],
  profile: Profile,
  former: readonly Skill[] = [],
): Promise<Scan & { readonly memory: object }> {
  const memory = createMemory(profile)
  const parser = createManifestParser(undefined, memory)
  const scans: Scan[] = []
  for (const source of sources) scans.push(await scanSource(source, parser, profile, former))
  return {
    found: joined(scans.map(({ found }) => found)),
    kept: joined(scans.map(({ kept }) => kept)),
    broken: joined(scans.map(({ broken }) => broken)),
    // A list that has grown has room for more; a copy has none.
    sayings: joined(scans.map(({ sayings }) => sayings)).slice(),
    memory: memory.end(),
  }
}

/** Most programs have one source with nearly all of the skills. */
function joined<T>([first = [], ...others]: readonly (readonly T[])[]): readonly T[] {
  return others.length === 0 ? first : first.concat(...others)
}

async function scanSource(
  source: SkillSource,
  parser: ManifestParser,
  profile: Profile,
  former: readonly Skill[],
): Promise<Scan> {
  const { id, layer } = source
  // What an answer that is still awaited gives has its place already: the order is that of discovery.
  const sayings: PendingDiagnostic[] = []
  const found: (Skill | undefined)[] = []
  const kept: Skill[] = []
  const broken: BrokenSkill[] = []
  const awaited: Promise<void>[] = []
  let byPath: ReadonlyMap<string, Skill> | undefined

  /** The skills of this source in the scan before, by the paths of their manifests. */
  const formerSkills = (): ReadonlyMap<string, Skill> =>
    (byPath ??= new Map(
      former.filter((skill) => skill.layer === layer && isOf(skill.source, id)).map((skill) => [skill.path, skill]),
    ))
  const lost = new Set<string>()
  const lose = (skill: BrokenSkill, at: number): readonly Diagnostic[] => {
    if (lost.has(skill.path)) return []
    lost.add(skill.path)
    broken.push(skill)
    const known = former.length === 0 ? undefined : formerSkills().get(skill.path)
    if (known === undefined) return []
    found[at] = known
    kept.push(known)
    return [keptDiagnostic(known)]
  }
  const toSkill = createToSkill(layer)
  const judged = (
    candidate: FoundSkill,
    shelf: SkillLocator | undefined,
    metadata: Metadata,
    at: number,
    declared?: string,
  ): PendingDiagnostic => {
    const { folderName, path, part } = candidate
    const { manifest } = metadata
    const from = part === undefined ? id : `${id}:${part}`
    if (manifest === undefined) {
      const named = declared === undefined ? {} : { declared }
      return {
        diagnostics: [...metadata.diagnostics, ...lose({ folderName, path, layer, source: from, ...named }, at)],
      }
    }
    found[at] = toSkill(candidate, manifest, from, shelf)
    return metadata.told
  }
  const failed = ({ folderName, path }: FoundSkill, error: unknown, at: number): PendingDiagnostic => ({
    diagnostics: [
      {
        code: 'MANIFEST_UNREADABLE',
        severity: 'error',
        path,
        message: `The manifest could not be read: ${messageOf(error)}`,
        hint: `The source "${id}" failed at this skill alone. Mend it and reload.`,
      },
      ...lose({ folderName, path, layer, source: id }, at),
    ],
  })
  const visit = (candidate: FoundSkill, shelf?: SkillLocator): void => {
    const at = found.push(undefined) - 1
    try {
      const { path, folderName, fileName } = candidate
      const result: Metadata | Promise<Metadata> = parser.metadata(candidate, { path, folderName, fileName, profile })
      if (result instanceof Promise) {
        const place = sayings.push(path, []) - 1
        // The bytes are gone when the answer comes.
        const declared = declaredName(candidate.head(HEAD))
        awaited.push(
          result.then(
            (metadata) => {
              // The source may have said since that the file could not be read to its end.
              if (!lost.has(path)) sayings[place] = judged(candidate, shelf, metadata, at, declared)
            },
            (error: unknown) => void (sayings[place] = failed(candidate, error, at)),
          ),
        )
        return
      }
      if (result.manifest === undefined) {
        sayings.push(judged(candidate, shelf, result, at, declaredName(candidate.head(HEAD))))
      } else {
        const saying = judged(candidate, shelf, result, at)
        if (result.told.length > 0) sayings.push(found[at] ?? path, saying)
      }
    } catch (error) {
      // Thrown on, it would end the source's scan, and the skills behind this one would be missing.
      sayings.push(failed(candidate, error, at))
    }
  }
  const tell = (diagnostic: Diagnostic): void => {
    sayings.push({ diagnostics: [diagnostic] })
    const { code, severity, path } = diagnostic
    if (severity === 'error' && code.startsWith('MANIFEST_')) {
      // A file that failed while it was read was judged by a part of it.
      if (found.at(-1)?.path === path) found.pop()
      const at = found.push(undefined) - 1
      sayings.push({ diagnostics: lose({ folderName: folderOf(path), path, layer, source: id }, at) })
    } else if (code === 'FOLDER_UNREADABLE' && former.length > 0) {
      const hidden = [...formerSkills().values()].filter((skill) => isBelow(skill.path, path))
      for (const skill of hidden) found.push(skill)
      for (const skill of hidden) kept.push(skill)
      sayings.push({ diagnostics: hidden.map(keptDiagnostic) })
    }
  }
  const later = (find: () => readonly Diagnostic[]): void => void sayings.push({ later: guarded(id, find) })
  let failure: { readonly error: unknown } | undefined
  try {
    await source.scan({ diagnostic: tell, skill: visit, later })
  } catch (error) {
    failure = { error }
  }
  await Promise.all(awaited)
  if (failure !== undefined) {
    const seen = new Set([...found.map((skill) => skill?.path), ...broken.map(({ path }) => path)])
    const rest = former.length === 0 ? [] : [...formerSkills().values()].filter(({ path }) => !seen.has(path))
    for (const skill of rest) found.push(skill)
    for (const skill of rest) kept.push(skill)
    sayings.push({ diagnostics: [sourceFailed(id, failure.error, rest.length)] })
  }
  return {
    found: found.includes(undefined) ? found.filter((skill) => skill !== undefined) : (found as Skill[]),
    kept,
    broken,
    sayings,
  }
}

/** Whether a skill's source is the one of this id, or a part of it. */
function isOf(source: string, id: string): boolean {
  return source === id || source.startsWith(`${id}:`)
}

/** As much of a broken manifest as is looked through for its name, in bytes. */
const HEAD = 4096

/** What a broken manifest calls itself: for people who look for it, so a line that reads like a name is enough. */
function declaredName(head: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8').decode(head.subarray(0, HEAD))
  const value = /^name:[ \t]*(?:"([^"\r\n]*)"|'([^'\r\n]*)'|([^\s#][^\r\n#]*))/m.exec(text)
  return (value?.[1] ?? value?.[2] ?? value?.[3])?.trim().slice(0, 200) || undefined
}

function keptDiagnostic({ name, path }: Skill): Diagnostic {
  return {
    code: 'SKILL_KEPT',
    severity: 'warning',
    path,
    message: `The skill "${name}" cannot be read any more. It is kept as it was read last.`,
    hint: 'Mend its SKILL.md, or delete it; it cannot be activated until then.',
  }
}

/** Apart from the scan, whose memory would be kept with it. */
function guarded(id: string, find: () => readonly Diagnostic[]): () => readonly Diagnostic[] {
  return () => {
    try {
      return find()
    } catch (error) {
      return [sourceFailed(id, error, 0)]
    }
  }
}

function sourceFailed(id: string, error: unknown, kept: number): Diagnostic {
  const before = kept === 0 ? '' : ` Its other ${kept === 1 ? 'skill is' : `${kept} skills are`} kept as read last.`
  return {
    code: 'SOURCE_FAILED',
    severity: 'error',
    path: id,
    message: `The source "${id}" failed: ${messageOf(error)}${before}`,
    hint: 'The skills that it had shown before are kept. Mend the source and reload.',
  }
}

function folderOf(path: string): string {
  return path.split(/[/\\]/).at(-2) ?? path
}

function isBelow(path: string, folder: string): boolean {
  const base = folder.replace(/[/\\]$/, '')
  return path.startsWith(base) && /[/\\]/.test(path[base.length] ?? '')
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
