import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isSkillError, SkillError, type StoredRevision } from '@repertoire/core'
import { checkSkillPaths, refuseConflict } from '@repertoire/core/stores'
import { hashOf } from '../blobs.ts'
import { retryDelay } from '../deadline.ts'
import { ConnectionLostError, type HeadWrite } from '../engine.ts'
import { headText, nextHead, type Head, type HeadFile } from '../heads/head.ts'
import type { StoredNow } from '../heads/seen-heads.ts'
import { keyPart } from '../namespace.ts'
import { revisionOfHead } from './folder.ts'
import type { TenantContext } from './tenant.ts'

/** What a skill is to have: files as they are stored already, and files with their bytes. Undefined: it is removed. */
export interface NewFiles {
  readonly kept: readonly HeadFile[]
  readonly written: readonly WrittenFile[]
  /** Where the skill comes from. Absent: it is local. */
  readonly origin?: string | undefined
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
  const seen = tenant.seen.of(name)
  if (seen !== undefined) {
    // This avoids a read. If the write is refused because of it, the stored state is read and judged again.
    const changed = await changeOf(name, ifRevision, seen.head, change).catch((): typeof REFUSED => REFUSED)
    const done = changed === REFUSED ? undefined : await replaceHead(tenant, name, skill, seen, changed)
    if (done !== undefined) return done
  }
  for (let tries = 1; ; tries++) {
    const stored = await tenant.read(name)
    const changed = await changeOf(name, ifRevision, stored?.head, change)
    const done = await replaceHead(tenant, name, skill, stored, changed)
    if (done !== undefined) return done
    const wait = retryDelay(tries)
    if (performance.now() + wait > end) {
      const message = `The skill "${name}" was not written: others wrote before for ${tenant.timeoutMs} ms. Try again.`
      throw new SkillError('TIMED_OUT', message)
    }
    await delay(wait)
  }
}

const REFUSED: unique symbol = Symbol('refused')

/** Replaces what is stored. @returns undefined if something else is stored by now, and nothing was written */
async function replaceHead(
  tenant: TenantContext,
  name: string,
  skill: string,
  stored: StoredNow | undefined,
  changed: NewFiles | undefined,
): Promise<StoredRevision | undefined> {
  const version = newVersion()
  const replaced = isSkillError(stored?.head) ? undefined : stored?.head
  const files = changed === undefined ? [] : [...changed.kept, ...changed.written.map(({ file }) => file)]
  const head = nextHead(version, files, replaced, changed?.origin)
  const write: HeadWrite = {
    tenant: tenant.tenant,
    skill,
    expected: stored?.token,
    version,
    text: changed === undefined ? null : headText(head),
    blobs: changed?.written.map(({ file: { hash }, bytes }) => ({ hash, bytes })) ?? [],
  }
  let isUncertain = false
  const run = async (): Promise<string | undefined> => {
    try {
      return await tenant.engine.write(write)
    } catch (error) {
      isUncertain ||= error instanceof ConnectionLostError
      throw error
    }
  }
  const bytes = write.blobs.reduce((sum, blob) => sum + blob.bytes.length, 0)
  const token = await tenant.call(run, bytes)
  tenant.seen.set(name, token === undefined || changed === undefined ? undefined : { token, head })
  if (token === undefined && !(isUncertain && (await hasHappened(tenant, name, version, replaced)))) return undefined
  return { revision: changed === undefined ? '' : await revisionOfHead(head) }
}

/** The version of a write, which no other one has. Short, since heads keep several; Node makes random UUIDs in advance. */
function newVersion(): string {
  return Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')
}

/**
 * Whether a write has happened whose answer was lost, and that found another head when it was repeated: that one says on
 * which writes it is based.
 * @throws {SkillError} STORAGE_UNAVAILABLE: it does not say
 */
async function hasHappened(
  tenant: TenantContext,
  name: string,
  version: string,
  replaced: Head | undefined,
): Promise<boolean> {
  const now = (await tenant.read(name))?.head
  const writes = now === undefined || isSkillError(now) ? [] : now.writes
  if (writes.includes(version)) return true
  const [before] = replaced?.writes ?? []
  if (before !== undefined && writes.includes(before)) return false
  const message = `The connection was lost while the skill "${name}" was written, and others have changed it since. A write may have happened: get the skill and see.`
  throw new SkillError('STORAGE_UNAVAILABLE', message)
}

async function changeOf(
  name: string,
  ifRevision: string | null | undefined,
  stored: Head | SkillError | undefined,
  change: Parameters<typeof writeSkill>[3],
): Promise<NewFiles | undefined> {
  if (ifRevision !== undefined) {
    // An unreadable skill has no revision, and must not be overwritten unseen.
    const before = stored === undefined ? undefined : isSkillError(stored) ? '' : await revisionOfHead(stored)
    refuseConflict(name, ifRevision, before)
  }
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
