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
  const parts: string[] = []
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') {
      if (parts.pop() === undefined) return false
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  const inside = parts.join('/')
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
