import { argumentValues, toolArgument, type ToolArguments } from '../gate/index.ts'
import { foldPart, partsOf, pathsInside } from '../resources/inside.ts'
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
  const values = argument?.kind === 'path' ? argumentValues(argument, call.input) : undefined
  const texts = textsIn(call.input)
  return files.find((file) => {
    const { folder, name } = placeOf(file, cwd)
    if (values === undefined) return mention(texts, cwd !== undefined && sameFolder(cwd, folder) ? '' : folder, name)
    return values.some(({ value }) => typeof value === 'string' && mayMean(value, folder, name, cwd))
  })
}

function placeOf(file: string, cwd: string | undefined): { readonly folder: string; readonly name: string } {
  const isAbsolute = /^[/\\]|^[a-z]:[/\\]/i.test(file)
  const parts = partsOf(isAbsolute || cwd === undefined ? file : `${cwd}/${file}`).filter((part) => part !== '.')
  const folder = parts.slice(0, -1).join('/')
  return { folder: /^[a-z]:/i.test(folder) ? folder : `/${folder}`, name: parts.at(-1) ?? file }
}

function mayMean(value: string, folder: string, name: string, cwd: string | undefined): boolean {
  const wanted = foldPart(name)
  if (pathsInside(value, folder, cwd).some((inside) => foldPart(inside) === wanted)) return true
  const file = comparable(folder, name)
  return isPattern(value) && pathPatterns(value, folder, cwd).some((pattern) => mayName(pattern, file))
}

function sameFolder(a: string, b: string): boolean {
  return comparable(a, '') === comparable(b, '')
}

/** Whether a command or other texts speak of a file, quotes and backslashes taken out of them. */
function mention(texts: readonly string[], folder: string, name: string): boolean {
  const all = texts.map((text) => foldPart(text.replaceAll(/["'\\]/g, ''))).join('\n')
  return all.includes(foldPart(name)) && all.includes(foldPart(partsOf(folder).at(-1) ?? ''))
}

/** Every text of an input, however deep. Inputs are bounded in depth before. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)])
}
