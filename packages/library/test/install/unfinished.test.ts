import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSkills } from '@repertoire/core/node'
import {
  applyPlan,
  findLeftovers,
  openFileStore,
  planAdd,
  planInstall,
  planRemove,
  planUpdate,
  recoverProject,
  verifySkills,
} from '@repertoire/library'
import { expect, it } from 'vitest'
import { filesOf, instruction } from '../../src/testing/case.ts'
import { skillText } from '../origins/skill-text.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { filesIn, originOf, put } from './project.ts'

const AGENTS = '.agents/skills'
const STATE = `${AGENTS}/.repertoire`
const UUID = '00000000-0000-4000-8000-000000000000'
const refused = { code: 'FOLDER_NOT_WRITABLE', message: expect.stringContaining('"repertoire recover"') as string }

async function prepared(): Promise<string> {
  const project = temporaryFolder()
  await applyPlan(await planAdd({ project, origins: [originOf({ keep: {}, pdf: { 'a.md': 'old' } })] }))
  return project
}

/** As a program leaves it that was killed when the former folder had left its place. */
function moveAway(project: string): void {
  renameSync(join(project, AGENTS, 'pdf'), join(project, STATE, 'old-pdf'))
}

it('[LIB-7, LIB-14] a skill that has left its place is an error that names the command, in every reader and writer', async () => {
  const project = await prepared()
  moveAway(project)
  put(project, `${STATE}/new-pdf/SKILL.md`, 'half of it')
  const { catalog } = await openSkills(join(project, AGENTS))
  expect(catalog.list().map(({ name }) => name)).toEqual(['keep'])
  expect(catalog.diagnostics).toMatchObject([
    { code: 'LEFTOVER_FOUND', severity: 'error', message: expect.stringContaining('its only copy') as string },
  ])
  expect(catalog.diagnostics[0]!.hint).toContain('repertoire recover')
  const store = await openFileStore({ root: join(project, AGENTS) })
  await expect(store.get('pdf')).rejects.toThrow(/unfinished.*"repertoire recover" puts it back/)
  await expect(store.replace('pdf', filesOf('pdf'))).rejects.toMatchObject(refused)
  await expect(store.save(instruction('pdf'))).rejects.toMatchObject(refused)
  // Other skills are none of its business.
  await store.save(instruction('other'))
  expect((await verifySkills({ project })).skills.find(({ name }) => name === 'pdf')).toMatchObject({
    state: 'missing',
  })
  const found = await findLeftovers({ project })
  expect(found).toMatchObject([
    { path: `${STATE}/new-pdf`, kind: 'new', skill: 'pdf', isOnlyCopy: false },
    { path: `${STATE}/old-pdf`, kind: 'old', skill: 'pdf', isOnlyCopy: true },
  ])
  for (const plan of [
    () => planAdd({ project, origins: [originOf({ csv: {} })] }),
    () => planInstall({ project }),
    () => planInstall({ project, frozen: true }),
    () => planUpdate({ project }),
    () => planRemove({ project, skills: ['keep'] }),
  ])
    await expect(plan()).rejects.toMatchObject(refused)
  expect(await recoverProject({ project })).toEqual(found)
  expect(await findLeftovers({ project })).toEqual([])
  expect(await recoverProject({ project })).toEqual([])
  await store.delete('other')
  await expect(planInstall({ project, frozen: true })).resolves.toMatchObject({ writes: false })
})

it('[LIB-14, ABUSE-124] planted leftovers change nothing by themselves, and nothing that is in its place', async () => {
  const project = await prepared()
  const before = filesIn(project)
  for (const kind of ['old', 'new', 'gone']) {
    for (const name of ['pdf', 'planted']) put(project, `${STATE}/${kind}-${name}/SKILL.md`, skillText(name))
  }
  put(project, `.repertoire-${UUID}`, '{}')
  const store = await openFileStore({ root: join(project, AGENTS) })
  const seen: string[] = []
  for await (const item of store.scan()) seen.push('code' in item ? `${item.code} ${item.path}` : item.folderName)
  expect(seen.filter((each) => !each.startsWith('LEFTOVER_FOUND'))).toEqual(['keep', 'pdf'])
  expect(seen).toContain(`LEFTOVER_FOUND ${join(project, AGENTS, 'planted')}`)
  expect((await store.listActive()).map(({ name }) => name)).toEqual(['keep', 'pdf'])
  await expect(planInstall({ project, frozen: true })).rejects.toMatchObject(refused)
  expect(filesIn(project)).toEqual({ ...before, [`.repertoire-${UUID}`]: '{}' })
  expect((await findLeftovers({ project })).map(({ kind }) => kind)).toEqual([
    'gone',
    'gone',
    'new',
    'new',
    'old',
    'old',
    'lock',
  ])
  await recoverProject({ project })
  // Whoever asks for it gets back what has no other copy: it is in no lock, which verification says.
  const { [`${AGENTS}/planted/SKILL.md`]: planted, ...after } = filesIn(project)
  expect([planted, after]).toEqual([skillText('planted'), before])
  await expect(planInstall({ project, frozen: true })).rejects.toMatchObject({ code: 'LOCK_MISMATCH' })
})

it('[LIB-14] what is in the place of our own folder is named, and not used', async () => {
  for (const plant of [
    (path: string) => writeFileSync(path, ''),
    (path: string) => symlinkSync(temporaryFolder(), path),
  ]) {
    const project = await prepared()
    rmSync(join(project, STATE), { recursive: true })
    plant(join(project, STATE))
    expect(await findLeftovers({ project })).toMatchObject([{ path: STATE, kind: 'other' }])
    await expect(planInstall({ project })).rejects.toMatchObject(refused)
    await expect(recoverProject({ project })).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
  }
})

it('[LIB-14] what a writer at work may have there is no error of a scan, and is named by who looks for leftovers', async () => {
  const project = await prepared()
  mkdirSync(join(project, STATE, 'new-pdf'))
  const root = join(project, AGENTS)
  expect((await openSkills(root)).catalog.diagnostics).toEqual([])
  expect(await findLeftovers({ project })).toHaveLength(1)
})
