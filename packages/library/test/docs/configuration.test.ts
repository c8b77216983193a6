import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openAdapterSession } from '@repertoire/core/adapter'
import { afterEach, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { openProgram } from './configuration-example.ts'

afterEach(() => vi.unstubAllEnvs())

it('[DISC-9, LIB-1, ADPT-4] the program of the page reads and writes one folder, and has no skill and no tool where it is turned off', async () => {
  const root = temporaryFolder()
  vi.stubEnv('HOME', join(root, 'home'))
  vi.stubEnv('XDG_CONFIG_HOME', join(root, 'config'))
  const skillsDir = join(root, 'skills')
  const skill = { name: 'mine', description: 'Mine.', type: 'instruction', definition: { content: 'Do it.\n' } }
  const on = await openProgram(skillsDir, true)
  await on.registry.create(skill)
  expect(existsSync(join(skillsDir, 'mine', 'SKILL.md'))).toBe(true)
  expect(on.repertoire.catalog.list().map(({ name, layer }) => [layer, name])).toContainEqual(['personal', 'mine'])
  expect((await on.registry.load()).map(({ name }) => name)).toEqual(['skill_mine'])
  await on.repertoire.close()

  const off = await openProgram(skillsDir, false)
  expect(off.repertoire.catalog.list()).toEqual([])
  expect(await openAdapterSession(off.repertoire).step({ tools: ['Bash'] })).toMatchObject({ tools: [] })
  await off.registry.create({ ...skill, name: 'other' })
  expect([await off.registry.load(), off.registry.loadedSkills(), off.registry.allTools()]).toEqual([[], [], []])
  expect((await off.registry.store.listActive()).map(({ name }) => name)).toEqual(['mine', 'other'])
  await off.repertoire.close()
})
