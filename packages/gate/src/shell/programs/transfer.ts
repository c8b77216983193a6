import { operands } from '../options.ts'
import type { MutatedPath } from './program.ts'

/** Every operand is moved or removed. */
export function remove(words: readonly string[]): readonly MutatedPath[] {
  return mutated(pathOperands(words))
}

/** The sources are gone, and something lies at the target. */
export function move(words: readonly string[]): readonly MutatedPath[] {
  const { sources, target } = transferOf(words)
  return [...mutated(sources), ...placedAt(sources, target)]
}

/** Only what copies folders puts one in the place of another; files land in it under their names. */
const RECURSIVE = /^-\w*[rRa]|^--(?:r|a)|^\/[es]$/i

export function copy(words: readonly string[]): readonly MutatedPath[] {
  const { sources, target } = transferOf(words)
  return words.some((word) => RECURSIVE.test(word)) ? placedAt(sources, target) : namesInside(sources, target)
}

/** A folder is made equal to another: what is not in that one may be removed, and that one emptied. */
export function mirror(words: readonly string[]): readonly MutatedPath[] {
  const { sources, target } = transferOf(words)
  const has = (option: RegExp): boolean => words.some((word) => option.test(word))
  return [
    ...placedAt(sources, target),
    ...(has(/^--del/) ? mutated([target ?? '.']) : []),
    ...(has(/^--remove-source-files$/) ? mutated(sources) : []),
  ]
}

/** A link is put somewhere: with one operand only, under its last part in the working folder. */
export function link(words: readonly string[]): readonly MutatedPath[] {
  const { sources, target } = transferOf(words)
  return placedAt(sources, target ?? '.')
}

/** A mount hides what is at its place. */
export function mount(words: readonly string[]): readonly MutatedPath[] {
  const paths = pathOperands(words)
  return paths.length < 2 ? [] : [{ path: paths.at(-1)! }]
}

/** What Windows' own programs are given, whose options begin with a slash: the operand with this index is replaced. */
export function replaceWindowsOperand(index: number): (words: readonly string[]) => readonly MutatedPath[] {
  return (words) => {
    const target = words.slice(1).filter((word) => !word.startsWith('/'))[index]
    const isMirrored = target !== undefined && words.some((word) => /^\/(?:mir|purge)$/i.test(word))
    return isMirrored ? mutated([target]) : placedAt([], target)
  }
}

/** The paths behind some subcommands of a program are moved or removed. */
export function removeBy(...subcommands: readonly string[]): (words: readonly string[]) => readonly MutatedPath[] {
  return (words) => {
    const [subcommand = '', ...paths] = pathOperands(words)
    return subcommands.includes(subcommand) ? mutated(paths) : []
  }
}

/** Parameters of PowerShell with paths: those that come first, and the one that comes last. */
const SOURCE = /^-(?:literal)?path(?::(.*))?$/is
const TARGET = /^-(?:destination|newname|target)(?::(.*))?$/is

/** The operands, also where PowerShell's parameters name them: sources first. */
export function pathOperands(words: readonly string[]): readonly string[] {
  return pathsOf(positional(words))
}

/** The operands but `-`, which is a file to few programs, and must not hide the target of the others. */
function pathsOf(words: readonly string[]): readonly string[] {
  return operands(words).filter((word) => word !== '-')
}

function positional(words: readonly string[]): readonly string[] {
  if (!words.some((word) => SOURCE.test(word) || TARGET.test(word))) return words
  const first: string[] = []
  const last: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!
    const match = SOURCE.exec(word) ?? TARGET.exec(word)
    const end = TARGET.test(word) ? last : first
    end.push(match === null ? word : (match[1] ?? words[++index] ?? ''))
  }
  return [...first, ...last]
}

interface Transfer {
  readonly sources: readonly string[]
  /** Absent: none is named. */
  readonly target?: string | undefined
}

function transferOf(given: readonly string[]): Transfer {
  const words = positional(given)
  const at = words.findIndex((word) => /^(?:-\w*t|--target-directory)$/.test(word))
  if (at >= 0) return { sources: pathsOf(words.toSpliced(at, 2)), target: words[at + 1] }
  const attached = words.map((word) => /^(?:-\w*t|--target-directory=)(.+)$/.exec(word)?.[1]).find(Boolean)
  if (attached !== undefined) return { sources: pathsOf(words), target: attached }
  const paths = pathsOf(words)
  return paths.length < 2 ? { sources: paths } : { sources: paths.slice(0, -1), target: paths.at(-1) }
}

function mutated(paths: readonly string[]): readonly MutatedPath[] {
  return paths.map((path) => ({ path }))
}

/** The target where it is a folder: the sources get their names in it. */
function namesInside(sources: readonly string[], target: string | undefined): readonly MutatedPath[] {
  if (target === undefined) return []
  const names = sources.map((source) => source.replace(/[/\\]+$/, '').replace(/^.*[/\\]/s, ''))
  // What a wildcard matches elsewhere is not known. In the working folder, and those above it, it would be all files.
  const isHere = /^[./\\]*$/.test(target)
  const inside = names.filter((name) => !(isHere ? /^\.{0,2}$|[*?[{]/ : /^\.{0,2}$/).test(name))
  return mutated(inside.map((name) => `${target}/${name}`))
}

/** The target whether it is a folder, or is replaced. */
function placedAt(sources: readonly string[], target: string | undefined): readonly MutatedPath[] {
  return target === undefined ? [] : [{ path: target, into: true }, ...namesInside(sources, target)]
}
