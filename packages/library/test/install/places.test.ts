import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { applyPlan, planAdd, planInstall, planRemove, readSkillsLock, verifySkills } from '@repertoire/library'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { originOf } from './project.ts'

const LINK = '.claude/skills/pdf'
const OTHER = '.cursor/skills/pdf'
const also = ['.claude/skills', '.cursor/skills']

const OLD = originOf({ pdf: { 'a.md': 'old' } })
const NEW = originOf({ pdf: { 'a.md': 'new' } }, { revision: 'b'.repeat(40) })

async function prepared(): Promise<string> {
  const project = temporaryFolder()
  await applyPlan(await planAdd({ project, origins: [OLD], also }))
  return project
}

/** What a project has of the skill: by the lock, in its folder, and for the other clients. */
async function stateOf(project: string): Promise<readonly (string | undefined)[]> {
  const entry = (await readSkillsLock(project)).skills.get('pdf')
  const textAt = (path: string): string | undefined =>
    existsSync(join(project, path)) ? readFileSync(join(project, path, 'a.md'), 'utf8') : undefined
  return [entry?.repertoire?.revision?.slice(0, 1), ...['.agents/skills/pdf', LINK, OTHER].map(textAt)]
}

it('[LIB-6, ABUSE-70] links that are not as the lock has them are named, and made by the next installation', async () => {
  const project = await prepared()
  for (const path of [LINK, OTHER]) rmSync(join(project, path))
  const next = await planInstall({ project, frozen: true })
  expect(next.places.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('Run "install"'),
    expect.stringContaining('Run "install"'),
  ])
  expect((await verifySkills({ project })).places).toEqual(next.places)
  expect((await applyPlan(next)).problems).toEqual([])
  expect(await stateOf(project)).toEqual(['a', 'old', 'old', 'old'])
  await applyPlan(await planAdd({ project, origins: [NEW] }))
  expect(await stateOf(project)).toEqual(['b', 'new', 'new', 'new'])
  await applyPlan(await planRemove({ project, skills: ['pdf'] }))
  expect(await stateOf(project)).toEqual([undefined, undefined, undefined, undefined])
})

it('[LIB-6] a removal that fails leaves folders, the lock and links as they were', async () => {
  const project = await prepared()
  const plan = await planRemove({ project, skills: ['pdf'] })
  // The lock cannot be staged beside itself.
  const full = vi.spyOn(crypto, 'randomUUID').mockReturnValue('x/x' as never)
  await expect(applyPlan(plan)).rejects.toMatchObject({ code: 'FOLDER_NOT_WRITABLE' })
  full.mockRestore()
  expect(await stateOf(project)).toEqual(['a', 'old', 'old', 'old'])
  expect((await verifySkills({ project })).places).toEqual([])
  await expect(planInstall({ project, frozen: true })).resolves.toMatchObject({ writes: false })
})
