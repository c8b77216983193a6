import type { Layer, Skill } from '../ports/skill.ts'

/** The skills of one source in the scan before. */
export interface FormerSkills {
  /** By the path of its manifest. */
  find(path: string): Skill | undefined
  /** Those whose manifests lie in a folder, at any depth. */
  below(folder: string): readonly Skill[]
  /** Those whose manifests have other paths. */
  without(paths: ReadonlySet<string | undefined>): readonly Skill[]
}

/** @param skills of all sources; they are looked through when one is first asked for */
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

/** Whether a skill's source is the one of this id, or a part of it. */
function isFrom(source: string, id: string): boolean {
  return source === id || source.startsWith(`${id}:`)
}

function isBelow(path: string, folder: string): boolean {
  const base = folder.replace(/[/\\]$/, '')
  return path.startsWith(base) && /[/\\]/.test(path[base.length] ?? '')
}
