import type { Layer, Skill } from '@repertoire/skill-md/internal'

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
