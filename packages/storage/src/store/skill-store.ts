import { isSkillError, renderSkill, SkillError } from '@repertoire/core'
import type { SkillStore, SourceListener, SourceWatch, StoredSkill } from '@repertoire/core'
import { nearestNames } from '@repertoire/core/stores'
import { checkResource, checkSkillFiles, checkSkillName, inTime, readStored } from '@repertoire/core/stores'
import type { Head, HeadFile } from '../heads/head.ts'
import { storedFolder } from './folder.ts'
import { readManifests, scanTenant } from './scan.ts'
import type { TenantContext } from './tenant.ts'
import { writeSkill, writtenFile } from './write.ts'

const encoder = new TextEncoder()

/** The store of one tenant. It holds nothing itself, so that one that is idle costs nothing. */
export function tenantStore(tenant: TenantContext): SkillStore {
  const { id, layer, engine } = tenant
  const missing = async (name: string): Promise<SkillError> => {
    const nearest = nearestNames(name, [...(await tenant.heads().refresh()).keys()])
    const meant = nearest.length === 0 ? 'Ask for the list of skills.' : `Did you mean "${nearest.join('", "')}"?`
    return new SkillError('SKILL_NOT_FOUND', `The store has no skill "${name}". ${meant}`, { nearest })
  }
  const store: SkillStore = {
    id,
    layer,
    scan: (visitor) => scanTenant(tenant, visitor),
    async save(content, { ifRevision } = {}) {
      const { name } = content.manifest
      checkSkillName(name)
      const bytes = encoder.encode(await renderSkill(content))
      await checkSkillFiles(name, new Map([['SKILL.md', { bytes }]]))
      return writeSkill(tenant, name, ifRevision, (stored) => {
        const { files } = readable(stored)
        const executable = files.get('SKILL.md')?.executable ?? false
        return { kept: without(files, 'SKILL.md'), written: [writtenFile('SKILL.md', bytes, executable)] }
      })
    },
    async get(name) {
      checkSkillName(name)
      try {
        return await readStored(name, storedFolder(tenant, name))
      } catch (error) {
        if (isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND') throw await missing(name)
        throw error
      }
    },
    async listActive() {
      const active: StoredSkill[] = []
      for await (const { name, head, manifest } of readManifests(tenant)) {
        if (isSkillError(head) || manifest === undefined) continue
        try {
          const skill = await readStored(name, storedFolder(tenant, name, { head, manifest }))
          if (skill.manifest.status === 'active') active.push({ ...skill, folder: storedFolder(tenant, name) })
        } catch (error) {
          if (!isSkillError(error) || error.code !== 'SKILL_BROKEN') throw error
        }
      }
      return active
    },
    async delete(name, { ifRevision } = {}) {
      checkSkillName(name)
      await writeSkill(tenant, name, ifRevision, async (stored) => {
        if (stored === undefined) throw await missing(name)
        return undefined
      })
    },
    async saveResource(name, path, content, { ifRevision, executable } = {}) {
      checkSkillName(name)
      if (typeof content !== 'string' && !(content instanceof Uint8Array)) {
        throw new TypeError('saveResource: pass the content as bytes or as a string.')
      }
      const bytes = typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content)
      const clean = checkResource(name, path, { bytes }).join('/')
      return writeSkill(tenant, name, ifRevision, async (stored) => {
        if (stored === undefined) throw await missing(name)
        const { files } = readable(stored)
        const written = writtenFile(clean, bytes, executable ?? files.get(clean)?.executable ?? false)
        return { kept: without(files, clean), written: [written] }
      })
    },
    async replace(name, files, { ifRevision } = {}) {
      // A copy: what was judged is what is written.
      const copy = new Map(
        [...files].map(([path, { bytes, executable = false }]) => [path, { bytes: new Uint8Array(bytes), executable }]),
      )
      await checkSkillFiles(name, copy)
      const written = [...copy].map(([path, { bytes, executable }]) => writtenFile(path, bytes, executable))
      return writeSkill(tenant, name, ifRevision, () => ({ kept: [], written }))
    },
  }
  return engine.watch === undefined ? store : { ...store, watch: (listener) => watchTenant(tenant, listener) }
}

/** How long the end of a watch is waited for. */
const CLOSE_TIMEOUT_MS = 2_000

/** Watches, and goes on trying where the engine cannot be reached yet: what was missed is told as one change. */
async function watchTenant(tenant: TenantContext, listener: SourceListener): Promise<SourceWatch> {
  let isClosed = false
  let isLate = false
  const report = (error: unknown): void => {
    if (isClosed) return
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The connection that tells of changes is lost (${reason}), and is tried again.`
    const hint = 'Until it is back, a change is seen at the next reload.'
    listener.diagnostic({ code: 'WATCH_FAILED', severity: 'warning', path: tenant.id, message, hint })
  }
  const changed = (): void => {
    if (!isClosed) listener.changed()
  }
  let last: Promise<() => Promise<void>> | undefined
  try {
    await tenant.call(() => (last = tenant.engine.watch!(tenant.tenant, { changed, lost: report })))
  } catch (error) {
    report(error)
    isLate = true
  }
  const ended = (last ?? Promise.reject(new Error('There is no watch.'))).then(
    (end) => {
      if (isLate) changed()
      return end
    },
    () => () => Promise.resolve(),
  )
  return {
    async close() {
      isClosed = true
      const end = ended.then((run) => run())
      await inTime(end, CLOSE_TIMEOUT_MS, 'The end of a watch').catch(() => undefined)
    },
  }
}

/** What is stored, if anything. @throws {SkillError} SKILL_BROKEN */
function readable(stored: Head | SkillError | undefined): Head {
  if (isSkillError(stored)) throw stored
  return stored ?? { files: new Map() }
}

function without(files: Head['files'], path: string): readonly HeadFile[] {
  return [...files.values()].filter((file) => file.path !== path)
}
