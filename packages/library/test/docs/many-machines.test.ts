import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { skillFolder } from '@repertoire/core/node'
import { changeSkillsLock, memoryStore, openFileStore, pinSkill } from '@repertoire/library'
import { expect, it } from 'vitest'
import { contentOf, filesOf, instruction } from '../../src/testing/case.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { copySkills } from './copy-skills-example.ts'
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

it('[LIB-1, LIB-7, ADPT-4] the program of the guide copies skills between stores, with their revisions, and replaces none', async () => {
  const [from, to] = [await openFileStore({ root: temporaryFolder(), layer }), memoryStore({ layer })]
  const { revision } = await from.replace(
    'pdf',
    new Map([
      ...filesOf('pdf', { '.hidden': 'h', 'a/b.md': 'b' }),
      ['scripts/run.sh', { bytes: Buffer.from('true\n'), executable: true }],
    ]),
  )
  await from.save(instruction('theirs', 'New.\n'))
  await to.save(instruction('theirs', 'Old.\n'))
  expect(await copySkills(from, to)).toEqual(['pdf'])
  expect((await to.get('pdf')).revision).toBe(revision)
  expect(await contentOf(to, 'pdf')).toEqual(await contentOf(from, 'pdf'))
  expect((await to.get('theirs')).body).toBe('Old.\n')
  expect(await copySkills(from, to)).toEqual([])
})
