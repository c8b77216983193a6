import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionProblem } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { openSkills } from '@repertoire/core/node'
import { applyPlan, planAdd } from '@repertoire/library'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { originOf, put } from './project.ts'

const AGENTS = '.agents/skills'

async function installed(): Promise<string> {
  const project = temporaryFolder()
  await applyPlan(await planAdd({ project, origins: [originOf({ keep: {}, pdf: { 'a.md': 'old', 'b.md': 'b' } })] }))
  return project
}

const seen = async (project: string) => (await openSkills(join(project, AGENTS))).catalog.diagnostics

it.each([
  ['nothing, as it was installed', () => {}, []],
  ['an edited file', (pdf: string) => writeFileSync(join(pdf, 'a.md'), 'new'), ['edited a.md']],
  ['a file that is gone', (pdf: string) => rmSync(join(pdf, 'a.md')), ['missing a.md']],
  ['a new file, hidden ones too', (pdf: string) => writeFileSync(join(pdf, '.env'), ''), ['added .env']],
  ['a link', (pdf: string) => symlinkSync('/etc/hosts', join(pdf, 'hosts')), ['added hosts']],
  ['an empty folder', (pdf: string) => mkdirSync(join(pdf, 'empty')), ['added empty/']],
  ['another mode', (pdf: string) => chmodSync(join(pdf, 'a.md'), 0o755), ['other mode a.md']],
])('[LIB-16] openSkills tells of a locked skill: %s', async (_, change, differences) => {
  const project = await installed()
  change(join(project, AGENTS, 'pdf'))
  const message = `"pdf" is not what skills-lock.json says: ${differences.join(', ')}.`
  expect(await seen(project)).toEqual(
    differences.map(() => ({
      code: 'LOCK_DIFFERS',
      severity: 'warning',
      path: join(project, AGENTS, 'pdf/SKILL.md'),
      message,
      hint: expect.stringContaining('repertoire install --force') as string,
    })),
  )
})

it('[LIB-16] explain and a session tell of it once, until it is as it was', async () => {
  const project = await installed()
  const file = join(project, AGENTS, 'pdf/a.md')
  const before = readFileSync(file)
  writeFileSync(file, 'new')
  const repertoire = await openSkills(join(project, AGENTS))
  expect(repertoire.explain('pdf').text).toContain('warning LOCK_DIFFERS: "pdf" is not what')
  expect(repertoire.explain('keep').text).not.toContain('LOCK_DIFFERS')
  const codes: string[] = []
  const onProblem = ({ code }: SessionProblem): void => void codes.push(code)
  for (let run = 1; run <= 2; run++) await openAdapterSession(repertoire, { onProblem }).step({ tools: [] })
  expect(codes).toEqual(['SKILL_EDITED'])
  writeFileSync(file, before)
  expect(await seen(project)).toEqual([])
})

it('[LIB-16] a locked skill without its folder is an error with its command, also if all folders are gone', async () => {
  const project = await installed()
  rmSync(join(project, AGENTS, 'pdf'), { recursive: true })
  const missing = {
    code: 'LOCKED_SKILL_MISSING',
    severity: 'error',
    message: expect.stringContaining('"pdf" is in skills-lock.json') as string,
    hint: expect.stringContaining('"repertoire install"') as string,
  }
  expect(await seen(project)).toMatchObject([missing])
  const repertoire = await openSkills(join(project, AGENTS))
  expect(repertoire.explain('pdf').text).toContain('Run "repertoire install"')
  mkdirSync(join(project, AGENTS, 'pdf'))
  expect(await seen(project)).toMatchObject([missing])
  rmSync(join(project, AGENTS), { recursive: true })
  await expect(seen(project)).rejects.toThrow(/does not exist[^]*"keep" is in skills-lock.json[^]*"repertoire install"/)
})

it('[LIB-16] says nothing of a change that is not finished: that is reported as such', async () => {
  const project = await installed()
  const [pdf, former] = [join(project, AGENTS, 'pdf'), join(project, AGENTS, '.repertoire/old-pdf')]
  renameSync(pdf, former)
  put(project, `${AGENTS}/pdf/SKILL.md`, '---\nname: pdf\ndescription: Newer.\n---\n')
  expect(await seen(project)).toEqual([])
  rmSync(former, { recursive: true })
  expect(await seen(project)).toMatchObject([{ code: 'LOCK_DIFFERS' }])
})

it.each([
  ['half merged', '<<<<<<< ours\n'],
  ['a list', '[]'],
  ['null', 'null'],
  ['of a newer version', '{"version":2,"skills":{}}'],
  ['without skills', '{"version":1}'],
  ['with an entry that is no object', '{"version":1,"skills":{"pdf":null}}'],
])('[LIB-16] a lock that cannot be read is reported beside its skills, and nowhere else: %s', async (_, text) => {
  const project = await installed()
  expect(await seen(project)).toEqual([])
  writeFileSync(join(project, 'skills-lock.json'), text)
  expect(await seen(project)).toMatchObject([{ code: 'LOCK_UNREADABLE', path: join(project, 'skills-lock.json') }])
  put(project, 'other/mine/SKILL.md', '---\nname: mine\ndescription: Mine.\n---\n')
  expect((await openSkills(join(project, 'other'))).catalog.diagnostics).toEqual([])
})
