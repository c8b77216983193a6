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
import { realpathSync } from 'node:fs'
import { isAbsolute, join, normalize, resolve } from 'node:path'
import { isSkillError } from '@repertoire/core'
import { renderStored } from '@repertoire/core/authoring'
import type { Layer, SkillError, SkillFolder, SkillStore, StoredSkill } from '@repertoire/core'
import {
  checkResource,
  checkSkillContent,
  checkSkillFiles,
  checkSkillName,
  countChanges,
  readStored,
  refuseConflict,
  revisionOf,
  storedSkillName,
} from '@repertoire/core/stores'
import { directorySource, type DirectoryWatchOptions } from '@repertoire/core/node'
import { LOCK_TIMEOUT_MS } from '../durable/file-lock.ts'
import { withFolder } from '../durable/open-folder.ts'
import { addFolder, removeFolder, replaceFolder } from '../durable/swap.ts'
import { writingSystem, type WritingSystem } from '../durable/system.ts'
import { keepOrigin } from './kept-origins.ts'
import { noManifest, notASkill, notStored } from './conflict.ts'
import { scanStore } from './file-scan.ts'
import { putResource, refuseOtherSpellings } from './put-resource.ts'
import { storeFolder } from './store-folder.ts'
import { readNames, type StoredNames } from './stored-names.ts'
import { recoverStore, writeStore } from './write-store.ts'

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

/** The options of `openConfiguredStore`. */
export const CONFIGURED_STORE_OPTIONS: OptionTable<Pick<FileStoreOptions, 'lockTimeout' | 'watch'>> = {
  lockTimeout: FILE_STORE_OPTIONS.lockTimeout,
  watch: FILE_STORE_OPTIONS.watch,
}

