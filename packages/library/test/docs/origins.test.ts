import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileStore } from '@repertoire/library'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { importSkills } from './origins-example.ts'

it('[LIB-5, ADPT-4] the program of the page copies the skills of a folder into a store', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'pdf'))
  writeFileSync(join(folder, 'pdf/SKILL.md'), '---\nname: pdf\ndescription: PDF.\n---\nText.\n')
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const root = temporaryFolder()
    const { names, from } = await importSkills(folder, root)
    expect(names).toEqual(['pdf'])
    expect(from.sourceType).toBe('local')
    const store = await openFileStore({ root, layer: 'project' })
    expect((await store.get('pdf')).manifest.description).toBe('PDF.')
    expect(said).toHaveBeenCalledWith('judged', 1)
  } finally {
    said.mockRestore()
  }
})
