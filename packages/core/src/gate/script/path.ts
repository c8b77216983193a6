const FOLDERS: ReadonlySet<string> = new Set(['scripts', 'bin', 'tools'])

/** Endings of files that an interpreter runs, in lower case. */
const ENDINGS: ReadonlySet<string> = new Set(
  (
    'sh bash zsh ksh fish csh py pyw rb pl php lua tcl awk sed r jl js mjs cjs jsx ts mts cts tsx ps1 psm1 bat cmd ' +
    'vbs applescript scpt groovy kts scala swift exs clj raku nu'
  ).split(' '),
)

/**
 * Whether a path inside a skill's folder names a script: a file at any depth below `scripts/`, `bin/` or `tools/` with
 * a script's ending. Files that are scripts by their run bit alone are the caller's to know. Folder and ending count
 * in any case, since some file systems take them so.
 * @param path relative to the skill's folder; `.`, `..` and doubled separators are resolved by text first, and a path
 * that leaves the folder names no script of it
 */
export function isScriptPath(path: string): boolean {
  const parts: string[] = []
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return false
    } else if (part !== '' && part !== '.') parts.push(part.toLowerCase())
  }
  const [folder = ''] = parts
  const file = parts.at(-1) ?? ''
  const dot = file.lastIndexOf('.')
  return parts.length > 1 && FOLDERS.has(folder) && dot >= 0 && ENDINGS.has(file.slice(dot + 1))
}