/**
 * Opens a store whose skills are folders, `<root>/<name>/SKILL.md`: those of every other client, and to be edited by hand.
 * Opening writes nothing, unless a writer was ended on its way: then its write is undone or completed first.
 * @throws {SkillError} FOLDER_NOT_WRITABLE, RESOURCE_REFUSED, TIMED_OUT: what a killed writer left cannot be put right
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export async function openFileStore(options: FileStoreOptions): Promise<SkillStore> {
  checkOptions('openFileStore', FILE_STORE_OPTIONS, options, "openFileStore({ root: '.agents/skills' })")
  return openStoreOn(options, writingSystem)
}

/** Opens the same store with writes of another kind, for tests that let them fail. */
export async function openStoreOn(options: FileStoreOptions, system: WritingSystem): Promise<SkillStore> {
  const { layer = 'project', lockTimeout: timeout = LOCK_TIMEOUT_MS, watch } = options
  const given = resolve(options.root)
  const directory = directorySource({ root: given, layer, optional: true, ...(watch !== undefined && { watch }) })
  const target = { root: given, timeout, system }
  /** Links on the way to the root are the operator's. It may be made, or moved, at any time. */
  const root = (): string => realOf(given)
  const folderOf = (folder: string): SkillFolder => storeFolder(root(), folder)
  const scan: SkillStore['scan'] = () => scanStore(root(), directoryAt(directory, root(), layer))
  const names = (): Promise<StoredNames> => readNames(root(), { id: given, layer, scan })
  const stored = async (folder: string | undefined): Promise<string | undefined> => {
    if (folder === undefined) return undefined
    try {
      return await revisionOf(folderOf(folder))
    } catch (error) {
      if (!isSkillError(error) || error.code !== 'RESOURCE_NOT_FOUND') throw error
      // Only the owner may overwrite a folder that has no SKILL.md.
      return NO_SKILL
    }
  }
  /** Returns the folder of a skill that must exist. */
  const existing = async (name: string): Promise<string> => {
    const found = await names()
    const folder = found.toWrite(name)
    if (folder !== undefined) return folder
    throw missing(name, found)
  }
  const result = async (folder: string): Promise<{ readonly revision: string }> => ({
    revision: await revisionOf(folderOf(folder)),
  })
  await recoverStore(target)

  return countChanges({
    id: options.id ?? `store:${isAbsolute(options.root) ? given : normalize(options.root)}`,
    layer,
    scan,
    watch: (listener) => directory.watch!(listener),
    async save(content, { ifRevision } = {}) {
      const { name } = checkSkillContent(content)
      const key = (await names()).toWrite(name) === undefined ? name : storedSkillName(name)
      checkSkillName(key)
      const file = { bytes: Buffer.from(await renderStored(content)) }
      await checkSkillFiles(key, new Map([['SKILL.md', file]]))
      return writeStore(target, [name], async (folders) => {
        const found = await names()
        const folder = found.toWrite(name)
        const before = await stored(folder)
        if (before === NO_SKILL && ifRevision === null) throw notASkill(name, 'STORE_CONFLICT')
        refuseConflict(name, ifRevision, before)
        if (folder === undefined) {
          found.refuseOccupied(name, key)
          refuseOtherSpellings(folders.root, key)
          addFolder(folders, key, new Map([['SKILL.md', file]]))
        } else putResource(folders, folder, ['SKILL.md'], file)
        return result(folder ?? key)
      })
    },
    async get(name) {
      const found = await names()
      const folder = found.toRead(name)
      if (folder === undefined) throw missing(name, found)
      try {
        return await readStored(folder, folderOf(folder), found.originOf(folder))
      } catch (error) {
        if (isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND') throw missing(name, await names())
        throw error
      }
    },
    async listActive() {
      const active: StoredSkill[] = []
      const found = await names()
      for (const folder of found.active) {
        try {
          const skill = await readStored(folder, folderOf(folder), found.originOf(folder))
          if (skill.manifest.status === 'active') active.push(skill)
        } catch (error) {
          if (!isSkillError(error)) throw error
        }
      }
      return active
    },
    async delete(name, { ifRevision } = {}) {
      await writeStore(target, [name], async (folders) => {
        const folder = await existing(name)
        const before = await stored(folder).catch((error: unknown) => {
          // A skill that cannot be read can still be removed, unless the caller names a revision.
          if (!isSkillError(error)) throw error
          return UNREADABLE
        })
        // A folder without a SKILL.md is not a skill, and may hold anything.
        if (before === NO_SKILL) throw noManifest(folder)
        refuseConflict(name, ifRevision, before)
        folders.root.folder(folder).close()
        keepOrigin(folders, folder, undefined)
        removeFolder(folders, folder)
      })
    },
    async saveResource(name, path, content, { ifRevision, executable } = {}) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      if (!(bytes instanceof Uint8Array)) throw new TypeError('saveResource: pass the content as bytes or as a string.')
      const parts = checkResource(name, path, { bytes })
      return writeStore(target, [name], async (folders) => {
        const folder = await existing(name)
        refuseConflict(name, ifRevision, await stored(folder))
        putResource(folders, folder, parts, { bytes, ...(executable !== undefined && { executable }) })
        return result(folder)
      })
    },
    async replace(name, files, { ifRevision, origin } = {}) {
      // A copy: what was judged is what is written.
      const copy = new Map(
        [...files].map(([path, { bytes, executable = false }]) => [
          path,
          { bytes: Uint8Array.from(bytes), executable },
        ]),
      )
      const { manifest } = await checkSkillFiles(name, copy)
      return writeStore(target, [name], async (folders) => {
        const found = await names()
        const folder = found.toWrite(manifest.name) ?? found.toWrite(name)
        const before = await stored(folder)
        if (before === NO_SKILL && ifRevision === null) throw notASkill(name, 'STORE_CONFLICT')
        refuseConflict(name, ifRevision, before)
        if (folder === undefined) {
          found.refuseOccupied(name, name)
          refuseOtherSpellings(folders.root, name)
          addFolder(folders, name, copy)
        } else {
          const entries = withFolder(folders.root.folder(folder), (there) => there.entries())
          if (before === NO_SKILL && entries.length > 0) throw notASkill(name, 'RESOURCE_REFUSED')
          replaceFolder(folders, folder, copy)
        }
        keepOrigin(folders, folder ?? name, origin)
        return result(folder ?? name)
      })
    },
  })
}

/** @throws {SkillError} MANIFEST_INVALID: no store can keep a skill of that name */
function missing(name: string, found: StoredNames): SkillError {
  if (found.isEmpty(name)) return noManifest(name)
  checkSkillName(name)
  return notStored(name, found.names)
}

/** In place of a revision: there is a folder of that name without a SKILL.md. */
const NO_SKILL = ''

/** In place of the revision of a skill that cannot be read. */
const UNREADABLE = 'unreadable'

/** The root without links, so that what is found in it is what is read of it later. */
function directoryAt(
  given: ReturnType<typeof directorySource>,
  root: string,
  layer: Layer,
): ReturnType<typeof directorySource> {
  return given.id === `directory:${root}` ? given : directorySource({ root, layer, optional: true })
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return join(path)
  }
}
