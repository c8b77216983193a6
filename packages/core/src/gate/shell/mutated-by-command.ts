import { type Command, forEachChild, type SyntaxNode } from 'unbash'
import { MAX_CALL_PATHS, MAX_COMMAND_DEPTH } from '../limits.ts'
import type { MutatedPath } from './mutated-path.ts'
import { mayMutate, pathsMutatedByWords } from './mutations.ts'
import { programName, runsShell } from './programs/programs.ts'
import { type LazyScript, parseScript } from './script.ts'

/** Parts of a command that run in a shell of their own: a change of folder there changes it nowhere else. */
const SUBSHELLS: ReadonlySet<string> = new Set(['Subshell', 'CommandExpansion', 'ProcessSubstitution', 'Coproc'])

const LOOPS: ReadonlySet<string> = new Set(['For', 'ArithmeticFor', 'Select', 'While'])

/** What may change the working folder. */
const CHANGES_FOLDER = /(?<![\w-])(?:cd|chdir|pushd|popd|sl|set-location|eval|source)(?![\w-])/i

/** Folders that a command may run in, relative to the session's; undefined: one that is not known. */
type Folders = ReadonlySet<string | undefined>

/**
 * The paths that a command line moves or removes, or puts something in the place of, in all of its commands: by what
 * their words say, in the folders that `cd` leads to. What variables hold, what a program is given by another and what it
 * does by itself is not seen. A line that cannot be read may mutate any path.
 */
export function mutatedByCommand(text: string, script: LazyScript): readonly MutatedPath[] {
  if (!mayMutate(text)) return []
  const mutated: MutatedPath[] = []
  let line = text
  let folders: Folders = new Set([''])
  let depth = 0
  // How often the folder was changed, and the functions that change it.
  let moves = 0
  const movingFunctions = new Set<string>()

  function visit(node: SyntaxNode): void {
    const before = folders
    if (node.type === 'Script' && (node.errors?.length ?? 0) > 0) throw new SyntaxError('not a command of a shell')
    if (node.type === 'AndOr') {
      for (const [index, part] of node.commands.entries()) {
        const here = folders
        visit(part)
        // After `||` it goes on where the folder was not changed.
        if (node.operators[index] === '||') folders = new Set([...here, ...folders])
      }
      return
    }
    // A loop runs again in the folder that it has changed to.
    if (LOOPS.has(node.type) && CHANGES_FOLDER.test(line.slice(node.pos, node.end)))
      folders = new Set([...before, undefined])
    if (node.type === 'Function') {
      const movesBefore = moves
      visit(node.body)
      if (moves > movesBefore) movingFunctions.add(node.name.value)
      moves = movesBefore
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
    // After a `!` it goes on where the folder was not changed.
    if (node.type === 'Pipeline' && node.prefixes.some(({ type }) => type === 'Negation')) {
      folders = new Set([...before, ...folders])
    }
    if (SUBSHELLS.has(node.type)) folders = before
    if (node.type === 'Command') run(node)
    // It may have failed half way, and what comes next runs all the same.
    if (node.type === 'Statement') folders = new Set([...before, ...folders])
  }

  function visitScript(parsed: SyntaxNode | undefined): void {
    if (parsed === undefined) throw new SyntaxError('not a command of a shell')
    visit(parsed)
  }

  function run({ name, suffix }: Command): void {
    const parts = [name, ...suffix].filter((part) => part?.type === 'Word')
    const words = parts.map(({ value }) => value)
    while (/^(?:builtin|command)$/.test(words[0] ?? '') && !words[1]?.startsWith('-')) words.shift()
    const [program, ...rest] = words
    if (program === undefined) return
    const called = programName(program)
    if (/^(?:cd|chdir|pushd|set-location|sl)$/.test(called)) move(foldersAfter(folders, rest))
    // Where these change to is not known.
    if (/^(?:popd|\.|source)$/.test(called) || movingFunctions.has(program)) move(new Set([...folders, undefined]))
    if (runsShell(program)) {
      const bodies = suffix.map((part) => {
        return part.type === 'HereDoc' ? part.body.text : part.type === 'HereString' ? (part.target?.value ?? '') : ''
      })
      // It runs in the shell itself.
      if (called === 'eval') readInside([rest.join(' ')], true)
      else readInside([...rest.filter((word) => /\s/.test(word)), ...bodies])
      // These take the rest of the line as one command line.
      const at = rest.findIndex((word) => /^(?:-c|-command|\/c|\/k)$/i.test(word))
      if (at >= 0 && /^(?:powershell|pwsh|cmd)$/.test(called)) readInside([rest.slice(at + 1).join(' ')])
    }
    // On Windows a backslash separates folders.
    const written = parts.map((part) => part.text.replaceAll(/["']/g, ''))
    const isEscaped = written.some((word) => word.includes('\\'))
    for (const reading of isEscaped ? [words, written] : [words]) add(pathsMutatedByWords(reading))
    const inner = wrappedCommandLine(words)
    if (inner !== undefined) readInside([inner])
  }

  function move(to: Folders): void {
    folders = to
    moves++
  }

  /** @param isSameShell the lines run in this shell, so that they change its folder */
  function readInside(lines: readonly string[], isSameShell = false): void {
    if (depth >= MAX_COMMAND_DEPTH) return add(lines.some(mayMutate) ? [ANYTHING] : [])
    depth++
    const before = folders
    const outerLine = line
    for (const inner of lines.filter((one) => isSameShell || mayMutate(one))) {
      line = inner
      visitScript(parseScript(inner))
      if (!isSameShell) folders = before
    }
    line = outerLine
    depth--
  }

  function add(found: readonly MutatedPath[]): void {
    if (mutated.length + found.length * folders.size > MAX_CALL_PATHS) throw new RangeError('too many paths')
    for (const { path, ...rest } of found) {
      for (const folder of folders) {
        const here = path.replace(CURRENT, '.')
        const inUnknown = IN_UNKNOWN_FOLDER.exec(here)?.[1]
        if (inUnknown !== undefined) mutated.push({ ...rest, path: inUnknown, anywhere: true })
        else if (folder === '' || rest.anywhere === true || isFixed(here)) mutated.push({ ...rest, path: here })
        else if (folder === undefined) mutated.push({ ...rest, path: here, anywhere: true })
        else mutated.push({ ...rest, path: `${folder}/${here}` })
      }
    }
  }

  try {
    visitScript(script())
  } catch {
    // It is nested too deep, too much of it, or not in a shell's language.
    return [ANYTHING]
  }
  return mutated
}

/** A path that may be any. */
const ANYTHING: MutatedPath = { path: '.', anywhere: true }

/** The working folder, as commands write it. */
const CURRENT = /^(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)(?=$|\/)/

/** A path in a folder that is only known when the command runs. */
const IN_UNKNOWN_FOLDER = /^(?:\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{PWD\b[^}]*\})[/\\]+(.*)$/s

/** The command line of a shell that another program runs: `sudo bash -c "…"`, `find … -exec sh -c '…'`. */
function wrappedCommandLine(words: readonly string[]): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && runsShell(word))
  return at < 0 ? undefined : words.slice(at + 1).find((word) => /\s/.test(word))
}

/** Folders that are told apart. With more of them, where a command runs is not known. */
const MAX_FOLDERS = 16

/** The folders after `cd`, by its arguments. */
function foldersAfter(folders: Folders, words: readonly string[]): Folders {
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
