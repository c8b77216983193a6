import {
  type Diagnostic,
  type FoundSkill,
  SkillError,
  type SkillStore,
  type StoredRevision,
  type StoredSkill,
  isSkillError,
} from '@repertoire/core'
import { renderStored } from '@repertoire/core/authoring'
import {
  checkResource,
  checkSkillContent,
  checkSkillFiles,
  checkSkillPaths,
  checkWrites,
  nearestNames,
  readStored,
  refuseConflict,
  storedKey,
} from '@repertoire/core/stores'
import type { StoredFile } from '../engine.ts'
import { hashOf } from '../files.ts'
import { revisionOf, storedFolder } from './folder.ts'
import { readPack } from './pack.ts'
import type { SkillFile, StoredFiles } from './record.ts'
import { changeSkills, currentSkills, type TenantContext } from './tenant.ts'
import { watchTenant } from './watch.ts'

const encoder = new TextEncoder()

/** What is stored under a name, if anything. */
type Stored = StoredFiles | SkillError | undefined

/** The store of one tenant. @param watchMs how often a watch looks whether something has changed */
export function tenantStore(tenant: TenantContext, watchMs: number): SkillStore {
  const { id, layer } = tenant
  const readKey = async (key: string): Promise<StoredSkill> => {
    const { skills } = await currentSkills(tenant)
    const stored = skills.get(key)
    if (stored === undefined) throw missing(key, skills.keys())
    if (isSkillError(stored)) throw stored
    const read = await readStored(key, storedFolder(tenant, key, { stored }), stored.origin)
    return { ...read, folder: storedFolder(tenant, key) }
  }
  const keyFor = (name: string): Promise<string> => storedKey(name, readKey)

  /** Writes one skill. @param change returns its new files; undefined: it is removed */
  const write = (
    name: string,
    ifRevision: string | null | undefined,
    change: (stored: Stored, names: Iterable<string>) => NewFiles | undefined,
  ): Promise<StoredRevision> =>
    changeSkills(tenant, async (skills) => {
      const before = skills.get(name)
      if (ifRevision !== undefined) {
        // An unreadable skill has no revision, and must not be overwritten unseen.
        refuseConflict(name, ifRevision, before && (isSkillError(before) ? '' : await revisionOf(before)))
      }
      const changed = change(before, skills.keys())
      const next = new Map(skills)
      if (changed === undefined) {
        next.delete(name)
        return { skills: next, files: [], result: { revision: '' } }
      }
      const files = [...changed.kept, ...changed.written.map(({ file }) => file)]
      checkSkillPaths(
        name,
        files.map(({ path, size }) => [path, size]),
      )
      const stored = {
        files: new Map(files.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map((file) => [file.path, file])),
        origin: changed.origin,
      }
      next.set(name, stored)
      const written = changed.written.map(({ file: { hash }, bytes }): StoredFile => ({ hash, bytes }))
      return { skills: next, files: written, result: { revision: await revisionOf(stored) } }
    })

  return checkWrites({
    id,
    layer,
    scan: () => scanTenant(tenant),
    watch: (listener) => watchTenant(tenant, watchMs, listener),
    async save(content, { ifRevision } = {}) {
      const name = await keyFor(checkSkillContent(content).name)
      const bytes = encoder.encode(await renderStored(content))
      return write(name, ifRevision, (stored) => {
        const { files, origin } = readable(stored)
        const executable = files.get('SKILL.md')?.executable ?? false
        return { kept: without(files, 'SKILL.md'), written: [writtenFile('SKILL.md', bytes, executable)], origin }
      })
    },
    get: async (name) => readKey(await keyFor(name)),
    async listActive() {
      const { skills } = await currentSkills(tenant)
      const manifests = await tenant.files.readAll([...skills.values()].flatMap((stored) => manifestOf(stored) ?? []))
      const active: StoredSkill[] = []
      for (const [name, stored] of skills) {
        const manifest = manifests.get(manifestOf(stored)?.hash ?? '')
        if (isSkillError(stored) || manifest === undefined) continue
        try {
          const skill = await readStored(name, storedFolder(tenant, name, { stored, manifest }), stored.origin)
          if (skill.manifest.status === 'active') active.push({ ...skill, folder: storedFolder(tenant, name) })
        } catch (error) {
          if (!isSkillError(error) || error.code !== 'SKILL_BROKEN') throw error
        }
      }
      return active.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    },
    async delete(skill, { ifRevision } = {}) {
      const name = await keyFor(skill)
      await write(name, ifRevision, (stored, names) => {
        if (stored === undefined) throw missing(name, names)
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
      return write(name, ifRevision, (stored, names) => {
        if (stored === undefined) throw missing(name, names)
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
      return write(name, ifRevision, () => ({ kept: [], written, origin }))
    },
  })
}

/** What a skill is to have: files as they are stored already, and files with their bytes. */
interface NewFiles {
  readonly kept: readonly SkillFile[]
  readonly written: readonly { readonly file: SkillFile; readonly bytes: Uint8Array }[]
  /** Where the skill comes from. Absent: it is local. */
  readonly origin?: string | undefined
}

function writtenFile(path: string, bytes: Uint8Array, executable: boolean): NewFiles['written'][number] {
  return { file: { path, hash: hashOf(bytes), size: bytes.length, executable }, bytes }
}

function missing(name: string, names: Iterable<string>): SkillError {
  const nearest = nearestNames(name, [...names])
  const meant = nearest.length === 0 ? 'Ask for the list of skills.' : `Did you mean "${nearest.join('", "')}"?`
  return new SkillError('SKILL_NOT_FOUND', `The store has no skill "${name}". ${meant}`, { nearest })
}

/** What is stored, if anything. @throws {SkillError} SKILL_BROKEN */
function readable(stored: Stored): StoredFiles {
  if (isSkillError(stored)) throw stored
  return stored ?? { files: new Map() }
}

function without(files: StoredFiles['files'], path: string): readonly SkillFile[] {
  return [...files.values()].filter((file) => file.path !== path)
}

/** Yields the skills of a tenant by name. One that is broken is reported, and keeps no other from being found. */
async function* scanTenant(tenant: TenantContext): AsyncGenerator<FoundSkill | Diagnostic> {
  const { skills, pack } = await currentSkills(tenant)
  const packed = await readPack(tenant.files, pack)
  const unpacked = [...skills.values()].flatMap((stored) => manifestOf(stored) ?? [])
  const read = await tenant.files.readAll(unpacked.filter(({ hash }) => !packed.has(hash)))
  for (const [name, stored] of [...skills].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const path = `${tenant.id}/${name}/SKILL.md`
    const manifest = manifestOf(stored)
    const head = manifest && (packed.get(manifest.hash) ?? read.get(manifest.hash))
    if (isSkillError(stored) || manifest === undefined || head === undefined) {
      const message = isSkillError(stored)
        ? stored.message
        : 'What is stored of its SKILL.md is missing, or is not what was saved. Save the skill again.'
      yield { code: 'MANIFEST_UNREADABLE', severity: 'error', path, message }
    } else {
      const { origin } = stored
      yield {
        folder: storedFolder(tenant, name),
        folderName: name,
        origin,
        path,
        fileName: 'SKILL.md',
        size: manifest.size,
        head,
      }
    }
  }
}

function manifestOf(stored: StoredFiles | SkillError): SkillFile | undefined {
  return isSkillError(stored) ? undefined : stored.files.get('SKILL.md')
}
