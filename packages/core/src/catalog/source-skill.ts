import {
  type Layer,
  type Manifest,
  type Skill,
  type SkillFolder,
  quote,
  showName,
  withOrigin,
} from '@repertoire/skill-md/internal'
import type { FoundSkill } from '../ports/source.ts'
import { inTime } from '../time-limit.ts'

/** Where a skill comes from, and how long each read of its folder may take, in milliseconds. */
interface SkillPlace {
  readonly layer: Layer
  readonly source: string
  readonly loadTimeout: number
}

/** A class for its getter: the methods of a folder with a deadline would take most of the memory of a thousand skills. */
class SourceSkill implements Skill {
  readonly name: string
  readonly layer: Layer
  readonly source: string
  readonly location: string
  readonly path: string
  readonly manifest: Manifest
  readonly #folder: SkillFolder
  readonly #loadTimeout: number

  constructor({ path, folder }: FoundSkill, manifest: Manifest, { layer, source, loadTimeout }: SkillPlace) {
    this.name = manifest.name
    this.layer = layer
    this.source = source
    this.location = folder.location
    this.path = path
    this.manifest = manifest
    this.#folder = folder
    this.#loadTimeout = loadTimeout
  }

  get folder(): SkillFolder {
    return timedFolder(this.#folder, this.#loadTimeout)
  }

  /** With the folder, which is no property of its own. */
  toJSON(): object {
    return Object.fromEntries([...Object.entries(this), ['folder', this.folder]])
  }
}

/** Makes a skill of a candidate and its manifest. */
export function toSkill(found: FoundSkill, manifest: Manifest, place: SkillPlace): Skill {
  const { origin } = found
  if (origin === undefined) return new SourceSkill(found, manifest, place)
  const skill = new SourceSkill(found, withOrigin(manifest, origin), place)
  return Object.assign(skill, { origin })
}

/**
 * Returns the same folder with a deadline for each of its reads: a disk that is not reachable, or a source over a
 * network, may never answer, and whoever waits for it continues then.
 * @param timeoutMs `Infinity` for no limit
 */
function timedFolder(folder: SkillFolder, timeoutMs: number): SkillFolder {
  const { location, alias, onDemand } = folder
  const timed = <T>(what: string, reading: Promise<T>): Promise<T> =>
    inTime(reading, timeoutMs, `${what} in ${showName(location)}`)
  const result: SkillFolder = {
    location,
    alias,
    onDemand,
    readManifest: () => timed('The manifest', folder.readManifest()),
    list: () => timed('The list of files', folder.list()),
    read: (path, options) => timed(quote(path), folder.read(path, options)),
    ...(folder.survey !== undefined && { survey: () => timed('The survey', folder.survey!()) }),
  }
  originals.set(result, folder)
  return result
}

const originals = new WeakMap<SkillFolder, SkillFolder>()

/** Returns the folder that a source has found, for what can only be done with that one. */
export function untimedFolder(folder: SkillFolder): SkillFolder {
  return originals.get(folder) ?? folder
}

/** The skills of one source in the previous scan. */
export interface FormerSkills {
  /** Returns the skill with a manifest path. */
  find(path: string): Skill | undefined
  /** Returns the skills whose manifests are in a folder, at any depth. */
  below(folder: string): readonly Skill[]
  /** Returns the skills whose manifest paths are not among these. */
  without(paths: ReadonlySet<string | undefined>): readonly Skill[]
}

/** @param skills the skills of all sources; they are indexed on first use */
export function createFormerSkills(skills: readonly Skill[], source: string, layer: Layer): FormerSkills {
  let byPath: ReadonlyMap<string, Skill> | undefined
  const ofSource = (): ReadonlyMap<string, Skill> =>
    (byPath ??= new Map(
      skills
        .filter((skill) => skill.layer === layer && isFrom(skill.source, source))
        .map((skill) => [skill.path, skill]),
    ))
  return {
    find: (path) => (skills.length === 0 ? undefined : ofSource().get(path)),
    below: (folder) => [...ofSource().values()].filter(({ path }) => isBelow(path, folder)),
    without: (paths) => [...ofSource().values()].filter(({ path }) => !paths.has(path)),
  }
}

/** Whether a skill's source has this id or is a part of that source. */
function isFrom(source: string, id: string): boolean {
  return source === id || source.startsWith(`${id}:`)
}

function isBelow(path: string, folder: string): boolean {
  const base = folder.replace(/[/\\]$/, '')
  return path.startsWith(base) && /[/\\]/.test(path[base.length] ?? '')
}
