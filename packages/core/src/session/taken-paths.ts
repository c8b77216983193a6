import { argumentValues, type TakenPath, takenByCommand } from '../gate/index.ts'
import type { ToolArgument, ToolCall } from '../types.ts'

/** Words of a tool's name that say that it takes what it is given away, or puts it in the place of something. */
const TAKES: ReadonlySet<string> = new Set(
  'move mv rename ren delete del remove rm rmdir unlink trash erase purge wipe copy cp'.split(' '),
)

/** Words that say that a tool puts something where it is told, the working folder aside. */
const PLACES: ReadonlySet<string> = new Set(
  'link symlink hardlink ln mklink junction extract unpack unzip untar decompress'.split(' '),
)

/**
 * The paths that a call moves or removes, or puts something in the place of, with all that is in them: what the command
 * of a shell names so, and every text of a tool whose name says that it does that.
 */
export async function pathsTaken(call: ToolCall, argument: ToolArgument | undefined): Promise<readonly TakenPath[]> {
  const declared = (argument && argumentValues(argument, call.input))?.flatMap(({ value }) => textsOf(value)) ?? []
  if (argument?.kind === 'shell') {
    const commands = declared.length > 0 ? declared : textsOf(call.input)
    return (await Promise.all(commands.map(takenByCommand))).flat()
  }
  if ((argument?.kind ?? 'path') !== 'path') return []
  const words = wordsOf(call.tool)
  const takes = words.some((word) => TAKES.has(word))
  if (!takes && !words.some((word) => PLACES.has(word))) return []
  const others = textsOf(call.input).filter((text) => text.trim() !== '')
  return [...new Set([...declared, ...others])].map((path) => (takes ? { path } : { path, into: true }))
}

/** `mcp__fs__moveFile` is mcp, fs, move, file. */
function wordsOf(name: string): readonly string[] {
  const parts = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
  return parts.toLowerCase().split(/[^a-z]+/)
}

/** The texts of a value, without the names of its properties. A list of texts may be the words of a command. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [...value, value.join(' ')]
  return Object.values(value).flatMap(textsOf)
}
