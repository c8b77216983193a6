/**
 * Writes to a store, and to a lock beside it, in its own process: `ROOT NUMBER WRITES`. Or `ROOT hold`: keeps the
 * lock between writers until its input ends.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { isSkillError } from '@repertoire/core'
import { changeSkillsLock, openFileStore } from '@repertoire/library'
import { withFileLock } from '../../src/file-lock.ts'
import { instruction } from '../../src/testing/case.ts'

const [root = '', number = '', writes = '0'] = process.argv.slice(2)

if (number === 'hold') {
  await withFileLock(join(root, '.repertoire', 'lock'), { timeout: 1_000 }, async () => {
    process.stdout.write('held\n')
    await once(process.stdin.resume(), 'end')
  })
} else {
  const store = await openFileStore({ root, layer: 'personal' })
  for (let write = 0; write < Number(writes); write++) {
    await store.save(instruction(`skill-${number}-${write}`))
    await store.saveResource('shared', `${number}/${write}.md`, number)
    await store.saveResource('shared', 'same.md', `${number}\n`.repeat(1_000))
    await changeSkillsLock(root, (skills) => {
      skills.set(`skill-${number}-${write}`, { source: `./${number}`, sourceType: 'local' })
    })
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
