/** Writes to a store in a process of its own: `ROOT NUMBER WRITES`, or `ROOT hold` to keep the lock until it is killed. */
import { join } from 'node:path'
import process from 'node:process'
import { isSkillError } from '@repertoire/core'
import { openFileStore } from '@repertoire/library'
import { withFileLock } from '../../src/durable/file-lock.ts'
import { instruction } from '../../src/testing/case.ts'

const [root = '', number = '', writes = '0'] = process.argv.slice(2)

if (number === 'hold') {
  await withFileLock(join(root, '.repertoire', 'lock'), { timeout: 1_000 }, async () => {
    process.stdout.write('held\n')
    await new Promise((resolve) => setTimeout(resolve, 60_000))
  })
} else {
  const store = await openFileStore({ root, layer: 'personal' })
  for (let write = 0; write < Number(writes); write++) {
    await store.save(instruction(`skill-${number}-${write}`))
    await store.saveResource('shared', `${number}/${write}.md`, number)
    await count()
  }

  /** Reads the number that is stored and saves the next one, again and again until nobody came between. */
  async function count(): Promise<void> {
    for (;;) {
      const { body, revision } = await store.get('shared')
      const next = Number(/\d+/.exec(body)?.[0]) + 1
      try {
        await store.save(instruction('shared', `From ${next}.\n`), { ifRevision: revision })
        return
      } catch (error) {
        if (!isSkillError(error) || error.code !== 'STORE_CONFLICT') throw error
      }
    }
  }
}
