import { MAX_WRAPPED_COMMANDS, MAX_WRAPPED_DEPTH } from '../limits.ts'
import { ANY_PATH, below, type MutatedPath } from './mutated-path.ts'
import type { InnerCommands } from './programs/program.ts'
import { findProgram, PROGRAMS } from './programs/programs.ts'
import { wrappedCommands } from './unwrap.ts'

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
