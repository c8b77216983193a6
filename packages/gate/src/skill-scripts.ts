import { isScriptPath } from '@repertoire/skill-md/internal'
import { foldPart, pathsInside } from './paths/inside.ts'

/** An active skill, as far as its scripts go. */
export interface SkillScripts {
  readonly name: string
  readonly location: string
  readonly alias?: string
  /** A private copy of its folder: the path for the model, and the real one. */
  readonly mount?: { readonly path: string; readonly location: string }
  readonly scripts: readonly string[]
}

/** The folder that a skill's scripts are run in: its private copy, if it has one. */
export function runLocation({ location, mount }: SkillScripts): string {
  return mount?.location ?? location
}

/** All the folders that a skill's files are in, by whichever path. */
export function locationsOf({ location, alias, mount }: SkillScripts): readonly string[] {
  return [
    location,
    ...(alias === undefined ? [] : [alias]),
    ...(mount === undefined ? [] : [mount.path, mount.location]),
  ]
}

/** The script of a skill that a path names, in any of the skill's folders. */
export function findScript(path: string, skill: SkillScripts, cwd: string | undefined): string | undefined {
  for (const location of locationsOf(skill)) {
    const script =
      pathsInside(path, location, cwd).find((inside) => isScriptOf(skill, inside)) ??
      // Models write paths relative to the skill's folder. Only what it holds counts: projects have `scripts/`, too.
      pathsInside(path, location, location).find((inside) => isListed(skill, inside))
    if (script !== undefined) return script
  }
  return undefined
}

export function isScriptOf(skill: SkillScripts, path: string): boolean {
  return isScriptPath(foldPath(path)) || isListed(skill, path)
}

function isListed(skill: SkillScripts, path: string): boolean {
  const wanted = foldPath(path)
  return skill.scripts.some((script) => foldPath(script) === wanted)
}

function foldPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.map((part) => (part === '..' ? part : foldPart(part))).join('/')
}
