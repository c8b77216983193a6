import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isSkillError, SkillError } from '@repertoire/core'
import type { StoredRevision } from '@repertoire/core'
import { checkSkillPaths, refuseConflict } from '@repertoire/core/stores'
import { hashOf } from '../blobs/blob-reader.ts'
import { retryDelay } from '../deadline.ts'
import type { HeadWrite } from '../engine.ts'
import { headText, type Head, type HeadFile } from '../heads/head.ts'
import { keyPart } from '../namespace.ts'
import { revisionOfHead } from './folder.ts'
import { storedNow, type TenantContext } from './tenant.ts'

/** What a skill is to have: files as they are stored already, and files with their bytes. Undefined: it is removed. */
export interface NewFiles {
  readonly kept: readonly HeadFile[]
  readonly written: readonly WrittenFile[]
}

/** A file with its bytes. */
export interface WrittenFile {
  readonly file: HeadFile
  readonly bytes: Uint8Array
}

/**
 * Changes a skill by what is stored of it: read, changed, and written if nobody came before; otherwise once more. Whoever
 * gave a revision gets a conflict instead, if it is another one by now.
 * @param change called for each try. What it throws ends the write, and nothing is written
 * @throws {SkillError} STORE_CONFLICT, TIMED_OUT
 */
export function writeSkill(
  tenant: TenantContext,
  name: string,
  ifRevision: string | null | undefined,
  change: (stored: Head | SkillError | undefined) => NewFiles | undefined | Promise<NewFiles | undefined>,
): Promise<StoredRevision> {
  const skill = keyPart(name)
  if (skill !== undefined) return tenant.inTurn(name, () => writeInTurn(tenant, name, skill, ifRevision, change))
  const message = `The name "${name}" is too long for a key of the storage. Choose a shorter one.`
  return Promise.reject(new SkillError('MANIFEST_INVALID', message))
}

async function writeInTurn(
  tenant: TenantContext,
  name: string,
  skill: string,
  ifRevision: string | null | undefined,
  change: Parameters<typeof writeSkill>[3],
): Promise<StoredRevision> {
  const end = performance.now() + tenant.timeoutMs
  for (let tries = 1; ; tries++) {
    const stored = await storedNow(tenant, name)
    const changed = await changeOf(name, ifRevision, stored?.head, change)
    const version = randomUUID()
    const files = changed === undefined ? [] : [...changed.kept, ...changed.written.map(({ file }) => file)]
    const write: HeadWrite = {
      tenant: tenant.tenant,
      skill,
      expected: stored?.token,
      version,
      text: changed === undefined ? null : headText(version, files),
      blobs: changed?.written.map(({ file: { hash }, bytes }) => ({ hash, bytes })) ?? [],
    }
    const bytes = write.blobs.reduce((sum, blob) => sum + blob.bytes.length, 0)
    if ((await tenant.call(() => tenant.engine.write(write), bytes)) === 'written') {
      const head = { files: new Map(files.map((file) => [file.path, file])) }
      return { revision: changed === undefined ? '' : await revisionOfHead(head) }
    }
    const wait = retryDelay(tries)
    if (performance.now() + wait > end) {
      const message = `The skill "${name}" was not written: others wrote before for ${tenant.timeoutMs} ms. Try again.`
      throw new SkillError('TIMED_OUT', message)
    }
    await delay(wait)
  }
}

async function changeOf(
  name: string,
  ifRevision: string | null | undefined,
  stored: Head | SkillError | undefined,
  change: Parameters<typeof writeSkill>[3],
): Promise<NewFiles | undefined> {
  // What cannot be read as a skill has no revision, and is nobody's to overwrite unseen.
  const before = stored === undefined ? undefined : isSkillError(stored) ? '' : await revisionOfHead(stored)
  refuseConflict(name, ifRevision, before)
  const changed = await change(stored)
  if (changed === undefined) return undefined
  const files = [...changed.kept, ...changed.written.map(({ file }) => file)]
  checkSkillPaths(
    name,
    files.map(({ path, size }) => [path, size]),
  )
  return changed
}

/** A file to be written, with the hash of its bytes. */
export function writtenFile(path: string, bytes: Uint8Array, executable: boolean): WrittenFile {
  return { file: { path, hash: hashOf(bytes), size: bytes.length, executable }, bytes }
}
