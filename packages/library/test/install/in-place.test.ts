import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  applyPlan,
  openFileStore,
  planAdd,
  planInstall,
  planRemove,
  planUpdate,
  readSkillsLock,
  verifySkills,
} from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { readInstalled } from '../../src/lock/installed.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { filesIn, originOf, put } from './project.ts'

const SKILLS = '.agents/skills'
const ENTRY = { source: 'example/skills', sourceType: 'github' }

function lockOf(...names: readonly string[]): string {
  return JSON.stringify({ version: 1, skills: Object.fromEntries(names.map((name) => [name, ENTRY])) })
}

describe('what lies where a skill belongs', () => {
  it('[LIB-5, LIB-6] a file of somebody else in the place of a folder is refused by its path, and stays', async () => {
    const origin = originOf({ pdf: {} })
    const relocate = () => Promise.resolve(origin)
    for (const force of [false, true]) {
      const project = temporaryFolder()
      put(project, `${SKILLS}/pdf`, 'mine')
      const refused = { code: 'RESOURCE_REFUSED', message: expect.stringContaining('Move it away') as string }
      await expect(planAdd({ project, origins: [origin], force })).rejects.toMatchObject(refused)
      put(project, 'skills-lock.json', lockOf('pdf'))
      await expect(planInstall({ project, force, relocate })).rejects.toMatchObject(refused)
      await expect(planUpdate({ project, force, relocate })).rejects.toMatchObject(refused)
      expect(filesIn(project)[`${SKILLS}/pdf`]).toBe('mine')
    }
    const project = temporaryFolder()
    const plan = await planAdd({ project, origins: [origin] })
    put(project, `${SKILLS}/pdf`, 'mine')
    await expect(applyPlan(plan)).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    expect(filesIn(project)).toEqual({ [`${SKILLS}/pdf`]: 'mine' })
  })

  it('[LIB-6, LIB-9] a folder without its SKILL.md is not pinned as the skill, and what is in it is not lost', async () => {
    const origin = originOf({ pdf: { 'a.md': 'a' } })
    const relocate = () => Promise.resolve(origin)
    const project = temporaryFolder()
    await applyPlan(await planAdd({ project, origins: [origin] }))
    rmSync(join(project, SKILLS, 'pdf/SKILL.md'))
    put(project, `${SKILLS}/pdf/notes.md`, 'mine')
    const before = filesIn(project)
    for (const plan of [await planInstall({ project, relocate }), await planUpdate({ project, relocate })]) {
      const found = { state: 'changed', missing: ['SKILL.md'], added: ['notes.md'] }
      expect(plan.skills).toMatchObject([{ name: 'pdf', action: 'keep', because: 'edited', found }])
      await applyPlan(plan)
    }
    const other = originOf({ pdf: { 'a.md': 'b' } })
    await expect(planAdd({ project, origins: [other] })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
    await expect(planRemove({ project, skills: ['pdf'] })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
    expect(filesIn(project)).toEqual(before)
    const forced = await planInstall({ project, relocate, force: true })
    expect(await applyPlan(forced)).toMatchObject({ written: ['pdf'] })
    expect(Object.keys(filesIn(project))).not.toContain(`${SKILLS}/pdf/notes.md`)
  })

  it.each(['', '.', '..', './', '../..', '../mine', 'é/../../mine', '.repertoire'])(
    '[LIB-14] removes nothing by the name %j, which is no folder of a skill, even by force',
    async (name) => {
      const project = temporaryFolder()
      await applyPlan(await planAdd({ project, origins: [originOf({ pdf: {} })] }))
      put(project, `${SKILLS}/é/SKILL.md`, 'mine')
      put(project, '.agents/mine/a.md', 'mine')
      const before = filesIn(project)
      const refused = planRemove({ project, skills: [name], force: true })
      await expect(refused).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
      expect(filesIn(project)).toEqual(before)
      expect(await applyPlan(await planRemove({ project, skills: ['é'], force: true }))).toMatchObject({ problems: [] })
      expect(Object.keys(filesIn(project))).not.toContain(`${SKILLS}/é/SKILL.md`)
    },
  )

  it('[LIB-6] an empty folder is filled, also of a skill that another command has added', async () => {
    const origin = originOf({ pdf: {} })
    const project = temporaryFolder()
    put(project, 'skills-lock.json', lockOf('pdf'))
    mkdirSync(join(project, SKILLS, 'pdf'), { recursive: true })
    const plan = await planInstall({ project, relocate: () => Promise.resolve(origin) })
    expect(await applyPlan(plan)).toMatchObject({ written: ['pdf'], pinned: [] })
    expect(await planInstall({ project, frozen: true })).toMatchObject({ writes: false })
  })

  it('[LIB-9] two entries of a lock that would be in one folder, and names that no folder has, are refused', async () => {
    // A skill named PDF is kept as pdf, whatever its lock calls it.
    const origin = originOf({ pdf: {} })
    const relocate = () => Promise.resolve({ ...origin, fetch: () => origin.fetch() })
    const project = temporaryFolder()
    const skills = { PDF: ENTRY, pdf: { ...ENTRY, source: 'other/skills' } }
    put(project, 'skills-lock.json', JSON.stringify({ version: 1, skills }))
    const message = expect.stringContaining('"PDF" and "pdf" would be in one folder') as string
    await expect(planInstall({ project, relocate })).rejects.toMatchObject({ code: 'LOCK_INVALID', message })
    put(project, 'skills-lock.json', lockOf('\u202Epdf'))
    const hidden = expect.stringContaining('a character that is not shown') as string
    await expect(planInstall({ project, relocate })).rejects.toMatchObject({
      code: 'LOCK_INVALID',
      message: hidden,
    })
    expect(Object.keys(filesIn(project))).toEqual(['skills-lock.json'])
  })

  it('[LIB-6, LIB-7] verification and plans beside a writer wait for a folder that is between two places', async () => {
    const project = temporaryFolder()
    await applyPlan(await planAdd({ project, origins: [originOf({ pdf: {} })] }))
    const folder = join(project, SKILLS)
    const [place, former] = [join(folder, 'pdf'), join(folder, '.repertoire/old-pdf')]
    const lock = await readSkillsLock(project)
    for (const isVerified of [true, false]) {
      renameSync(place, former)
      setTimeout(() => renameSync(former, place), 5)
      if (isVerified) expect(await verifySkills({ project })).toMatchObject({ ok: true })
      else expect((await readInstalled(folder, 'pdf', lock.skills.get('pdf'))).found.state).toBe('unchanged')
    }
    // A writer that was killed does not come back: what is there is said.
    renameSync(place, former)
    const { skills } = await verifySkills({ project })
    expect(skills).toMatchObject([{ name: 'pdf', state: 'missing' }])
  })

  it('[LIB-1] a store says that a file is in the way, and leaves it', async () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'pdf'), 'mine')
    const store = await openFileStore({ root, layer: 'project' })
    const content = { manifest: { name: 'pdf', description: 'd' }, body: '' }
    const message = expect.stringContaining('a file where a folder belongs') as string
    await expect(store.save(content)).rejects.toMatchObject({
      code: 'STORE_CONFLICT',
      message: expect.stringContaining('"pdf" is there, and is a file') as string,
    })
    await store.save({ ...content, manifest: { name: 'csv', description: 'd' } })
    await store.saveResource('csv', 'a.md', 'a')
    await expect(store.saveResource('csv', 'a.md/b', 'b')).rejects.toMatchObject({ code: 'RESOURCE_REFUSED', message })
    expect(filesIn(root)).toMatchObject({ pdf: 'mine', 'csv/a.md': 'a' })
  })
})
