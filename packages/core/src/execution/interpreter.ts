import { commandOfEnding, quote } from '@repertoire/skill-md/internal'

export interface Interpreter {
  /** The program's name without a folder: `sh`, `python3`. */
  readonly name: string
  /** Its own arguments, before the script. */
  readonly args: readonly string[]
}

/** The longest first line that is read for an interpreter, as in Linux. */
const MAX_SHEBANG_BYTES = 256

/** Programs that read a script from a file. What else a first line names is not run: `#!/bin/rm -rf` is one too. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'sh bash dash ash ksh mksh zsh fish python3 python2 pypy3 node deno bun tsx ts-node ruby perl php lua tclsh ' +
    'Rscript pwsh awk gawk mawk sed make julia groovy swift elixir clojure bb raku nu osascript uv pipx npx go'
  ).split(' '),
)

/** Other names of the same. `python` is Python 3 wherever a new script is run. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['python', 'python3'],
  ['nodejs', 'node'],
  ['pypy', 'pypy3'],
  ['powershell', 'pwsh'],
])

/**
 * Chooses what reads a script: by its first line, then by the ending of its name, never by its executable bit, which
 * most published scripts lack. A script without a first line that ends in `.sh` is read by `sh`, as in a shell.
 * @returns or why nothing does, as a sentence
 */
export function chooseInterpreter(path: string, bytes: Uint8Array): Interpreter | { readonly problem: string } {
  const first = firstLine(bytes)
  if (first !== undefined) return readShebang(path, first)
  if (bytes.subarray(0, MAX_SHEBANG_BYTES).includes(0)) {
    return { problem: `${quote(path)} cannot be run: it is not a text, and only scripts are run.` }
  }
  const [name, ...args] = commandOfEnding(path)?.split(' ') ?? []
  if (name !== undefined) return { name, args }
  return {
    problem: `${quote(path)} cannot be run: it does not begin with #! and an interpreter, and none is known for its ending.`,
  }
}

/** The text after `#!`; undefined where a script does not begin so. */
function firstLine(bytes: Uint8Array): string | undefined {
  // The decoder leaves out the mark that an editor may put before it.
  const head = new TextDecoder().decode(bytes.subarray(0, MAX_SHEBANG_BYTES))
  return /^#!([^\n]*)/.exec(head)?.[1]?.trim()
}

function readShebang(path: string, line: string): Interpreter | { readonly problem: string } {
  const words = commandOf(line)
  if (words === undefined) {
    return {
      problem: `${quote(path)} cannot be run: its first line has an option of env, a variable, a quote or an escape, which is not applied here. Name an interpreter and plain arguments, such as "#!/usr/bin/env -S python3 -u", and set variables in the script.`,
    }
  }
  const [program = '', ...args] = words
  const written = program.slice(program.lastIndexOf('/') + 1)
  const name = interpreterName(written)
  if (name !== undefined) return { name, args }
  return {
    problem: `${quote(path)} cannot be run: its first line names no interpreter that is known here: ${quote(written)}.`,
  }
}

/** The words that are run, without `env` and its `-S`. Undefined: `env` would do more than start them. */
function commandOf(line: string): readonly string[] | undefined {
  const ofEnv = /^(?:\S*\/)?env(?:[ \t]+(?:-v?S[ \t]*|--split-string(?:=|[ \t]+))?|$)(.*)$/.exec(line)?.[1]
  if (ofEnv === undefined) return wordsOf(line)
  return /^[ \t]*(?:-|[^ \t]*=)|["'\\$#]/.test(ofEnv) ? undefined : wordsOf(ofEnv)
}

function wordsOf(line: string): readonly string[] {
  return line.split(/[ \t]+/).filter((word) => word !== '')
}

export function isShellName(name: string): boolean {
  return SHELLS.has(name.replace(/\d+$/, ''))
}

const SHELLS: ReadonlySet<string> = new Set('sh bash dash ash ksh mksh zsh csh tcsh fish'.split(' '))

/** The interpreter that a command names: `python`, `/bin/sh`. Undefined: what it names is not one that is known. */
export function interpreterNamed(program: string): string | undefined {
  return interpreterName(program.slice(program.lastIndexOf('/') + 1))
}

/** `python3.12` and `/usr/bin/python` are both `python3`. */
function interpreterName(written: string): string | undefined {
  const plain = written.replace(/\.exe$/i, '')
  const name = SAME.get(plain) ?? plain
  if (KNOWN.has(name)) return name
  const bare = plain.replace(/[-.]?\d[\d.]*$/, '')
  if (bare === 'python') return plain.startsWith('python2') ? 'python2' : 'python3'
  const unversioned = SAME.get(bare) ?? bare
  return KNOWN.has(unversioned) ? unversioned : undefined
}
