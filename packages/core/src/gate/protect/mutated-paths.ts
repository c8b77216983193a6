import { pathsMutatedByCommand } from '../commands.ts'
import { argumentValues, type MutatedPath } from '../index.ts'
import type { ToolArgument, ToolCall } from '../../ports/tool.ts'

/** Words of a tool's name that say that it takes what it is given away, or puts it in the place of something. */
const TAKES: ReadonlySet<string> = new Set(
  'move mv rename ren delete del remove rm rmdir unlink trash erase purge wipe copy cp'.split(' '),
)

/** Words that say that a tool puts something where it is told, the working folder aside. */
const PLACES: ReadonlySet<string> = new Set(
  'link symlink hardlink ln mklink junction extract unpack unzip untar decompress'.split(' '),
)

/** Words that say that what a tool is given is a file or a folder. */
const FILES: ReadonlySet<string> = new Set(
  'file folder dir directory tree path fs filesystem files folders dirs directories trees paths symlink'.split(' '),
)

/** Words that say so of what they clear away only with one of a folder. */
const CLEARS: ReadonlySet<string> = new Set('drop destroy clear clean'.split(' '))

const FOLDERS: ReadonlySet<string> = new Set('folder dir directory tree folders dirs directories trees'.split(' '))

/** Words that say that it is something else. */
const OBJECTS: ReadonlySet<string> = new Set(
  'label branch row record column comment symbol message issue key text line table todo task event user tag'
    .split(' ')
    .flatMap((word) => [word, word === 'branch' ? 'branches' : `${word}s`]),
)

/** Names of properties that say that their value is a path, whatever a tool is for. */
const PATHS: ReadonlySet<string> = new Set([...FILES, ...'filepath filename pathname'.split(' ')])

/** Names that say so where nothing says otherwise. */
const ENDS: ReadonlySet<string> = new Set(
  'source sources src target targets destination destinations dest dst from to'.split(' '),
)

/** Words that are written as one, the verb first or last: `movefile`, `rmtree`. */
const COMPOUND = (() => {
  const verbs = [...TAKES].join('|')
  const things = [...FILES].join('|')
  return new RegExp(`^(?:(${verbs})(${things})|(${things})(${verbs}))$`)
})()

/**
 * The paths that a call moves or removes, or puts something in the place of, with all that is in them: what the command
 * of a shell names so, and the texts that are paths of a tool whose name says that it does that. Where the host does not
 * say which are, the name of the tool does, that of their property, or a separator in them.
 */
export async function mutatedPaths(
  call: ToolCall,
  argument: ToolArgument | undefined,
): Promise<readonly MutatedPath[]> {
  const declared = (argument && argumentValues(argument, call.input))?.flatMap(({ value }) => textsOf(value)) ?? []
  if (argument?.kind === 'shell') {
    const commands = declared.length > 0 ? declared : textsOf(call.input)
    return (await Promise.all(commands.map(pathsMutatedByCommand))).flat()
  }
  if ((argument?.kind ?? 'path') !== 'path') return []
  const words = wordsOf(call.tool)
  const takes = words.some((word) => TAKES.has(word)) || clears(words)
  if (!takes && !words.some((word) => PLACES.has(word))) return []
  const hasNames = typeof call.input === 'object' && !Array.isArray(call.input)
  const meant = hasNames ? meantBy(words, argument !== undefined) : 'all'
  const others = pathsIn(call.input, meant).filter((text) => text.trim() !== '')
  return [...new Set([...declared, ...others])].map((path) => (takes ? { path } : { path, into: true }))
}

function clears(words: readonly string[]): boolean {
  return words.some((word) => CLEARS.has(word)) && words.some((word) => FOLDERS.has(word))
}

/** Which texts of an input are paths: all, those that look like some, or those that their property says it of. */
type Meant = 'all' | 'likely' | 'named'

function meantBy(words: readonly string[], isDeclared: boolean): Meant {
  const isVerb = words.every((word) => word === '' || TAKES.has(word) || PLACES.has(word))
  if (isDeclared || isVerb || words.some((word) => FILES.has(word))) return 'all'
  return words.some((word) => OBJECTS.has(word)) ? 'named' : 'likely'
}

function pathsIn(value: unknown, meant: Meant, property: readonly string[] = []): readonly string[] {
  const isPath = property.some((word) => PATHS.has(word) || (meant === 'likely' && ENDS.has(word)))
  if (meant === 'all' || isPath) return textsOf(value)
  if (typeof value === 'string') return meant === 'likely' && /[/\\]/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, meant, property))
  return Object.entries(value).flatMap(([key, item]) => pathsIn(item, meant, wordsOf(key)))
}

/** `mcp__fs__moveFile` is mcp, fs, move, file; `FSMove` is fs, move; `movefile` is move, file. */
function wordsOf(name: string): readonly string[] {
  const parts = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
  const words = parts.toLowerCase().split(/[^a-z]+/)
  return words.flatMap((word) => COMPOUND.exec(word)?.slice(1).filter(Boolean) ?? [word])
}

/** The texts of a value, without the names of its properties. A list of texts may be the words of a command. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [...value, value.join(' ')]
  return Object.values(value).flatMap(textsOf)
}
