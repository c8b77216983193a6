import {
  SkillError,
  anyText,
  either,
  flag,
  foreign,
  layerKind,
  recordOf,
  required,
  tableOf,
  text,
  withDefault,
  checkOptions,
  type OptionKind,
  type OptionTable,
  type SkillFolder,
  type Layer,
  MAX_RESOURCE_BYTES,
  showName,
} from '@repertoire/skill-md/internal'
import { listFiles, quoted, resourceParts } from '../resources/path.ts'
import type { FoundSkill, SkillSource } from '../ports/source.ts'
import { byText } from '../text/order.ts'

/** A file as a value. */
export type MemoryFile =
  | string
  | Uint8Array
  | {
      readonly content: string | Uint8Array
      /** Whether it can be executed: below `bin` or `scripts`, it is then a script whatever its name. */
      readonly executable: boolean
    }

/** Skills as values: folder name → relative path → content. */
export interface MemorySourceOptions {
  /** How far its skills are trusted. The host chooses it, since skills do not show that. Default `project`. */
  readonly layer?: Layer | undefined
  /** The source's id, part of every location: `memory:<id>/<folder>`. Default `memory`. */
  readonly id?: string | undefined
  readonly skills: Readonly<Record<string, Readonly<Record<string, MemoryFile>>>>
}

/** A source whose skills are in memory, so that nothing has to be awaited. */
export interface MemorySource extends SkillSource {
  scan(): readonly FoundSkill[]
}

const contentKind = either(
  anyText,
  foreign('bytes', (value) => value instanceof Uint8Array),
)

/** Skills as values: files by their paths, by the folder's name. */
export const memorySkills: OptionKind = recordOf(
  recordOf(
    either(contentKind, tableOf({ content: required(contentKind), executable: required(flag) })),
    "an object of files, such as { 'SKILL.md': text }",
  ),
  "an object of skills, such as { 'my-skill': { 'SKILL.md': text } }",
)

const MEMORY_SOURCE_OPTIONS: OptionTable<MemorySourceOptions> = {
  layer: withDefault('project', layerKind),
  id: withDefault('memory', text),
  skills: required(memorySkills),
}

/**
 * Returns a source whose skills are in memory: for tests, for generated skills, for environments without a disk.
 * @throws {TypeError} an option is unknown or has the wrong type, or `skills` does not have the shape of
 * `MemorySourceOptions`; the message names the entry
 */
export function memorySource(options: MemorySourceOptions): MemorySource {
  checkOptions('memorySource', MEMORY_SOURCE_OPTIONS, options, 'memorySource({ skills })')
  const { layer = 'project', id = 'memory', skills } = options
  const folders = Object.entries(skills).toSorted(byText(([name]) => name))
  const found = folders.flatMap(([folderName, files]) => {
    const folder = memoryFolder(`memory:${id}/${folderName}`, new Map(Object.entries(files)))
    if (folder.manifest === undefined) return []
    const { fileName, bytes } = folder.manifest
    const path = `${folder.location}/${fileName}`
    return [{ folder, folderName, path, fileName, size: bytes.length, head: bytes }]
  })
  return { id, layer, scan: () => found }
}

function isPlain(file: MemoryFile): file is string | Uint8Array {
  return typeof file === 'string' || file instanceof Uint8Array
}

export function isExecutable(file: MemoryFile): boolean {
  return !isPlain(file) && file.executable
}

export function bytesOf(file: MemoryFile): Uint8Array {
  const bytes = isPlain(file) ? file : file.content
  return typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
}

function memoryFolder(location: string, files: ReadonlyMap<string, MemoryFile>) {
  const bytes = new Map(Array.from(files, ([path, file]) => [path, bytesOf(file)]))
  const fileName = bytes.has('SKILL.md')
    ? 'SKILL.md'
    : [...bytes.keys()].find((path) => path.toLowerCase() === 'skill.md')
  const manifest = fileName === undefined ? undefined : { fileName, bytes: bytes.get(fileName)! }
  const folder: SkillFolder = {
    location,
    readManifest: () =>
      manifest === undefined
        ? Promise.reject(
            new SkillError('RESOURCE_NOT_FOUND', `There is no SKILL.md in ${showName(location)}.`, { path: location }),
          )
        : Promise.resolve(manifest.bytes),
    list: () =>
      Promise.resolve(
        listFiles(
          [...bytes].map(([filePath, content]) => ({
            path: filePath,
            size: content.length,
            executable: isExecutable(files.get(filePath)!),
          })),
        ),
      ),
    read: async (path, { maxBytes = MAX_RESOURCE_BYTES, withheld = false } = {}) => {
      const content = bytes.get(resourceParts(path, location, withheld).join('/'))
      if (content === undefined)
        throw new SkillError('RESOURCE_NOT_FOUND', `There is no file ${quoted(path)} in ${showName(location)}.`, {
          path,
        })
      if (content.length > maxBytes) {
        throw new SkillError(
          'RESOURCE_TOO_LARGE',
          `${quoted(path)} in ${showName(location)} has ${content.length} bytes; at most ${maxBytes} are read.`,
          { path },
        )
      }
      return content
    },
  }
  return { ...folder, manifest }
}
