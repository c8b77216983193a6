import type { ShellCommand, ShellLine } from './line.ts'
import { findPrograms } from './interpreters.ts'
import { programName } from './word.ts'

/** Programs that show what is in the files that they are given. */
const SHOWING: ReadonlySet<string> = new Set(
  'cat head tail grep rg sort uniq cut tr nl diff cmp comm jq sed awk less more bat od xxd strings vim wc'.split(' '),
)

const SHOWING_IN_GIT: ReadonlySet<string> = new Set('log diff show blame grep'.split(' '))

/** Programs that run the file that they are given. */
const RUNNING = /^(?:(?:ba|da|k|z)?sh|python[\d.]*|node|deno|bun|ruby|perl|php|source|\.|npx|tsx|uv|rscript)$/

/** A file that a line names: as what it runs, or as what it shows. */
export interface NamedFile {
  readonly path: string
  readonly folder: string
  readonly use: 'run' | 'read'
}

/** The files that a line names as literal words, with what it does with them. A literal `cd` is followed. */
export function namedFiles(line: ShellLine): readonly NamedFile[] {
  let folder = ''
  const found: NamedFile[] = []
  for (const command of line.commands) {
    const { words } = command
    const at = findPrograms(words).at(-1) ?? 0
    const name = words[at] === undefined ? undefined : programName(words[at])
    if (name === undefined) continue
    const own = words.slice(at).flatMap(({ literal }) => literal ?? [])
    if (name === 'cd' && own[1] !== undefined) {
      folder = `${own[1].startsWith('/') ? '' : folder}${own[1]}/`
      continue
    }
    const [program, ...rest] = own
    const paths = shownBy(name, command, rest)
    if (paths !== undefined) found.push(...paths.map((path) => ({ path, folder, use: 'read' as const })))
    else {
      if (program !== undefined) found.push({ path: program, folder, use: 'run' })
      // What follows the script is its own.
      const script = RUNNING.test(name) ? rest.find((word) => /^[^-].*[./]/.test(word)) : undefined
      if (script !== undefined) found.push({ path: script, folder, use: 'run' })
    }
  }
  return found
}

function shownBy(name: string, { redirects }: ShellCommand, rest: readonly string[]): readonly string[] | undefined {
  const inputs = redirects.flatMap(({ operator, target }) => (operator === '<' ? (target?.literal ?? []) : []))
  if (name === 'git') return SHOWING_IN_GIT.has(rest.find((word) => !word.startsWith('-')) ?? '') ? rest : undefined
  return SHOWING.has(name) ? [...rest, ...inputs] : undefined
}
