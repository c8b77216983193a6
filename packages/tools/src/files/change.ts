import { OpenError, type OpenFolder } from '@repertoire/core/node'
import { ToolFailure } from '../result.ts'
import { openBelow, type Place, shown } from '../roots.ts'
import { readContent, textOf, versionOf } from './content.ts'
import { onPath } from '../on-path.ts'

/** What was written. */
export interface WrittenFile {
  readonly path: string
  readonly version: string
  readonly bytes: number
  /** Whether there was no file before. */
  readonly created: boolean
}

/** Runs work in the folder that holds a place. @throws {ToolFailure} */
export function inFolderOf<T>(
  { root, parts, path }: Place,
  work: (folder: OpenFolder, name: string) => T,
  make = false,
): T {
  return onPath(path, () => {
    const folder = openBelow(root, parts.slice(0, -1), make)
    try {
      return work(folder, parts.at(-1)!)
    } finally {
      folder.close()
    }
  })
}

/**
 * Writes a whole file. An existing one is replaced only with its version, so that no unread change is lost.
 * @throws {ToolFailure} CONFLICT
 */
export function writeFile(place: Place, content: string, version: string | undefined, maxBytes: number): WrittenFile {
  const { path } = place
  const bytes = Buffer.from(content)
  checkSize(bytes.length, maxBytes)
  const write = (folder: OpenFolder, name: string): WrittenFile => {
    const check = (): boolean => checkVersion(folder, name, path, version, maxBytes)
    const created = !check()
    folder.write(name, bytes, { check })
    return { path, version: versionOf(bytes), bytes: bytes.length, created }
  }
  return inFolderOf(place, write, version === undefined)
}

/**
 * Replaces a text in a file.
 * @throws {ToolFailure} CONFLICT the file has changed, or the text is there several times; NOT_FOUND it is not there
 */
export function editFile(
  place: Place,
  { find, replace, all }: { readonly find: string; readonly replace: string; readonly all: boolean },
  version: string | undefined,
  maxBytes: number,
): WrittenFile & { readonly replacements: number } {
  const { path } = place
  return inFolderOf(place, (folder, name) => {
    const before = readContent(folder, name, path, maxBytes)
    if (version !== undefined && before.version !== version) throw changed(path)
    const text = textOf(before.bytes)
    if (text === undefined)
      throw new ToolFailure('INPUT_INVALID', `${shown(path)} is not text in UTF-8, so no text in it can be replaced.`)
    const pieces = text.split(find)
    const replacements = pieces.length - 1
    if (replacements === 0)
      throw new ToolFailure(
        'NOT_FOUND',
        `${shown(path)} does not hold the text to replace. Read the file, and pass the text exactly.`,
      )
    if (replacements > 1 && !all) {
      throw new ToolFailure(
        'CONFLICT',
        `${shown(path)} holds the text ${replacements} times. Pass more of what is around it, or "all": true.`,
      )
    }
    // Before it is made: a short text that is there often can become gigabytes.
    checkSize(before.bytes.length + replacements * (Buffer.byteLength(replace) - Buffer.byteLength(find)), maxBytes)
    const bytes = Buffer.from(pieces.join(replace))
    folder.write(name, bytes, { check: () => checkVersion(folder, name, path, before.version, maxBytes) })
    return { path, version: versionOf(bytes), bytes: bytes.length, created: false, replacements }
  })
}

/** Moves a file to a path that is still free. @throws {ToolFailure} CONFLICT */
export function renameFile(from: Place, to: Place): { readonly path: string } {
  return inFolderOf(from, (source, name) => {
    const stats = source.stat(name)
    if (stats.isSymbolicLink()) throw new OpenError('link')
    if (!stats.isFile()) throw new OpenError(stats.isDirectory() ? 'folder' : 'special')
    // Only now: folders for what is not there would stay behind.
    inFolderOf(to, (target, targetName) => source.move(name, target, targetName), true)
    return { path: to.path }
  })
}

/** Deletes a file, a link or an empty folder. @throws {ToolFailure} CONFLICT the file has changed */
export function deleteFile(place: Place, version: string | undefined, maxBytes: number): { readonly path: string } {
  const { path } = place
  return inFolderOf(place, (folder, name) => {
    const stats = folder.stat(name)
    if (!stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink()) throw new OpenError('special')
    if (version !== undefined) checkVersion(folder, name, path, version, maxBytes)
    folder.remove(name)
    return { path }
  })
}

/** @returns whether there is a file @throws {ToolFailure} CONFLICT: it has another version, or exists without one */
function checkVersion(
  folder: OpenFolder,
  name: string,
  path: string,
  version: string | undefined,
  maxBytes: number,
): boolean {
  let found: string | undefined
  try {
    found = readContent(folder, name, path, maxBytes).version
  } catch (error) {
    if (!(error instanceof OpenError) || error.kind !== 'missing') throw error
  }
  if (found === version) return found !== undefined
  if (version !== undefined) throw changed(path)
  throw new ToolFailure('CONFLICT', `${shown(path)} is there already. Read it, and pass its version to write over it.`)
}

function changed(path: string): ToolFailure {
  return new ToolFailure(
    'CONFLICT',
    `${shown(path)} is not what was read: it has changed meanwhile, or is gone. Read it again.`,
  )
}

/** @throws {ToolFailure} TOO_LARGE */
function checkSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes)
    throw new ToolFailure('TOO_LARGE', `The content has ${bytes} bytes, and ${maxBytes} are the most. Write less.`)
}
