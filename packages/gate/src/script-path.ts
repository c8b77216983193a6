import { resolveParts } from './path.ts'

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
 * Whether a path inside a skill's folder names a script: a file at any depth below `scripts/`, `bin/` or `tools/` with
 * a script's extension. For files that are scripts only because they are executable, see `isScriptFile`. Case is ignored, since
 * some file systems ignore it.
 * @param path relative to the skill's folder; `.`, `..` and doubled separators are resolved by text first, and a path
 * that leaves the folder does not name one of its scripts
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

/**
 * Whether a file of a skill is a script: by its path, or because it is executable in one of the same folders.
 * @param file an entry of a folder listing
 */
export function isScriptFile({ path, executable }: { readonly path: string; readonly executable: boolean }): boolean {
  return isScriptPath(path) || (executable && IN_SCRIPT_FOLDER.test(path))
}
