import {
  checkOptions,
  foreign,
  layerKind,
  number,
  required,
  text,
  type OptionTable,
  watchKind,
  withDefault,
} from '@repertoire/core/options'
import { isAbsolute, join, normalize, resolve } from 'node:path'
import { isSkillError, showName, SkillError } from '@repertoire/core'
import { renderStored } from '@repertoire/core/authoring'
import type { Diagnostic, FoundSkill, Layer, SkillFolder, SkillSource, SkillStore, StoredSkill } from '@repertoire/core'
import {
  checkResource,
  checkSkillContent,
  checkSkillFiles,
  checkSkillName,
  checkWrites,
  isSameName,
  nearestNames,
  readStored,
  refuseConflict,
  revisionOf,
  storedSkillName,
} from '@repertoire/core/stores'
import {
  directorySource,
  isMoving,
  skillFolder,
  type DirectoryWatchOptions,
  type SafeFolder,
} from '@repertoire/core/node'
import { LOCK_TIMEOUT_MS } from '../file-lock.ts'
import { keepOrigin } from './kept-origins.ts'
import { readNames, type StoredNames } from './stored-names.ts'
import { readSteadily, writeStore } from './write-store.ts'

/** Options of `openFileStore`. */
export interface FileStoreOptions {
  /** The folder that holds the skills, absolute or relative to the working folder. Made at the first write. */
  readonly root: string
  /** How far the folder is trusted. The host chooses it, since a path does not show that. Default `project`. */
  readonly layer?: Layer | undefined
  /** Identifies the store in consent and in saved sessions. Default `store:<root>`, the root as it was given. */
  readonly id?: string | undefined
  /** How long a write waits for other writers, in milliseconds. Default 30,000. */
  readonly lockTimeout?: number | undefined
  /** How the store is watched, if the repertoire is opened with `watch`. */
  readonly watch?: DirectoryWatchOptions | undefined
}

export const FILE_STORE_OPTIONS: OptionTable<FileStoreOptions> = {
  root: required(
    foreign('the path of a folder', (value) => typeof value === 'string' && value !== '' && !value.includes('\0')),
  ),
  layer: withDefault('project', layerKind),
  id: withDefault('store:<root>', text),
  lockTimeout: withDefault(LOCK_TIMEOUT_MS, number('milliseconds', { from: 0 })),
  watch: watchKind,
}

