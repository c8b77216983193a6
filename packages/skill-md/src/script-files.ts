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
 * Whether a path, relative to a skill's folder, names a script: a file below `scripts/`, `bin/` or `tools/` with a
 * script's extension, in any case. For files that are scripts because they are executable, see `isScriptFile`.
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

/** Commands, each with the endings of the scripts that it reads. */
const COMMANDS: Readonly<Record<string, string>> = {
  sh: 'sh',
  bash: 'bash',
  zsh: 'zsh',
  ksh: 'ksh',
  fish: 'fish',
  python3: 'py pyw',
  node: 'js mjs cjs ts mts cts',
  ruby: 'rb',
  perl: 'pl',
  php: 'php',
  lua: 'lua',
  tclsh: 'tcl',
  Rscript: 'r',
  julia: 'jl',
  pwsh: 'ps1',
  'awk -f': 'awk',
  'sed -f': 'sed',
  groovy: 'groovy',
  swift: 'swift',
  elixir: 'exs',
  clojure: 'clj',
  raku: 'raku',
  nu: 'nu',
  osascript: 'scpt applescript',
}

const BY_ENDING: ReadonlyMap<string, string> = new Map(
  Object.entries(COMMANDS).flatMap(([command, endings]) => endings.split(' ').map((ending) => [ending, command])),
)

/** Returns the command that reads a script, by its name's ending: `python3`, `awk -f`. Undefined: none is known. */
export function commandOfEnding(path: string): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return file.includes('.') ? BY_ENDING.get(file.slice(file.lastIndexOf('.') + 1).toLowerCase()) : undefined
}
