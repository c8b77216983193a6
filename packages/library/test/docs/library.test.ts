import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ScriptRunner } from '@repertoire/core'
import { openFileStore } from '@repertoire/library'
import { expect, it } from 'vitest'
import { temporaryFolder, temporaryStore } from '../temporary-folder.ts'
import { createSkill, findChanged, installSkills } from './how-to-library-example.ts'
import { changedSkills, lockSkill } from './lock-example.ts'
import { keepCounter, openLibrary } from './library-example.ts'
import { runSkill } from './registry-tools-example.ts'

it('[LIB-2, ADPT-4] the program of the page keeps a script, and the catalog has it', async () => {
  const library = await openLibrary(temporaryFolder())
  try {
    await keepCounter(library)
    expect(library.repertoire.catalog.get('count-words').manifest.type).toBe('script')
  } finally {
    await library.repertoire.close()
  }
})

it('[LIB-13, ADPT-4] the program of the page executes a stored skill', async () => {
  const store = await temporaryStore()
  await store.save({ manifest: { name: 'note', description: 'A note.' }, body: 'Note it.\n' })
  const runner: ScriptRunner = {
    name: 'none',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: () => 'Nothing runs here.',
    run: () => Promise.reject(new Error('Nothing runs here.')),
  }
  expect(await runSkill(store, runner, 'skill_note', {})).toMatchObject({ ok: true, value: { content: 'Note it.\n' } })
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

it('[LIB-2, LIB-12, ADPT-4] the programs of the how-to page create a skill, install it, and find what was changed', async () => {
  const [origin, project] = [temporaryFolder(), temporaryFolder()]
  await createSkill(join(origin, 'skills'))
  expect(await installSkills(project, origin)).toEqual(['release-notes'])
  expect(await findChanged(project)).toEqual([])
  const path = join(project, '.agents/skills/release-notes/SKILL.md')
  writeFileSync(path, `${readFileSync(path, 'utf8')}Be loud.`)
  expect(await findChanged(project)).toEqual(['release-notes'])
})