/**
 * Opens a store whose skills are folders, `<root>/<name>/SKILL.md`: those of every other client, and to be edited by
 * hand. Opening writes nothing. What a writer that was killed has left is an error of a scan, and of the next write to
 * that skill: it names the command that finishes or undoes it.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export async function openFileStore(options: FileStoreOptions): Promise<SkillStore> {
  checkOptions('openFileStore', FILE_STORE_OPTIONS, options, "openFileStore({ root: '.agents/skills' })")
  const { layer = 'project', lockTimeout: timeout = LOCK_TIMEOUT_MS, watch } = options
  const root = resolve(options.root)
  const directory = directorySource({ root, layer, optional: true, ...(watch !== undefined && { watch }) })
  const write = <T>(skill: string, work: (folder: SafeFolder) => Promise<T>): Promise<T> =>
    writeStore(root, timeout, [skill], work)
  const folderOf = (folder: string): SkillFolder => unbound(skillFolder(join(root, folder)))
  const scan: SkillStore['scan'] = () => scanStore(root, directory)
  const read = (folder: string, found: StoredNames): Promise<StoredSkill> =>
    readSteadily(root, folder, async () => readStored(folder, folderOf(folder), found.originOf(folder)))
  const names = (): Promise<StoredNames> => readNames(root, { id: root, layer, scan })
  /** The revision in a folder. What has no SKILL.md may hold anything, and is left to whoever has made it. */
  const stored = async (folder: string | undefined): Promise<string | undefined> => {
    if (folder === undefined) return undefined
    try {
      return await revisionOf(folderOf(folder))
    } catch (error) {
      throw isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND' ? notASkill(folder) : error
    }
  }
  /** Returns the folder of a skill that must exist. */
  const existing = async (name: string): Promise<string> => {
    const found = await names()
    const folder = found.toWrite(name)
    if (folder !== undefined) return folder
    throw missing(root, name, found)
  }
  const result = async (folder: string): Promise<{ readonly revision: string }> => ({
    revision: await revisionOf(folderOf(folder)),
  })

  return checkWrites({
    id: options.id ?? `store:${isAbsolute(options.root) ? root : normalize(options.root)}`,
    layer,
    scan,
    watch: (listener) => directory.watch!(listener),
    async save(content, { ifRevision } = {}) {
      const { name } = checkSkillContent(content)
      const key = (await names()).toWrite(name) === undefined ? name : storedSkillName(name)
      checkSkillName(key)
      const file = { bytes: Buffer.from(await renderStored(content)) }
      await checkSkillFiles(key, new Map([['SKILL.md', file]]))
      return write(name, async (store) => {
        const found = await names()
        const folder = found.toWrite(name)
        refuseConflict(name, ifRevision, await stored(folder))
        if (folder === undefined) {
          found.refuseOccupied(name, key)
          refuseTwin(store, key)
          store.replace(key, new Map([['SKILL.md', file]]))
        } else store.write(`${folder}/SKILL.md`, file)
        return result(folder ?? key)
      })
    },
    async get(name) {
      const found = await readSteadily(root, '.', names, (all) => all.toRead(name) !== undefined)
      const folder = found.toRead(name)
      if (folder === undefined) throw missing(root, name, found)
      try {
        return await read(folder, found)
      } catch (error) {
        if (isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND') throw missing(root, name, await names())
        throw error
      }
    },
    async listActive() {
      const active: StoredSkill[] = []
      const found = await names()
      for (const folder of found.active) {
        try {
          const skill = await read(folder, found)
          if (skill.manifest.status === 'active') active.push(skill)
        } catch (error) {
          if (!isSkillError(error)) throw error
        }
      }
      return active
    },
    async delete(name, { ifRevision } = {}) {
      await write(name, async (store) => {
        const folder = await existing(name)
        const before = await stored(folder).catch((error: unknown) => {
          // A skill that cannot be read can still be removed, unless the caller names a revision.
          if (!isSkillError(error) || error.code === 'STORE_CONFLICT') throw error
          return UNREADABLE
        })
        refuseConflict(name, ifRevision, before)
        keepOrigin(store, folder, undefined)
        store.remove(folder)
      })
    },
    async saveResource(name, path, content, { ifRevision, executable } = {}) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      if (!(bytes instanceof Uint8Array)) throw new TypeError('saveResource: pass the content as bytes or as a string.')
      const parts = checkResource(name, path, { bytes })
      return write(name, async (store) => {
        const folder = await existing(name)
        refuseConflict(name, ifRevision, await stored(folder))
        store.write([folder, ...parts].join('/'), { bytes, ...(executable !== undefined && { executable }) })
        return result(folder)
      })
    },
    async replace(name, files, { ifRevision, origin } = {}) {
      // A copy: what was judged is what is written.
      const copy = structuredClone(new Map(files))
      const { manifest } = await checkSkillFiles(name, copy)
      return write(name, async (store) => {
        const found = await names()
        const folder = found.toWrite(manifest.name) ?? found.toWrite(name)
        refuseConflict(name, ifRevision, await stored(folder))
        if (folder === undefined) {
          found.refuseOccupied(name, name)
          refuseTwin(store, name)
        }
        store.replace(folder ?? name, copy)
        keepOrigin(store, folder ?? name, origin)
        return result(folder ?? name)
      })
    },
  })
}

/** @throws {SkillError} MANIFEST_INVALID: no store can keep a skill of that name */
function missing(root: string, name: string, found: StoredNames): SkillError {
  if (isMoving(root, name)) {
    const message = `The skill "${name}" has left its place: a change of it is unfinished. "repertoire recover" puts it back.`
    return new SkillError('RESOURCE_NOT_FOUND', message, { path: join(root, name) })
  }
  checkSkillName(name)
  return notStored(name, found.names)
}

/** The error for what is in the place of a skill, and may be anything. */
function notASkill(name: string): SkillError {
  const message = `Nothing was written: "${showName(name)}" is there, and is a file, or a folder without a SKILL.md. Move it away, or choose another name.`
  return new SkillError('STORE_CONFLICT', message)
}

/** The error for a name under which nothing is stored. */
function notStored(name: string, names: readonly string[]): SkillError {
  const nearest = nearestNames(name, names)
  const meant = nearest.length === 0 ? 'Ask for the list of skills.' : `Did you mean "${nearest.join('", "')}"?`
  return new SkillError('SKILL_NOT_FOUND', `The store has no skill "${showName(name)}". ${meant}`, { nearest })
}

/** Refuses a folder beside another one that some file systems take for it. @throws {SkillError} RESOURCE_REFUSED */
export function refuseTwin(store: SafeFolder, name: string): void {
  const other = store.list().find((entry) => entry.name !== name && isSameName(entry.name, name))
  if (other === undefined) return
  const message = `"${name}" is not written: "${other.name}" is there, and to some file systems both are one. Use that name, or rename it.`
  throw new SkillError('RESOURCE_REFUSED', message, { path: name })
}

/** The same folder with methods that work without it. */
function unbound(folder: SkillFolder): SkillFolder {
  return {
    location: folder.location,
    readManifest: folder.readManifest.bind(folder),
    list: folder.list.bind(folder),
    read: folder.read.bind(folder),
  }
}

/** A SKILL.md in the store's folder itself belongs to no stored skill. */
async function* scanStore(root: string, directory: SkillSource): AsyncGenerator<FoundSkill | Diagnostic> {
  for await (const found of directory.scan()) if ('code' in found || found.folder.location !== root) yield found
}

/** In place of the revision of a skill that cannot be read. */
const UNREADABLE = 'unreadable'
