import { commandSequence } from '../arguments.ts'
import { nameWords } from '../host-tools/command-runner.ts'
import { below, type MutatedPath } from '../shell/programs/program.ts'
import type { ToolArgument } from '../ports/tool.ts'
import { shellArgument, type ReadCall } from '../call.ts'
import { workingFolders } from '../shell-input.ts'

/** Words in the name of a tool that removes what it is given, or puts it in the place of something. */
const MUTATORS: ReadonlySet<string> = new Set(
  'move mv rename ren delete del remove rm rmdir unlink trash erase purge wipe copy cp swap exchange'.split(' '),
)

/** Words in the name of a tool that puts something in the place that it is given. */
const WRITERS: ReadonlySet<string> = new Set(
  'link symlink hardlink ln mklink junction extract unpack unzip untar decompress'.split(' '),
)

/** Words in the name of a tool that is given files or folders. */
const FILES: ReadonlySet<string> = new Set(
  'file folder dir directory tree path fs filesystem files folders dirs directories trees paths symlink'.split(' '),
)

/** Words in the name of a tool that removes what it is given, if a word for a folder is in it too. */
const FOLDER_MUTATORS: ReadonlySet<string> = new Set(
  'drop destroy clear clean empty replace overwrite restore reset sync mirror'.split(' '),
)

const FOLDERS: ReadonlySet<string> = new Set('folder dir directory tree folders dirs directories trees'.split(' '))

/** Words in the name of a tool that is given something else. */
const OBJECTS: ReadonlySet<string> = new Set(
  'label branch row record column comment symbol message issue key text line table todo task event user tag'
    .split(' ')
    .flatMap((word) => [word, word === 'branch' ? 'branches' : `${word}s`]),
)

/** Words in the name of a property whose value is a path, whatever the tool is for. */
const PATH_PROPERTIES: ReadonlySet<string> = new Set([...FILES, ...'filepath filename pathname'.split(' ')])

/** The same, unless the tool is given something else. */
const ENDPOINT_PROPERTIES: ReadonlySet<string> = new Set(
  'source sources src target targets destination destinations dest dst from to'.split(' '),
)

/** Words that are written as one, the verb first or last: `movefile`, `rmtree`. */
const COMPOUND = (() => {
  const verbs = [...MUTATORS].join('|')
  const things = [...FILES].join('|')
  return new RegExp(`^(?:(${verbs})(${things})|(${things})(${verbs}))$`)
})()

/**
 * The paths that a call moves or removes, or puts something in the place of, with all that is in them: those of a shell's
 * command, and of a tool whose name says that it does that, the texts that are paths. Where the host does not declare
 * which are, the name of the tool tells, the name of their property, or a separator in them.
 */
export function mutatedPaths(call: ReadCall): readonly MutatedPath[] {
  const shell = shellArgument(call)
  const byCommand = shell === undefined ? [] : mutatedByCommands(call, shell)
  return call.argument?.kind === 'shell' ? byCommand : [...byCommand, ...mutatedByName(call)]
}

function mutatedByCommands(call: ReadCall, shell: ToolArgument): readonly MutatedPath[] {
  const read = call.readArgument(shell)
  const declared = 'values' in read ? read.values.flatMap(({ value }) => textsOf(value)) : []
  const several = 'values' in read ? commandSequence(read.values) : []
  const commands = declared.length > 0 ? [...declared, ...several] : textsOf(call.input)
  const mutated = [...commands, ...withArguments(commands, call.input)].flatMap(
    (command) => call.commandLine(command).mutatedPaths,
  )
  const inFolders = workingFolders(shell, call.input).flatMap((folder) =>
    mutated.map((one) =>
      folder === undefined ? { ...one, anywhere: true } : { ...one, path: below(folder, one.path) },
    ),
  )
  return [...mutated, ...inFolders]
}

