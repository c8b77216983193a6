import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSkillError, renderSkill } from '@repertoire/core'
import type { Layer, SkillStore, StoredSkill } from '@repertoire/core'
import {
  checkResource,
  checkSkillFiles,
  checkSkillName,
  readStored,
  refuseConflict,
  revisionOf,
} from '@repertoire/core/stores'
import { directorySource } from '@repertoire/core/node'
import type { DirectoryWatchOptions } from '@repertoire/core/node'
import { LOCK_TIMEOUT_MS } from '../durable/file-lock.ts'
import { addFolder, removeFolder, replaceFolder } from '../durable/swap.ts'
import { writingSystem } from '../durable/system.ts'
import type { WritingSystem } from '../durable/system.ts'
import { notASkill, notStored } from './conflict.ts'
import { namesIn, scanStore } from './file-scan.ts'
import { putResource, refuseOtherSpellings } from './put-resource.ts'
import { StoreFolder } from './store-folder.ts'
import { recoverStore, writeStore } from './write-store.ts'

/** Options of `openFileStore`. */
export interface FileStoreOptions {
  /** The folder that holds the skills, absolute or relative to the working folder. Made at the first write. */
  readonly root: string
  /** Chosen by the host: a path does not show whether its content can be trusted. */
  readonly layer: Layer
  /** Default `store:<root>`, the root as an absolute path. */
  readonly id?: string
  /** How long a write waits for other writers, in milliseconds. Default 30,000. */
  readonly lockTimeout?: number
  /** How the store is watched, if the repertoire is opened with `watch`. */
  readonly watch?: DirectoryWatchOptions
}

/**
 * Opens a store whose skills are folders, `<root>/<name>/SKILL.md`: those of every other client, and to be edited by hand.
 * Opening writes nothing, unless a writer was ended on its way: then its write is undone or completed first.
 * @throws {SkillError} FOLDER_NOT_WRITABLE, RESOURCE_REFUSED, TIMED_OUT: what a killed writer left cannot be put right
 * @throws {TypeError} an option does not have the shape named here
 */
export async function openFileStore(options: FileStoreOptions): Promise<SkillStore> {
  return openStoreOn(options, writingSystem)
}

/** Opens the same store with writes of another kind, for tests that let them fail. */
export async function openStoreOn(options: FileStoreOptions, system: WritingSystem): Promise<SkillStore> {
  const { layer, lockTimeout: timeout = LOCK_TIMEOUT_MS, watch } = options
  if (typeof options.root !== 'string' || options.root === '' || options.root.includes('\0'))
    throw new TypeError('openFileStore: root is the path of a folder.')
  if (!Number.isFinite(timeout) || timeout < 0)
    throw new TypeError('openFileStore: lockTimeout is a number of milliseconds.')
  const given = resolve(options.root)
  const directory = directorySource({ root: given, layer, ...(watch !== undefined && { watch }) })
  const target = { root: given, timeout, system }
  /** Links on the way to the root are the operator's. It may be made, or moved, at any time. */
  const root = (): string => realOf(given)
  const folderOf = (name: string): StoreFolder => new StoreFolder(root(), name)
  const stored = async (name: string): Promise<string | undefined> => {
    try {
      return await revisionOf(folderOf(name))
    } catch (error) {
      if (!isSkillError(error) || error.code !== 'RESOURCE_NOT_FOUND') throw error
      // A folder without a SKILL.md is not a skill, and is nobody's to overwrite unseen.
      return namesIn(root()).includes(name) ? NO_SKILL : undefined
    }
  }
  const result = async (name: string): Promise<{ readonly revision: string }> => ({
    revision: await revisionOf(folderOf(name)),
  })
  await recoverStore(target)

  const store: SkillStore = {
    id: options.id ?? `store:${given}`,
    layer,
    scan: (visitor) => scanStore(root(), directoryAt(directory, root(), layer), visitor),
    watch: (listener) => directory.watch!(listener),
    async save(content, { ifRevision } = {}) {
      const { name } = content.manifest
      checkSkillName(name)
      const file = { bytes: Buffer.from(await renderSkill(content)) }
      await checkSkillFiles(name, new Map([['SKILL.md', file]]))
      return writeStore(target, [name], async (folders) => {
        const before = await stored(name)
        refuseConflict(name, ifRevision, before)
        refuseOtherSpellings(folders.root, name)
        if (before === undefined) addFolder(folders, name, new Map([['SKILL.md', file]]))
        else putResource(folders, name, ['SKILL.md'], file)
        return result(name)
      })
    },
    async get(name) {
      checkSkillName(name)
      try {
        return await readStored(name, folderOf(name))
      } catch (error) {
        if (isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND') throw notStored(name, namesIn(root()))
        throw error
      }
    },
    async listActive() {
      const found: StoredSkill[] = []
      for (const name of namesIn(root())) {
        try {
          const skill = await readStored(name, folderOf(name))
          if (skill.manifest.status === 'active') found.push(skill)
        } catch (error) {
          if (!isSkillError(error)) throw error
        }
      }
      return found
    },
    async delete(name, { ifRevision } = {}) {
      checkSkillName(name)
      await writeStore(target, [name], async (folders) => {
        const before = await stored(name)
        // A folder without a SKILL.md is not a skill, and may hold anything.
        if (before === undefined || before === NO_SKILL) throw notStored(name, namesIn(root()))
        refuseConflict(name, ifRevision, before)
        folders.root.folder(name).close()
        removeFolder(folders, name)
      })
    },
    async saveResource(name, path, content, { ifRevision, executable } = {}) {
      checkSkillName(name)
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      if (!(bytes instanceof Uint8Array)) throw new TypeError('saveResource: pass the content as bytes or as a string.')
      const parts = checkResource(name, path, { bytes })
      return writeStore(target, [name], async (folders) => {
        const before = await stored(name)
        if (before === undefined) throw notStored(name, namesIn(root()))
        refuseConflict(name, ifRevision, before)
        const file = { bytes, ...(executable !== undefined && { executable }) }
        putResource(folders, name, parts, file)
        return result(name)
      })
    },
    async replace(name, files, { ifRevision } = {}) {
      // A copy: what was judged is what is written.
      const copy = new Map(
        [...files].map(([path, { bytes, executable = false }]) => [
          path,
          { bytes: Uint8Array.from(bytes), executable },
        ]),
      )
      await checkSkillFiles(name, copy)
      return writeStore(target, [name], async (folders) => {
        const before = await stored(name)
        refuseConflict(name, ifRevision, before)
        refuseOtherSpellings(folders.root, name)
        if (before === undefined) addFolder(folders, name, copy)
        else {
          const there = folders.root.folder(name)
          try {
            if (before === NO_SKILL && there.entries().length > 0) throw notASkill(name)
          } finally {
            there.close()
          }
          replaceFolder(folders, name, copy)
        }
        return result(name)
      })
    },
  }
  return store
}

/** In place of a revision: there is a folder of that name without a SKILL.md. */
const NO_SKILL = ''

/** The root without links, so that what is found in it is what is read of it later. */
function directoryAt(
  given: ReturnType<typeof directorySource>,
  root: string,
  layer: Layer,
): ReturnType<typeof directorySource> {
  return given.id === `directory:${root}` ? given : directorySource({ root, layer })
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return join(path)
  }
}
