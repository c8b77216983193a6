import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { SkillError, type Layer } from '@repertoire/core'
import { type EngineCall, retryDelay } from '../deadline.ts'
import { ConnectionLostError, type StorageEngine, type StoredFile } from '../engine.ts'
import type { FileReader } from '../files.ts'
import { packFor } from './pack.ts'
import { MAX_WRITES, readRecord, recordText, type TenantSkills } from './record.ts'

/** The skills of a tenant as this process has seen them last. */
export interface SeenSkills extends TenantSkills {
  readonly token: string | undefined
}

/** What the parts of a tenant's store work with. */
export interface TenantContext {
  /** The id of the store, and the beginning of every location. */
  readonly id: string
  readonly layer: Layer
  /** The key of the record. */
  readonly key: string
  readonly engine: StorageEngine
  readonly files: FileReader
  /** Makes a call of the engine, within the time for it. */
  readonly call: EngineCall
  /** How long a write that others come before is tried again. */
  readonly timeoutMs: number
  readonly memory: TenantMemory
}

/** What a process remembers of a tenant. */
export interface TenantMemory {
  seen: SeenSkills | undefined
  /** The question that is on its way, and the next one, which waits for it. */
  running?: Promise<SeenSkills> | undefined
  next?: Promise<SeenSkills> | undefined
  /** The last of the writes, which go one after the other. */
  write?: Promise<unknown> | undefined
}

/**
 * Asks what is stored now. Whoever asks in one turn of the program shares a question, and nobody gets an answer to one
 * that was asked before.
 */
export function currentSkills(tenant: TenantContext): Promise<SeenSkills> {
  const { memory } = tenant
  memory.next ??= (async () => {
    await memory.running?.catch(() => undefined)
    memory.next = undefined
    memory.running = ask(tenant)
    return memory.running
  })()
  return memory.next
}

async function ask({ id, key, engine, call, memory }: TenantContext): Promise<SeenSkills> {
  const { seen } = memory
  const { token, text } = await call(() => engine.read(key, seen?.token))
  if (seen !== undefined && seen.token === token) return seen
  const now = { ...readRecord(id, text), token }
  memory.seen = now
  return now
}

/** What a write makes of the skills of a tenant. */
export interface Change<Result> {
  readonly skills: TenantSkills['skills']
  /** The files that are new. */
  readonly files: readonly StoredFile[]
  readonly result: Result
}

/**
 * Changes the skills of a tenant: read, changed, and written unless another writer was first; otherwise once more. What
 * this process has seen last needs no question: if it is old, the engine refuses the write.
 * @param change called for each try. What it throws ends the write, and nothing is written
 * @throws {SkillError} TIMED_OUT: others came before all the time; STORAGE_UNAVAILABLE: it may have happened
 */
export async function changeSkills<Result>(
  tenant: TenantContext,
  change: (skills: TenantSkills['skills']) => Change<Result> | Promise<Change<Result>>,
): Promise<Result> {
  const { memory } = tenant
  const run = (): Promise<Result> => changeInTurn(tenant, change)
  const writing = (memory.write ?? Promise.resolve()).then(run, run)
  memory.write = writing
  return writing
}

async function changeInTurn<Result>(
  tenant: TenantContext,
  change: (skills: TenantSkills['skills']) => Change<Result> | Promise<Change<Result>>,
): Promise<Result> {
  const end = performance.now() + tenant.timeoutMs
  const { seen } = tenant.memory
  if (seen !== undefined) {
    // If it is refused because of what was seen, what is stored is judged.
    const changed = await Promise.resolve(seen.skills)
      .then(change)
      .catch(() => undefined)
    if (changed !== undefined && (await write(tenant, seen, changed))) return changed.result
  }
  for (let tries = 1; ; tries++) {
    const stored = await currentSkills(tenant)
    const changed = await change(stored.skills)
    if (await write(tenant, stored, changed)) return changed.result
    const wait = retryDelay(tries)
    if (performance.now() + wait > end) {
      const message = `Nothing was written to ${tenant.id}: others wrote before for ${tenant.timeoutMs} ms. Try again.`
      throw new SkillError('TIMED_OUT', message)
    }
    await delay(wait)
  }
}

/** @returns false if something else is stored by now, and nothing was written */
async function write(tenant: TenantContext, seen: SeenSkills, changed: Change<unknown>): Promise<boolean> {
  const { engine, key, memory } = tenant
  const id = randomBytes(9).toString('base64url')
  const { skills, files: given } = changed
  const pack =
    engine.readsFilesSingly === true
      ? await packFor(tenant.files, seen.pack, skills, given)
      : { file: seen.pack, written: [] }
  const next = {
    skills,
    writes: [id, ...seen.writes].slice(0, MAX_WRITES),
    pack: pack.file,
  }
  const text = recordText(next)
  const files = [...new Map([...given, ...pack.written].map((file) => [file.hash, file])).values()]
  let isUncertain = false
  const replace = async (): Promise<string | undefined> => {
    try {
      return await engine.replace({ key, expected: seen.token, text, files })
    } catch (error) {
      isUncertain ||= error instanceof ConnectionLostError
      throw error
    }
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, text.length)
  const token = await tenant.call(replace, bytes)
  if (token !== undefined) memory.seen = { ...next, token }
  return token !== undefined || (isUncertain && (await hasHappened(tenant, id, seen)))
}

/**
 * Whether a write has happened whose answer was lost, and that found another record when it was repeated: that one says
 * which writes made it.
 * @throws {SkillError} STORAGE_UNAVAILABLE: it does not say
 */
async function hasHappened(tenant: TenantContext, id: string, before: SeenSkills): Promise<boolean> {
  const { writes } = await currentSkills(tenant)
  if (writes.includes(id)) return true
  const [last] = before.writes
  if (last === undefined ? writes.length < MAX_WRITES : writes.includes(last)) return false
  const message = `The connection to ${tenant.id} was lost during a write, and others have written since. The write may have happened: get the skill and see.`
  throw new SkillError('STORAGE_UNAVAILABLE', message)
}