/** Commands with the words that the call gives in an argument of their own: `{ command: 'rm', args: ['-r', 'a'] }`. */
function withArguments(commands: readonly string[], input: unknown): readonly string[] {
  const words = Object.entries(Object(input) as object)
    .filter(([name]) => ARGUMENTS.has(name.toLowerCase()))
    .map(([, value]: readonly [string, unknown]) => {
      if (typeof value === 'string') return value
      return (Array.isArray(value) ? value.flatMap(textsOf) : textsOf(value))
        .map((item) => `'${item.replaceAll("'", `'\\''`)}'`)
        .join(' ')
    })
  return words.flatMap((line) => commands.map((command) => `${command} ${line}`))
}

const ARGUMENTS: ReadonlySet<string> = new Set('args arg arguments argv params parameters'.split(' '))

function mutatedByName(call: ReadCall): readonly MutatedPath[] {
  const { argument, arguments: read } = call
  const declared = 'values' in read ? read.values.flatMap(({ value }) => textsOf(value)) : []
  if ((argument?.kind ?? 'path') !== 'path') return []
  const words = [...splitName(call.tool), ...operationWords(call)]
  const isMutator = words.some((word) => MUTATORS.has(word)) || mutatesFolders(words)
  if (!isMutator && !words.some((word) => WRITERS.has(word))) return []
  const hasProperties = typeof call.input === 'object' && !Array.isArray(call.input)
  const likelihood = hasProperties ? pathLikelihood(words, argument !== undefined) : 'all'
  const others = pathsIn(call.input, likelihood).filter((text) => text.trim() !== '')
  return [...new Set([...declared, ...others])].map((path) => (isMutator ? { path } : { path, into: true }))
}

/** The words of an argument that tells what a tool does: `{ action: 'delete' }`, or what the tool's record says of it. */
function operationWords({ known: { by }, input }: ReadCall): readonly string[] {
  return Object.entries(Object(input) as object).flatMap(([name, value]: readonly [string, unknown]) => {
    if (typeof value !== 'string') return []
    const isOperation = name === by?.argument || (OPERATIONS.has(name.toLowerCase()) && /^[\w.-]{1,40}$/.test(value))
    return isOperation ? splitName(value) : []
  })
}

const OPERATIONS: ReadonlySet<string> = new Set(
  'action op operation command cmd method mode verb function fn subcommand kind type'.split(' '),
)

function mutatesFolders(words: readonly string[]): boolean {
  return words.some((word) => FOLDER_MUTATORS.has(word)) && words.some((word) => FOLDERS.has(word))
}

/** Which texts of an input are paths: all, those that look like one, or those whose property has the name of one. */
type PathLikelihood = 'all' | 'likely' | 'named'

function pathLikelihood(words: readonly string[], isDeclared: boolean): PathLikelihood {
  const isVerb = words.every((word) => MUTATORS.has(word) || WRITERS.has(word))
  if (isDeclared || isVerb || words.some((word) => FILES.has(word))) return 'all'
  return words.some((word) => OBJECTS.has(word)) ? 'named' : 'likely'
}

function pathsIn(value: unknown, likelihood: PathLikelihood, property: readonly string[] = []): readonly string[] {
  const isLikely = likelihood === 'likely'
  const isPath = property.some((word) => PATH_PROPERTIES.has(word) || (isLikely && ENDPOINT_PROPERTIES.has(word)))
  if (likelihood === 'all' || isPath) return textsOf(value)
  if (typeof value === 'string') return isLikely && /[/\\]/.test(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, likelihood, property))
  return Object.entries(value).flatMap(([key, item]) => pathsIn(item, likelihood, splitName(key)))
}

/** The words of a name, those apart that are written as one: `movefile` is move, file. */
function splitName(name: string): readonly string[] {
  return nameWords(name).flatMap((word) => COMPOUND.exec(word)?.slice(1).filter(Boolean) ?? [word])
}

/** The texts of a value, without the names of its properties. A list of texts may be the words of a command. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return [...value, value.join(' ')]
  return Object.values(value).flatMap(textsOf)
}
