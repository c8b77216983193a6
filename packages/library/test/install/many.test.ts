import { realpathSync } from 'node:fs'
import { openPinnedFolder } from '@repertoire/core/node'
import { expect, it } from 'vitest'
import { readJournal, writeJournal } from '../../src/durable/journal.ts'
import { formerName, stagedName } from '../../src/durable/staging.ts'
import { writingSystem } from '../../src/durable/system.ts'
import { temporaryFolder } from '../temporary-folder.ts'

it('[LIB-6, LIB-7] the journal of a change of a thousand skills is read as it was written', () => {
  const root = realpathSync(temporaryFolder())
  const folder = openPinnedFolder(root)
  const names = Array.from({ length: 1_000 }, (_, index) => `skill-${index}`)
  const pending = names.map((skill) => ({ skill, staged: stagedName(root), former: formerName(root) }))
  const entries = Object.fromEntries(names.map((name) => [name, 'a'.repeat(64)]))
  const journal = { sequence: 7, pending, commitment: { project: '..', entries } }
  writeJournal(writingSystem, root, folder, journal)
  expect(readJournal(folder)).toEqual(journal)
  folder.close()
})
