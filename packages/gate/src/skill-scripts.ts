import { foldPart, pathsInside } from './paths/inside.ts'
import { resolveParts } from './paths/path.ts'

/** An active skill, as far as its scripts go. */
export interface SkillScripts {
  readonly name: string
  readonly location: string
  readonly alias?: string
  /** A private copy of its folder: the path for the model, and the real one. */
  readonly mount?: { readonly path: string; readonly location: string }
  readonly scripts: readonly string[]
}

/** The folder that a skill's scripts are run in: its private copy, where it has one. */
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
  const found = locationsOf(skill).map((location) => findScriptIn(location, path, skill, cwd))
  return found.find((script) => script !== undefined)
}

/** The script of a skill that a path names in one of the skill's folders. */
function findScriptIn(
  location: string,
  path: string,
  skill: SkillScripts,
  cwd: string | undefined,
): string | undefined {
  return (
    pathsInside(path, location, cwd).find((inside) => isScriptOf(skill, inside)) ??
    // Models write paths relative to the skill's folder too. Only what it holds counts: projects have `scripts/` as well.
    pathsInside(path, location, location).find((inside) => isListed(skill, inside))
  )
}

/** Whether a relative path names a script of a skill, in any spelling that a file system may take for it. */
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

/** The folders of a skill that scripts lie in, in any case. */
const IN_SCRIPT_FOLDER = /^(?:scripts|bin|tools)\//i

/** Extensions of files that an interpreter runs, in lower case. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    'sh bash zsh ksh fish csh py pyw rb pl php lua tcl awk sed r jl js mjs cjs jsx ts mts cts tsx ps1 psm1 bat cmd ' +
    'vbs applescript scpt groovy kts scala swift exs clj raku nu'
  ).split(' '),
)

/**
 * Whether a path, relative to a skill's folder, names a script: a file below `scripts/`, `bin/` or `tools/` with a script's
 * extension, in any case. For files that are scripts because they are executable, see `isScriptFile`.
 */
export function isScriptPath(path: string): boolean {
  const inside = resolveParts(path.replaceAll('\\', '/'))?.join('/') ?? ''
  return IN_SCRIPT_FOLDER.test(inside) && hasScriptExtension(inside)
}

/** Whether a file has the extension of a script, in whatever folder it is. */
export function hasScriptExtension(path: string): boolean {
  const dot = path.lastIndexOf('.')
  return dot >= 0 && EXTENSIONS.has(path.slice(dot + 1).toLowerCase())
}

/** Whether a listed file is a script: by its path, or because it is executable in one of the same folders. */
export function isScriptFile({ path, executable }: { readonly path: string; readonly executable: boolean }): boolean {
  return isScriptPath(path) || (executable && IN_SCRIPT_FOLDER.test(path))
}
