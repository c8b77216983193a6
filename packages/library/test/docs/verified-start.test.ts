import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { skillFolder } from '@repertoire/core/node'
import { changeSkillsLock, openFileStore, pinSkill } from '@repertoire/library'
import { expect, it } from 'vitest'
import { instruction } from '../../src/testing/case.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openVerified } from './verified-start-example.ts'

const layer = 'project'

it('[LIB-6, ADPT-4] the program of the guide opens skills that are as their lock has them, and no others', async () => {
  const project = temporaryFolder()
  const root = join(project, '.agents/skills')
  await (await openFileStore({ root, layer })).save(instruction('pdf'))
  const pin = await pinSkill(skillFolder(join(root, 'pdf')))
  await changeSkillsLock(project, (skills) => void skills.set('pdf', { source: 'a/b', sourceType: 'github', ...pin }))
  const repertoire = await openVerified(project)
  expect(repertoire.catalog.list().map(({ name }) => name)).toEqual(['pdf'])
  await repertoire.close()
  appendFileSync(join(root, 'pdf/SKILL.md'), 'More.\n')
  await expect(openVerified(project)).rejects.toThrow('pdf: changed')
})
