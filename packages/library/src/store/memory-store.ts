import { checkOptions, layerKind, text, withDefault } from '@repertoire/core/options'
import { isSkillError, memorySource, SkillError } from '@repertoire/core'
import { digestFolder, renderStored } from '@repertoire/core/authoring'
import type {
  Layer,
  SkillFiles,
  SkillFolder,
  SkillStore,
  SourceListener,
  StoredFile,
  StoredRevision,
  StoredSkill,
} from '@repertoire/core'
import {
  checkResource,
  checkSkillContent,
  checkSkillFiles,
  checkWrites,
  isSameName,
  readStored,
  refuseConflict,
  storedKey,
} from '@repertoire/core/stores'
import { notStored } from './conflict.ts'
import { folderOfFiles } from './files-folder.ts'

/** Options of `memoryStore`. */
export interface MemoryStoreOptions {
  /** How far its skills are trusted. The host chooses it, since skills do not show that. Default `project`. */
  readonly layer?: Layer | undefined
  /** The store's id. Default `memory`. */
  readonly id?: string | undefined
}

/**
 * Returns a store that ends with the process: for tests, and for skills that live as long as a task.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function memoryStore(options: MemoryStoreOptions = {}): SkillStore {
  checkOptions<MemoryStoreOptions>(
    'memoryStore',
    { layer: withDefault('project', layerKind), id: withDefault('memory', text) },
    options,
    "memoryStore({ layer: 'personal' })",
  )
  const { layer = 'project', id = 'memory' } = options
  /** Never changed: a write puts another map in its place, so that a reader keeps what it has begun with. */
  const skills = new Map<string, SkillFiles>()
  const origins = new Map<string, string>()
  const listeners = new Set<SourceListener>()
  /** A folder whose every read is of what is stored at that time. */
  const folderOf = (name: string): SkillFolder => {
    const location = `memory:${id}/${name}`
    const open = (): SkillFolder => {
      const files = skills.get(name)
      if (files !== undefined) return folderOfFiles(name, files, id)
      throw new SkillError('RESOURCE_NOT_FOUND', `${location} is not stored any more.`, { path: location })
    }
    return {
      location,
      readManifest: async () => open().readManifest(),
      read: async (path, how) => open().read(path, how),
      list: async () => open().list(),
    }
  }
  const revisionOf = async (name: string, files: SkillFiles | undefined): Promise<string | undefined> => {
    if (files === undefined) return undefined
    const folder = folderOfFiles(name, files, id)
    return digestFolder(folder, await folder.list(), files.get('SKILL.md')!.bytes)
  }
  const missing = (name: string): SkillError => notStored(name, [...skills.keys()].toSorted())
  const readKey = (key: string): Promise<StoredSkill> => {
    if (!skills.has(key)) throw missing(key)
    return readStored(key, folderOf(key), origins.get(key))
  }
  const keyFor = (name: string): Promise<string> => storedKey(name, async (key) => readKey(key))
  /** One after the other, as in a store that several processes write. */
  let last: Promise<unknown> = Promise.resolve()
  const write = (
    name: string,
    ifRevision: string | null | undefined,
    change: (files: SkillFiles | undefined) => SkillFiles | undefined,
    originOf = (): string | undefined => origins.get(name),
  ): Promise<StoredRevision> => {
    const next = last.then(async () => {
      const files = skills.get(name)
      refuseConflict(name, ifRevision, await revisionOf(name, files))
      const changed = change(files)
      if (changed !== undefined) await checkSkillFiles(name, changed)
      if (changed === undefined) skills.delete(name)
      else skills.set(name, changed)
      const origin = changed === undefined ? undefined : originOf()
      if (origin === undefined) origins.delete(name)
      else origins.set(name, origin)
      for (const listener of listeners) listener.changed()
      return { revision: (await revisionOf(name, changed)) ?? '' }
    })
    last = next.catch(() => undefined)
    return next
  }
  return checkWrites({
    id,
    layer,
    *scan() {
      const plain = [...skills].map(([name, files]) => [
        name,
        Object.fromEntries([...files].map(([path, { bytes }]) => [path, bytes])),
      ])
      for (const found of memorySource({ layer, id, skills: Object.fromEntries(plain) }).scan())
        yield { ...found, folder: folderOf(found.folderName), origin: origins.get(found.folderName) }
    },
    watch(listener) {
      listeners.add(listener)
      return Promise.resolve({
        close() {
          listeners.delete(listener)
          return Promise.resolve()
        },
      })
    },
    async save(content, { ifRevision } = {}) {
      const name = await keyFor(checkSkillContent(content).name)
      const file = { bytes: new TextEncoder().encode(await renderStored(content)) }
      return write(name, ifRevision, (files) => new Map(files).set('SKILL.md', file))
    },
    get: async (name) => readKey(await keyFor(name)),
    async listActive() {
      const active: StoredSkill[] = []
      for (const name of [...skills.keys()].toSorted()) {
        try {
          const skill = await readStored(name, folderOf(name), origins.get(name))
          if (skill.manifest.status === 'active') active.push(skill)
        } catch (error) {
          // It was removed meanwhile.
          if (!isSkillError(error)) throw error
        }
      }
      return active.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    async delete(skill, { ifRevision } = {}) {
      const name = await keyFor(skill)
      await write(name, ifRevision, (files) => {
        if (files === undefined) throw missing(name)
        return undefined
      })
    },
    async saveResource(skill, path, content, { ifRevision, executable } = {}) {
      const name = await keyFor(skill)
      if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
        throw new TypeError('saveResource: pass the content as bytes or as a string.')
      }
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content)
      const clean = checkResource(name, path, { bytes }).join('/')
      return write(name, ifRevision, (files) => {
        if (files === undefined) throw missing(name)
        const other = [...files.keys()].find((each) => each !== clean && isSameName(each, clean))
        if (other !== undefined) throw otherSpelling(clean, other)
        return new Map(files).set(clean, { bytes, executable: executable ?? files.get(clean)?.executable ?? false })
      })
    },
    async replace(name, files, { ifRevision, origin } = {}) {
      const copy = new Map([...files].map(([path, file]) => [path, copyOf(file)]))
      await checkSkillFiles(name, copy)
      return write(
        name,
        ifRevision,
        () => copy,
        () => origin,
      )
    },
  })
}

function copyOf({ bytes, executable = false }: StoredFile): StoredFile {
  return { bytes: Uint8Array.from(bytes), executable }
}

function otherSpelling(path: string, other: string): SkillError {
  const message = `"${path}" is not written: "${other}" is there, and to some file systems both are one. Use that name.`
  return new SkillError('RESOURCE_REFUSED', message, { path })
}
