import type { Word } from 'unbash'
import { MAX_CALL_PATHS, MAX_WRAPPED_COMMANDS, MAX_WRAPPED_DEPTH } from '../limits.ts'
import { ANY_PATH, below, type InnerCommands, type MutatedPath } from './programs/program.ts'
import { findProgram, PROGRAMS } from './programs/programs.ts'
import type { LazyScript } from './simple-command.ts'
import { wrappedCommands } from './unwrap.ts'
import { markVariables, VARIABLE } from './variables.ts'
import { CURRENT, type Folders, forEachCommand, isFixed } from './walk.ts'

/**
 * The paths that a command line moves or removes, or puts something in the place of, in all of its commands: by what
 * their words say, in the folders that `cd` leads to. What variables hold, what a program is given by another and what it
 * does by itself is not seen. A line that cannot be read may mutate any path.
 */
export function mutatedByCommand(text: string, script: LazyScript): readonly MutatedPath[] {
  if (!mayMutate(text)) return []
  const mutated: MutatedPath[] = []

  function command(words: readonly string[], parts: readonly Word[], folders: Folders): void {
    // On Windows a backslash separates folders.
    const written = parts.map((part) => part.text.replaceAll(/["']/g, ''))
    const isEscaped = written.some((word) => word.includes('\\'))
    for (const reading of isEscaped ? [words, written] : [words]) add(pathsMutatedByWords(reading), folders)
  }

  function add(found: readonly MutatedPath[], folders: Folders): void {
    if (mutated.length + found.length * folders.size > MAX_CALL_PATHS) throw new RangeError('too many paths')
    for (const { path, ...rest } of found) {
      for (const folder of folders) {
        const here = asPattern(path.replace(CURRENT, '.'))
        const inUnknown = IN_UNKNOWN_FOLDER.exec(here)?.[1]
        if (inUnknown !== undefined) mutated.push({ ...rest, path: inUnknown, anywhere: true })
        else if (folder === '' || rest.anywhere === true || isFixed(here)) mutated.push({ ...rest, path: here })
        else if (folder === undefined) mutated.push({ ...rest, path: here, anywhere: true })
        else mutated.push({ ...rest, path: `${folder}/${here}` })
      }
    }
  }

  try {
    forEachCommand(text, script, {
      isRelevant: mayMutate,
      command,
      tooDeep: (lines) => mutated.push(...(lines.some(mayMutate) ? [ANY_PATH] : [])),
    })
  } catch {
    // It is nested too deep, too much of it, or not in a shell's language.
    return [ANY_PATH]
  }
  return mutated
}

/** A path with `*` for the variables in a name that is known in part. */
function asPattern(path: string): string {
  if (!path.includes('$') && !path.includes('`')) return path
  const marked = markVariables(path)
  return isPartlyKnown(marked) ? marked.replaceAll(VARIABLE, '*') : path
}

/** A path in a folder that is only known when the command runs. */
const IN_UNKNOWN_FOLDER = /^(?:\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{PWD\b[^}]*\})[/\\]+(.*)$/s

/** Whether the last part of a path is a name of which variables are only a part, in a folder without any. */
function isPartlyKnown(path: string): boolean {
  const parts = path.split(/[/\\]/)
  const folder = parts.slice(0, -1).join('/')
  return !folder.includes(VARIABLE) && LETTER.test(parts.at(-1)!.replaceAll(VARIABLE, ''))
}

const LETTER = /[\p{L}\p{N}]/u

/** A text in which none of these programs is named mutates nothing, and need not be parsed. */
const MENTIONED = new RegExp(
  `(?:^|[^\\w])(?:g|bsd)?(?:${PROGRAMS.flatMap(({ mutates, names }) => (mutates === undefined ? [] : names)).join('|')})[-.\\d]*(?:[^\\w]|$)`,
  'i',
)

/** Whether a command line can mutate anything at all. Quotes and backslashes may be anywhere in a word. */
export function mayMutate(command: string): boolean {
  // Letters may be written by their numbers.
  if (command.includes("$'")) return true
  const plain = command.replaceAll(/\\\r?\n|["'\\]/g, '').replaceAll('\n', ' ')
  return MENTIONED.test(plain)
}

/**
 * The paths that the words of one simple command mutate, the program first: by that program, and by those that it is
 * told to run.
 */
export function pathsMutatedByWords(words: readonly string[]): readonly MutatedPath[] {
  return mutatedPaths(words, 0, { commands: 0 })
}

/**
 * @param depth how many other commands this one is nested in
 * @param read counts the inner commands that were read
 */
function mutatedPaths(words: readonly string[], depth: number, read: { commands: number }): readonly MutatedPath[] {
  const program = findProgram(words[0] ?? '')
  if (program === undefined) return []
  const inner: InnerCommands = {
    onlyReads: ([name = '']) => findProgram(name)?.readsOnly === true,
    mutatedPaths: (command) => {
      const isRead = depth < MAX_WRAPPED_DEPTH && ++read.commands <= MAX_WRAPPED_COMMANDS
      return isRead ? mutatedPaths(command, depth + 1, read) : [ANY_PATH]
    },
  }
  const wrapped = program.wraps === undefined ? [] : wrappedCommands(words, program.wraps)
  if (wrapped === 'too many') return [ANY_PATH]
  return [
    ...(program.mutates?.(words, inner) ?? []),
    ...wrapped.flatMap((command) => {
      const paths = inner.mutatedPaths(command.words)
      if (command.folder === '') return paths
      return paths.map((one) => (one.anywhere === true ? one : { ...one, path: below(command.folder, one.path) }))
    }),
  ]
}
