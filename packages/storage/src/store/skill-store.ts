import {
  type Diagnostic,
  type FoundSkill,
  SkillError,
  type SkillStore,
  type StoredSkill,
  isSkillError,
} from '@repertoire/core'
import { renderStored } from '@repertoire/core/authoring'
import {
  checkResource,
  checkSkillContent,
  checkSkillFiles,
  countChanges,
  nearestNames,
  readStored,
  storedKey,
} from '@repertoire/core/stores'
import type { Head, HeadFile } from '../heads/head.ts'
import { storedFolder } from './folder.ts'
import type { TenantContext } from './tenant.ts'
import { watchTenant } from './watch.ts'
import { writeSkill, writtenFile } from './write.ts'

const encoder = new TextEncoder()

/** The store of one tenant. It holds nothing itself, so that one that is idle costs nothing. */
export function tenantStore(tenant: TenantContext): SkillStore {
  const { id, layer, engine } = tenant
  const missing = async (name: string): Promise<SkillError> => {
    const nearest = nearestNames(name, [...(await tenant.heads()).keys()])
    const meant = nearest.length === 0 ? 'Ask for the list of skills.' : `Did you mean "${nearest.join('", "')}"?`
    return new SkillError('SKILL_NOT_FOUND', `The store has no skill "${name}". ${meant}`, { nearest })
  }
  const readKey = async (key: string): Promise<StoredSkill> => {
    try {
      const stored = await tenant.read(key)
      const origin = stored === undefined || isSkillError(stored.head) ? undefined : stored.head.origin
      return await readStored(key, storedFolder(tenant, key), origin)
    } catch (error) {
      if (isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND') throw await missing(key)
      throw error
    }
  }
  const keyFor = (name: string): Promise<string> => storedKey(name, readKey)
  const store = countChanges({
    id,
    layer,
    scan: () => scanTenant(tenant),
    async save(content, { ifRevision } = {}) {
      const name = await keyFor(checkSkillContent(content).name)
      const bytes = encoder.encode(await renderStored(content))
      await checkSkillFiles(name, new Map([['SKILL.md', { bytes }]]))
      return writeSkill(tenant, name, ifRevision, (stored) => {
        const { files, origin } = readable(stored)
        const executable = files.get('SKILL.md')?.executable ?? false
        return { kept: without(files, 'SKILL.md'), written: [writtenFile('SKILL.md', bytes, executable)], origin }
      })
    },
    get: async (name) => readKey(await keyFor(name)),
    async listActive() {
      const active: StoredSkill[] = []
      for await (const { name, head, manifest } of readManifests(tenant)) {
        if (isSkillError(head) || manifest === undefined) continue
        try {
          const skill = await readStored(name, storedFolder(tenant, name, { head, manifest }), head.origin)
          if (skill.manifest.status === 'active') active.push({ ...skill, folder: storedFolder(tenant, name) })
        } catch (error) {
          if (!isSkillError(error) || error.code !== 'SKILL_BROKEN') throw error
        }
      }
      return active.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    async delete(skill, { ifRevision } = {}) {
      const name = await keyFor(skill)
      await writeSkill(tenant, name, ifRevision, async (stored) => {
        if (stored === undefined) throw await missing(name)
        return undefined
      })
    },
    async saveResource(skill, path, content, { ifRevision, executable } = {}) {
      const name = await keyFor(skill)
      if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
        throw new TypeError('saveResource: pass the content as bytes or as a string.')
      }
      const bytes = typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content)
      const clean = checkResource(name, path, { bytes }).join('/')
      return writeSkill(tenant, name, ifRevision, async (stored) => {
        if (stored === undefined) throw await missing(name)
        const { files, origin } = readable(stored)
        const written = writtenFile(clean, bytes, executable ?? files.get(clean)?.executable ?? false)
        return { kept: without(files, clean), written: [written], origin }
      })
    },
    async replace(name, files, { ifRevision, origin } = {}) {
      // A copy: what was judged is what is written.
      const copy = new Map(
        [...files].map(([path, { bytes, executable = false }]) => [path, { bytes: new Uint8Array(bytes), executable }]),
      )
      await checkSkillFiles(name, copy)
      const written = [...copy].map(([path, { bytes, executable }]) => writtenFile(path, bytes, executable))
      return writeSkill(tenant, name, ifRevision, () => ({ kept: [], written, origin }))
    },
  })
  return engine.watch === undefined ? store : { ...store, watch: (listener) => watchTenant(tenant, listener) }
}

/** What is stored, if anything. @throws {SkillError} SKILL_BROKEN */
function readable(stored: Head | SkillError | undefined): Head {
  if (isSkillError(stored)) throw stored
  return stored ?? { files: new Map(), writes: [] }
}

function without(files: Head['files'], path: string): readonly HeadFile[] {
  return [...files.values()].filter((file) => file.path !== path)
}

/** As many skills as are visited between two questions for their manifests. */
const BATCH = 500

/** Yields the skills of a tenant by name. One that is broken is reported, and keeps no other from being found. */
async function* scanTenant(tenant: TenantContext): AsyncGenerator<FoundSkill | Diagnostic> {
  for await (const { name, head, manifest } of readManifests(tenant)) {
    const path = `${tenant.id}/${name}/SKILL.md`
    if (isSkillError(head) || manifest === undefined) {
      const message = isSkillError(head)
        ? head.message
        : 'What is stored of its SKILL.md is missing, or is not what was saved. Save the skill again.'
      yield { code: 'MANIFEST_UNREADABLE', severity: 'error', path, message }
    } else {
      const file = { path, fileName: 'SKILL.md', size: manifest.length, head: manifest }
      yield { folder: storedFolder(tenant, name), folderName: name, origin: head.origin, ...file }
    }
  }
}

/** A stored skill with the bytes of its manifest, where both can be read. */
interface ReadManifest {
  readonly name: string
  readonly head: Head | SkillError
  readonly manifest: Uint8Array | undefined
}

/** Reads the manifests of all skills of a tenant, many at once. */
async function* readManifests(tenant: TenantContext): AsyncGenerator<ReadManifest> {
  const sorted = [...(await tenant.heads())].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (let at = 0; at < sorted.length; at += BATCH) {
    const batch = sorted.slice(at, at + BATCH).map(([name, head]) => ({ name, head, file: manifestOf(head) }))
    const files = batch.flatMap(({ file }) => (file === undefined ? [] : [file]))
    const bytes = await tenant.blobs.readAll(files)
    for (const { name, head, file } of batch) yield { name, head, manifest: file && bytes.get(file.hash) }
  }
}

function manifestOf(head: Head | SkillError): HeadFile | undefined {
  return isSkillError(head) ? undefined : head.files.get('SKILL.md')
}
