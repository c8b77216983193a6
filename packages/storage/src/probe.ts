import { randomUUID } from 'node:crypto'
import { SkillError } from '@repertoire/core'
import type { EngineCall } from './deadline.ts'
import type { HeadWrite, StorageEngine, StoredHead } from './engine.ts'

/** No name of a tenant becomes such a part: after `_` there are two hexadecimal digits. */
const PROBE_TENANT = '_probe'

/**
 * Tries whether an engine keeps what a store relies on: a write on the condition that nothing is there, or that a known
 * version is, happens if it is so and otherwise not; and what was written is read at once.
 * @param call makes a call of the engine
 * @throws {SkillError} STORAGE_UNSUITABLE, with what it does instead
 */
export async function probeEngine(engine: StorageEngine, call: EngineCall): Promise<void> {
  const tenant = `${PROBE_TENANT}-${randomUUID()}`
  const isWritten = async (expected: string | undefined, text: string | null): Promise<boolean> => {
    const head: HeadWrite = { tenant, skill: 'probe', expected, version: randomUUID(), text, blobs: [] }
    return (await call(() => engine.write(head))) !== undefined
  }
  const find = (): Promise<StoredHead | undefined> => call(() => engine.read(tenant, 'probe'))
  const read = async (text: string): Promise<string> => {
    const head = await find()
    if (head?.text === text) return head.token
    const found = head === undefined ? 'nothing' : 'an older version'
    throw unsuitable(engine, `reads ${found} right after a write, or lost the write to another`)
  }
  try {
    if (!(await isWritten(undefined, '1'))) throw unsuitable(engine, 'refuses the first write of a new key')
    const first = await read('1')
    if (await isWritten(undefined, '2')) {
      throw unsuitable(engine, 'accepts a write on the condition that nothing is there, although something is')
    }
    if (!(await isWritten(first, '3'))) throw unsuitable(engine, 'refuses a write that is based on what is there')
    const third = await read('3')
    if (await isWritten(first, '4')) {
      throw unsuitable(engine, 'accepts a write that is based on an older version than the stored one')
    }
    await read('3')
    if (!(await isWritten(third, null)) || (await find()) !== undefined) {
      throw unsuitable(engine, 'does not remove what is there')
    }
  } finally {
    await call(() => engine.removeTenant(tenant))
  }
}

function unsuitable({ name }: StorageEngine, fault: string): SkillError {
  const message = `The storage "${name}" is not used: it ${fault}. With two machines it would lose skills without a word. Use a server that keeps conditional writes.`
  return new SkillError('STORAGE_UNSUITABLE', message)
}
