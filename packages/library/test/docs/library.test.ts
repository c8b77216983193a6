import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@repertoire/library'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { changedSkills, lockSkill } from './lock-example.ts'
import { keepCounter, openLibrary } from './library-example.ts'

it('[LIB-2, ADPT-4] the program of the page keeps a script, and the catalog has it', async () => {
  const library = await openLibrary(temporaryFolder())
  try {
    await keepCounter(library)
    expect(library.repertoire.catalog.get('count-words').manifest.type).toBe('script')
  } finally {
    await library.repertoire.close()
  }
})

it('[LIB-6, ADPT-4] the program of the page locks a skill, and names it when it was changed', async () => {
  const project = temporaryFolder()
  const store = await openFileStore({ root: join(project, '.agents/skills'), layer: 'project' })
  await store.save({ manifest: { name: 'pdf', description: 'PDF.' }, body: 'Text.\n' })
  await lockSkill(project, 'pdf', 'c'.repeat(40))
  expect(await changedSkills(project)).toEqual([])
  writeFileSync(join(project, '.agents/skills/pdf/SKILL.md'), 'changed')
  expect(await changedSkills(project)).toEqual(['pdf'])
})
