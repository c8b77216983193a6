import type { Command, SyntaxNode } from 'unbash'
import type { MutatedPath } from './mutated-path.ts'
import { mayMutate, pathsMutatedByWords } from './mutations.ts'
import { programName, runsShell } from './programs/programs.ts'

/** Command lines inside command lines that are read. */
const MAX_DEPTH = 4

/** Paths that are told apart. A command that names more may take anything. */
const MAX_MUTATED = 5_000

/** Parts of a command that a shell of its own runs: what changes the folder there changes it nowhere else. */
const APART: ReadonlySet<string> = new Set(['Subshell', 'CommandExpansion', 'ProcessSubstitution', 'Coproc'])

const LOOPS: ReadonlySet<string> = new Set(['For', 'ArithmeticFor', 'Select', 'While'])

/** What leads to another folder. */
const LEADS = /(?<![\w-])(?:cd|chdir|pushd|popd|sl|set-location|eval|source)(?![\w-])/i

/** Folders that a command may run in, relative to the session's; undefined: not known. */
type Folders = ReadonlySet<string | undefined>

/**
 * What a command line moves or removes, or puts something in the place of, wherever in it that happens: by what its words
 * say, in the folders that `cd` leads to. What variables hold, what a program is given by another and what it does by
 * itself is not seen. Where nothing can be read of it, it may take anything.
 */
export async function pathsMutatedByCommand(command: string): Promise<readonly MutatedPath[]> {
  if (!mayMutate(command)) return []
  const { forEachChild, parse } = await import('unbash')
  const taken: MutatedPath[] = []
  let line = command
  let folders: Folders = new Set([''])
  let depth = 0
  // How often another folder was gone to, and the functions that do.
  let moves = 0
  const leading = new Set<string>()

  function visit(node: SyntaxNode): void {
    const before = folders
    if (node.type === 'Script' && (node.errors?.length ?? 0) > 0) throw new SyntaxError('no command of a shell')
    if (node.type === 'AndOr') {
      for (const [index, part] of node.commands.entries()) {
        const here = folders
        visit(part)
        // Behind `||` it goes on where the folder was not changed.
        if (node.operators[index] === '||') folders = new Set([...here, ...folders])
      }
      return
    }
    // What a loop does, it does again where it led to.
    if (LOOPS.has(node.type) && LEADS.test(line.slice(node.pos, node.end))) folders = new Set([...before, undefined])
    if (node.type === 'Function') {
      const earlier = moves
      visit(node.body)
      if (moves > earlier) leading.add(node.name.value)
      moves = earlier
      folders = before
      return
    }
    if (node.type === 'Pipeline' && node.commands.length > 1) {
      for (const part of node.commands) {
        visit(part)
        folders = before
      }
      return
    }
    forEachChild(node, visit)
    // Behind a `!` it goes on where the folder was not changed.
    if (node.type === 'Pipeline' && node.prefixes.some(({ type }) => type === 'Negation')) {
      folders = new Set([...before, ...folders])
    }
    if (APART.has(node.type)) folders = before
    if (node.type === 'Command') run(node)
    // It may have failed half way, and what comes next runs all the same.
    if (node.type === 'Statement') folders = new Set([...before, ...folders])
  }

  function run({ name, suffix }: Command): void {
    const given = [name, ...suffix].filter((part) => part?.type === 'Word')
    const words = given.map(({ value }) => value)
    while (/^(?:builtin|command)$/.test(words[0] ?? '') && !words[1]?.startsWith('-')) words.shift()
    const [program, ...rest] = words
    if (program === undefined) return
    const own = programName(program)
    if (/^(?:cd|chdir|pushd|set-location|sl)$/.test(own)) move(entered(folders, rest))
    // Where these lead is not known.
    if (/^(?:popd|\.|source)$/.test(own) || leading.has(program)) move(new Set([...folders, undefined]))
    if (runsShell(program)) {
      const bodies = suffix.map((part) => {
        return part.type === 'HereDoc' ? part.body.text : part.type === 'HereString' ? (part.target?.value ?? '') : ''
      })
      // It runs in the shell itself.
      if (own === 'eval') readInside([rest.join(' ')], true)
      else readInside([...rest.filter((word) => /\s/.test(word)), ...bodies])
      // These take what stands behind as it is.
      const at = rest.findIndex((word) => /^(?:-c|-command|\/c|\/k)$/i.test(word))
      if (at >= 0 && /^(?:powershell|pwsh|cmd)$/.test(own)) readInside([rest.slice(at + 1).join(' ')])
    }
    // On Windows a backslash separates folders.
    const written = given.map(({ text }) => text.replaceAll(/["']/g, ''))
    const isEscaped = written.some((text) => text.includes('\\'))
    for (const read of isEscaped ? [words, written] : [words]) add(pathsMutatedByWords(read))
    const inside = takenByShellOf(words)
    if (inside !== undefined) readInside([inside])
  }

  function move(to: Folders): void {
    folders = to
    moves++
  }

  function readInside(lines: readonly string[], isHere = false): void {
    if (depth >= MAX_DEPTH) return add(lines.some(mayMutate) ? [ANYTHING] : [])
    depth++
    const before = folders
    const outside = line
    for (const inner of lines.filter((one) => isHere || mayMutate(one))) {
      line = inner
      visit(parse(inner))
      if (!isHere) folders = before
    }
    line = outside
    depth--
  }

  function add(found: readonly MutatedPath[]): void {
    if (taken.length + found.length * folders.size > MAX_MUTATED) throw new RangeError('too many paths')
    for (const { path, ...rest } of found) {
      for (const folder of folders) {
        const here = path.replace(CURRENT, '.')
        const behind = GIVEN.exec(here)?.[1]
        if (behind !== undefined) taken.push({ ...rest, path: behind, anywhere: true })
        else if (folder === '' || rest.anywhere === true || isFixed(here)) taken.push({ ...rest, path: here })
        else if (folder === undefined) taken.push({ ...rest, path: here, anywhere: true })
        else taken.push({ ...rest, path: `${folder}/${here}` })
      }
    }
  }

  try {
    visit(parse(command))
  } catch {
    // Nested too deep, too much of it, or in no shell's language.
    return [ANYTHING]
  }
  return taken
}

const ANYTHING: MutatedPath = { path: '.', anywhere: true }

/** The working folder, as commands write it. */
const CURRENT = /^(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)(?=$|\/)/

/** A path in a folder that is only known when the command runs. */
const GIVEN = /^(?:\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{PWD\b[^}]*\})[/\\]+(.*)$/s

/** The line that a shell runs behind another program: `sudo bash -c "…"`, `find … -exec sh -c '…'`. */
function takenByShellOf(words: readonly string[]): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && runsShell(word))
  return at < 0 ? undefined : words.slice(at + 1).find((word) => /\s/.test(word))
}

/** More than these, and where a command runs is not known. */
const MAX_FOLDERS = 16

function entered(folders: Folders, words: readonly string[]): Folders {
  const to = words.find((word) => word === '-' || !word.startsWith('-'))?.replace(CURRENT, '.') ?? '~'
  if (to === '-' || /[$`*?[{]/.test(to) || folders.size > MAX_FOLDERS) return new Set([undefined])
  if (isFixed(to)) return new Set([to])
  return new Set(
    [...folders].map((folder) => (folder === '' ? to : folder === undefined ? undefined : `${folder}/${to}`)),
  )
}

/** Whether a path means the same in every folder. */
function isFixed(path: string): boolean {
  return /^(?:[/\\~]|[a-z]:|\$\{?HOME\b|%USERPROFILE%)/i.test(path)
}
