import { argumentValues, matchText, toolArgument, type ToolArguments } from '../gate/index.ts'
import { foldPart, leadsThroughProcess, partsOf, pathReadings, pathsInside } from '../resources/inside.ts'
import type { ToolCall } from '../types.ts'
import { comparable, isPattern, mayName, pathPatterns } from './path-pattern.ts'

/**
 * The first of the host's protected files that a call may name: by a path in whatever spelling, by a pattern that takes
 * it in, or, for tools whose arguments are no paths (a shell, one that is not known), by its name anywhere in the input,
 * with that of its folder unless it lies in the working folder. By text alone: what a program does by itself is not
 * seen here.
 */
export function protectedBy(
  call: ToolCall,
  files: readonly string[],
  { toolArguments, cwd }: { readonly toolArguments: ToolArguments; readonly cwd?: string | undefined },
): string | undefined {
  if (files.length === 0) return undefined
  const argument = toolArgument(toolArguments, call.tool)
  const texts = textsIn(call.input)
  if (argument?.kind === 'path') {
    const declared = new Set((argumentValues(argument, call.input) ?? []).flatMap(({ value }) => textsIn(value)))
    // A tool that only lists names shows nothing of a file, and one that writes takes its path as it stands.
    const expands = argument.reads !== undefined && argument.reads !== false
    return files.find((file) => {
      const place = placeOf(file, cwd)
      return texts.some((text) => {
        const isPath = declared.size === 0 || declared.has(text)
        return (
          mayMean(text, place, cwd) ||
          (isPath && leadsThroughProcess(text, cwd)) ||
          (expands && declared.has(text) && mayTakeIn(text, place, cwd))
        )
      })
    })
  }
  const plain = foldPart(texts.map((text) => text.replaceAll(/["'\\]/g, '')).join('\n'))
  const words = argument?.kind === 'shell' ? patternWords(texts) : []
  return files.find((file) => {
    const place = placeOf(file, cwd)
    return mention(plain, place, cwd) || words.some((word) => mayExpandTo(word, place, cwd))
  })
}

/** A protected file, by its folder and its name in it. */
interface Place {
  readonly folder: string
  readonly name: string
  /** Whether the folder is only the end of its path: the file is relative to a working folder that is not known. */
  readonly anywhere: boolean
}

function placeOf(file: string, cwd: string | undefined): Place {
  const isAbsolute = /^[/\\]|^[a-z]:[/\\]/i.test(file)
  const parts: string[] = []
  for (const part of partsOf(isAbsolute || cwd === undefined ? file : `${cwd}/${file}`)) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  const folder = parts.slice(0, -1).join('/')
  return {
    folder: /^[a-z]:/i.test(folder) ? folder : `/${folder}`,
    name: parts.at(-1) ?? file,
    anywhere: !isAbsolute && cwd === undefined,
  }
}

function mayMean(value: string, place: Place, cwd: string | undefined): boolean {
  if (value.length > LONGEST_PATH) return false
  const { folder, name, anywhere } = place
  const wanted = foldPart(name)
  if (pathsInside(value, folder, cwd).some((inside) => foldPart(inside) === wanted)) return true
  return anywhere && pathReadings(value, folder, cwd).some((parts) => endsAt(parts, place))
}

/** Whether a pattern takes the file in. */
function mayTakeIn(value: string, { folder, name }: Place, cwd: string | undefined): boolean {
  const file = comparable(folder, name)
  return isPattern(value) && pathPatterns(value, folder, cwd).some((pattern) => mayName(pattern, file))
}

/** Characters of a path at the most: what is longer names no file. */
const LONGEST_PATH = 65_536

function endsAt(parts: readonly string[], { folder, name }: Place): boolean {
  const wanted = [...partsOf(folder), name].map(foldPart)
  const end = parts.slice(-wanted.length).map(foldPart)
  return end.length === wanted.length && wanted.every((part, index) => part === end[index])
}

/** Whether a command or other texts speak of a file, quotes and backslashes taken out of them. */
function mention(texts: string, { folder, name }: Place, cwd: string | undefined): boolean {
  const above = cwd !== undefined && comparable(cwd, '') === comparable(folder, '') ? '' : partsOf(folder).at(-1)
  return texts.includes(foldPart(name)) && texts.includes(foldPart(above ?? ''))
}

/** Words of a command that a shell expands. */
function patternWords(texts: readonly string[]): readonly string[] {
  const words = texts.flatMap((text) => text.replaceAll(/["'\\]/g, '').split(/[\s;&|<>()=`]+/))
  return words.filter((word) => word.length <= LONGEST_PATTERN_WORD && /[*?[{]/.test(word))
}

const LONGEST_PATTERN_WORD = 1_000

/** Whether a shell may expand a word to a file: there, a wildcard stands for no slash. */
function mayExpandTo(word: string, { folder, name }: Place, cwd: string | undefined): boolean {
  const wide = word.replaceAll(/\{[^{}]*\}|\[[^\]/]*\]|\?/g, '*')
  const file = [...partsOf(folder), name].map(foldPart)
  return pathReadings(wide, folder, cwd).some(
    (parts) =>
      parts.length === file.length && parts.every((part, index) => matchText(foldPart(part), file[index] ?? '')),
  )
}

/** Every text of an input, however deep. Inputs are bounded in depth before. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}
