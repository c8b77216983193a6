import { quote } from '@repertoire/skill-md/internal'
import type { UnsafeUse } from '../unsafe-use.ts'

/**
 * What is known of a program, or of several of which the same is true. Rules that deny, protected files and the question
 * of consent all read this one record. To add a program is to add a record, or a name to one. What rules permit of some
 * programs is in `allow/harmless/`.
 *
 * `exactOnly`, `namesScript`, `unsafe` and `judge` say which uses may run another program, load code, or write a file of
 * the caller's choice although the program is not for writing, one of them at most.
 */
export interface Program {
  /** In lower case, without folder, version and `.exe`. A name is in one record only. */
  readonly names: readonly string[]
  /** Every use may run something else: it is a builtin that can change the shell itself, or it runs other programs. */
  readonly exactOnly?: 'shell-builtin' | 'runs-programs'
  /** It runs the script that is named right after it: `bash build.sh`. */
  readonly namesScript?: true
  /** Options, subcommands and words with which it may run or write something else. */
  readonly unsafe?: UnsafeUse
  /** A judgement that no table of words expresses. */
  readonly judge?: PrefixJudge
  /**
   * It runs code by its nature, whatever its options: an interpreter, or a builder that runs what the project's files
   * say.
   */
  readonly runsCode?: true
  /** Its first operand is a file of code that it runs: an interpreter. */
  readonly interprets?: true
  /**
   * How it reads its options, or which of them run or write something else, is not known here.
   */
  readonly optionsUnknown?: true
  /** How it is told another command to run. Absent: it is not, or not in words of its own. */
  readonly wraps?: Wrapping
  /** It takes a whole command line as one of its words, or from its input: `bash -c "…"`. */
  readonly runsShell?: true
  /** Some of what it is given is read as a command once more, by a shell that then expands what was in quotes. */
  readonly readsCommands?: true
  /** It changes no file that it is given. */
  readonly readsOnly?: true
  /** What it moves, removes, replaces or puts somewhere, by what its words say. */
  readonly mutates?: Mutator
  readonly examples: ProgramExamples
}

/**
 * Why a command may run or write something else.
 * @param words the command's words, the program first
 * @param fixed how many of them the rule itself names
 * @returns a clause; undefined where it certainly does not
 */
export type PrefixJudge = (words: readonly string[], fixed: number) => string | undefined

/**
 * Where in the words of a program another command is: after the program's name, its options and words such as
 * `NAME=value`. Options that are not listed here are treated as options without a value.
 */
export interface Wrapping {
  /** Behind one of these subcommands, of one word or of several: `uv run`, `bisect run`. Without one, nothing is run. */
  readonly subcommands?: readonly string[]
  /** Commands that may stand in place of a subcommand (`yarn rimraf`). */
  readonly commands?: readonly string[]
  /**
   * Any other program of the table may stand in place of a subcommand, but for subcommands that are called like one:
   * `yarn prettier`, but `yarn test`.
   */
  readonly otherThan?: readonly string[]
  /**
   * A subcommand behind which a script of the project may stand, or any other program of the table, but for the names
   * that scripts are given: `yarn run prettier`, but `yarn run test`. What a script runs is not known.
   */
  readonly script?: { readonly subcommand: string; readonly otherThan: readonly string[] }
  /** Behind one of these options: `fd -x`. Without one, nothing is run. */
  readonly options?: readonly string[]
  /** Options that take the next word as their value, with their dashes. */
  readonly valued?: readonly string[]
  /** How many words stand before the command that are not options: `timeout 5`, `gosu user`. Default 0. */
  readonly operands?: number
  /** Options with the folder that the command runs in. */
  readonly folder?: readonly string[]
  /** Options whose value is the beginning of the command: `env -S "a b"`. */
  readonly split?: readonly string[]
  /** Options with which nothing is run: `command -v`. */
  readonly lookup?: readonly string[]
}

/** A path that a command moves or removes, or puts something in the place of, with all that is in it. */
export interface MutatedPath {
  /** Relative to the working folder, absolute, or below somebody's home; `*` and its like as a shell has them. */
  readonly path: string
  /** The path is relative to a folder that is not known. */
  readonly anywhere?: boolean
  /** Something is put there: into it where it is a folder already, otherwise in its place. */
  readonly into?: boolean
  /** Lists of patterns: the name of what is removed below the path follows one of each list. */
  readonly named?: readonly (readonly string[])[]
  /** What is removed below the path is of this kind. */
  readonly only?: 'file' | 'folder'
}

/** The paths that a program mutates. Its name is the first of the words. */
type Mutator = (words: readonly string[], inner: InnerCommands) => readonly MutatedPath[]

/** What a mutator asks about a command among its words, the program first. */
export interface InnerCommands {
  readonly onlyReads: (command: readonly string[]) => boolean
  readonly mutatedPaths: (command: readonly string[]) => readonly MutatedPath[]
}

/**
 * Commands that show what a record says, as they are written in a shell. Where the program's first name occurs in one,
 * each other name may. A test holds them all.
 */
interface ProgramExamples {
  /** These run and write nothing else. */
  readonly permitted?: readonly string[]
  /** These may. */
  readonly refused?: readonly string[]
  /** Each with one of the paths that it mutates. */
  readonly mutates?: readonly (readonly [command: string, path: string])[]
  /** These mutate nothing. */
  readonly harmless?: readonly string[]
}

/** The words of a text that are separated by blanks. Long lists are easier to read so. */
export function list(words: string): readonly string[] {
  return words.split(' ')
}

/** A clause about a word that makes a program run or write something else. */
export function runsOrWrites(word: string, program: string): string {
  return `${quote(word)} can make ${program} run or write something else`
}

/** Any path at all: for what cannot be read. */
export const ANY_PATH: MutatedPath = { path: '.', anywhere: true }

/** A path as it is seen from outside of the folder that it is relative to. */
export function below(folder: string, path: string): string {
  return folder === '' || /^(?:[/\\~$`%]|[a-z]:)/i.test(path) ? path : `${folder}/${path}`
}
