import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openRepertoire } from '@repertoire/core'
import { directorySource, skillFolder } from '@repertoire/core/node'
import {
  applyPlan,
  changeSkillsLock,
  pinSkill,
  planAdd,
  planInstall,
  planRemove,
  planUpdate,
  readSkillsLock,
  verifySkills,
} from '@repertoire/library'
import type { Relocate } from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { filesIn, originOf, put } from './project.ts'
import type { Skills } from './project.ts'

const AGENTS = '.agents/skills'
const NO_NETWORK: Relocate = () => Promise.reject(new Error('The network was asked.'))

async function installed(skills: Skills, more = {}): Promise<string> {
  const project = temporaryFolder()
  await applyPlan(await planAdd({ project, origins: [originOf(skills)], ...more }))
  return project
}

const statesOf = async (project: string) => {
  const { skills } = await verifySkills({ project })
  return Object.fromEntries(skills.map(({ name, state }) => [name, state]))
}

describe('install', () => {
  it('[LIB-6, LIB-12] brings back what the lock has, by its revision, and asks no network where all is there', async () => {
    const project = await installed({ csv: {}, pdf: { 'a.md': 'a' } })
    const before = filesIn(project)
    expect(await planInstall({ project, frozen: true, relocate: NO_NETWORK })).toMatchObject({ writes: false })
    rmSync(join(project, AGENTS), { recursive: true })
    const asked: unknown[] = []
    const origin = originOf({ csv: {}, other: {}, pdf: { 'a.md': 'a' } })
    const plan = await planInstall({
      project,
      frozen: true,
      relocate: (entry, revision) => {
        asked.push([entry.source, revision])
        return Promise.resolve(origin)
      },
    })
    // One origin is asked once, for what is wanted; and what the lock has was agreed to when it was added.
    expect(asked).toEqual([['example/skills', 'a'.repeat(40)]])
    expect(origin.fetched).toEqual([['csv', 'pdf']])
    expect(plan).toMatchObject({ writes: true, brings: false })
    await applyPlan(plan)
    expect(filesIn(project)).toEqual(before)
  })

  it('[LIB-6, LIB-9] frozen, names everything that differs from the lock, and writes nothing', async () => {
    const project = await installed({ csv: {}, pdf: { 'a.md': 'a' }, same: {} })
    put(project, `${AGENTS}/pdf/a.md`, 'edited')
    await changeSkillsLock(project, (skills) => {
      const { repertoire: _, ...unpinned } = skills.get('csv')!
      skills.set('csv', unpinned)
    })
    const before = filesIn(project)
    const frozen = planInstall({ project, frozen: true, relocate: NO_NETWORK })
    await expect(frozen).rejects.toMatchObject({
      code: 'LOCK_MISMATCH',
      message: expect.stringMatching(/"csv" is unpinned.* "pdf" differs from the lock \(a\.md\)/) as string,
    })
    expect(filesIn(project)).toEqual(before)
  })

  it('[LIB-6] refuses a content that is not the one of the lock, for all skills', async () => {
    const project = await installed({ csv: {}, pdf: { 'a.md': 'a' } })
    rmSync(join(project, AGENTS), { recursive: true })
    const moved = originOf({ csv: {}, pdf: { 'a.md': 'other' } })
    for (const frozen of [true, false]) {
      await expect(planInstall({ project, frozen, relocate: () => Promise.resolve(moved) })).rejects.toMatchObject({
        code: 'LOCK_MISMATCH',
        message: expect.stringContaining('"pdf" has another content in example/skills') as string,
      })
    }
    const without = originOf({ csv: {} })
    await expect(planInstall({ project, relocate: () => Promise.resolve(without) })).rejects.toMatchObject({
      code: 'LOCK_MISMATCH',
      message: expect.stringContaining('"pdf" is not in example/skills any more') as string,
    })
    expect(Object.keys(filesIn(project))).toEqual(['skills-lock.json'])
  })

  it('[LIB-6] keeps what was edited, unless it is forced', async () => {
    const project = await installed({ pdf: { 'a.md': 'a' } })
    put(project, `${AGENTS}/pdf/a.md`, 'edited')
    const relocate: Relocate = () => Promise.resolve(originOf({ pdf: { 'a.md': 'a' } }))
    const plan = await planInstall({ project, relocate })
    expect(plan).toMatchObject({
      writes: false,
      skills: [{ action: 'keep', because: 'edited', found: { edited: ['a.md'] } }],
    })
    await applyPlan(await planInstall({ project, relocate, force: true }))
    expect(filesIn(project)[`${AGENTS}/pdf/a.md`]).toBe('a')
  })

  it('[LIB-9] pins what another command has added as it is, and fetches what it has not installed', async () => {
    const project = temporaryFolder()
    const origin = originOf({ gone: { 'g.md': 'g' }, here: {} })
    const { skills } = await origin.fetch()
    put(project, `${AGENTS}/here/SKILL.md`, new TextDecoder().decode(skills[1]!.files.get('SKILL.md')!.bytes))
    const { computedHash } = await pinSkill(skillFolder(join(project, AGENTS, 'here')))
    await changeSkillsLock(project, (map) => {
      map.set('gone', { source: 'example/skills', sourceType: 'github' })
      map.set('here', { source: 'example/skills', sourceType: 'github', computedHash })
    })
    const plan = await planInstall({ project, relocate: () => Promise.resolve(origin) })
    expect(plan.skills.map(({ name, action, found }) => [name, action, found.state])).toEqual([
      ['gone', 'add', 'missing'],
      ['here', 'pin', 'unpinned'],
    ])
    expect(plan.brings).toBe(true)
    expect(await applyPlan(plan)).toMatchObject({ written: ['gone'], pinned: ['here'] })
    expect(await statesOf(project)).toEqual({ gone: 'unchanged', here: 'unchanged' })
  })
})

describe('update', () => {
  const newer = (skills: Skills) => originOf(skills, { revision: 'b'.repeat(40) })

  it('[LIB-6, LIB-12] writes what is newer, keeps what was edited with its files named, and what its origin has no more', async () => {
    const project = await installed({ edited: { 'a.md': 'a' }, gone: {}, pdf: { 'a.md': 'a' } })
    put(project, `${AGENTS}/edited/a.md`, 'mine')
    const relocate: Relocate = () => Promise.resolve(newer({ edited: { 'a.md': 'b' }, more: {}, pdf: { 'a.md': 'b' } }))
    const plan = await planUpdate({ project, relocate })
    expect(plan.skills.map(({ name, action, because }) => [name, action, because])).toEqual([
      ['edited', 'keep', 'edited'],
      ['gone', 'keep', 'gone'],
      ['pdf', 'replace', undefined],
    ])
    expect(plan.skills[0]!.found.edited).toEqual(['a.md'])
    expect(plan.skills[2]!.changed).toEqual(['a.md'])
    await applyPlan(plan)
    const files = filesIn(project)
    expect([files[`${AGENTS}/edited/a.md`], files[`${AGENTS}/pdf/a.md`]]).toEqual(['mine', 'b'])
    expect((await readSkillsLock(project)).skills.get('pdf')!.repertoire!.revision).toBe('b'.repeat(40))
    expect(await statesOf(project)).toEqual({ edited: 'changed', gone: 'unchanged', pdf: 'unchanged' })

    await applyPlan(await planUpdate({ project, relocate, skills: ['edited'], force: true }))
    expect(filesIn(project)[`${AGENTS}/edited/a.md`]).toBe('b')
    await expect(planUpdate({ project, relocate, skills: ['pdff'] })).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
      nearest: ['pdf'],
    })
  })

  it('[LIB-6] fetches nothing where the origin has not moved', async () => {
    const project = await installed({ pdf: {} })
    const origin = originOf({ pdf: {} })
    expect(await planUpdate({ project, relocate: () => Promise.resolve(origin) })).toMatchObject({ writes: false })
    expect(origin.fetched).toEqual([])
  })

  it('[ABUSE-70] makes the consent of before void: the new content is asked about', async () => {
    const project = await installed({ pdf: { 'scripts/run.sh': 'true\n' } })
    const folder = join(project, AGENTS)
    mkdirSync(folder, { recursive: true })
    const repertoire = await openRepertoire({ sources: [directorySource({ root: folder, layer: 'project' })] })
    try {
      const asked: string[] = []
      const session = repertoire.openSession({
        consent: (request) => {
          asked.push(request.digest ?? '')
          return true
        },
      })
      const activate = async (id: string) => {
        const call = { id, tool: 'activate_skill', input: { name: 'pdf' } }
        expect(await session.call(call, () => undefined)).toMatchObject({ ok: true })
        const end = { id: `${id}-end`, tool: 'deactivate_skill', input: { name: 'pdf' } }
        expect(await session.call(end, () => undefined)).toMatchObject({ ok: true })
      }
      await activate('1')
      await activate('2')
      expect(asked).toHaveLength(1)
      const relocate: Relocate = () => Promise.resolve(newer({ pdf: { 'scripts/run.sh': 'false\n' } }))
      await applyPlan(await planUpdate({ project, relocate }))
      await repertoire.reload({ force: true })
      await activate('3')
      expect(asked).toHaveLength(2)
      expect(asked[1]).not.toBe(asked[0])
    } finally {
      await repertoire.close()
    }
  })
})

describe('remove', () => {
  it('[LIB-12] removes folder and entry, and refuses what nothing could bring back', async () => {
    const project = await installed({ csv: {}, pdf: { 'a.md': 'a' } })
    put(project, `${AGENTS}/pdf/a.md`, 'edited')
    put(project, `${AGENTS}/own/SKILL.md`, 'mine')
    await expect(planRemove({ project, skills: ['csv', 'own', 'pdf'] })).rejects.toMatchObject({
      code: 'STORE_CONFLICT',
      message: expect.stringMatching(/"own" is not in the lock\. "pdf" was edited here \(a\.md\)/) as string,
    })
    await expect(planRemove({ project, skills: ['psf'] })).rejects.toThrow('Did you mean "pdf"')
    await applyPlan(await planRemove({ project, skills: ['csv'] }))
    expect(await statesOf(project)).toEqual({ own: 'unlocked', pdf: 'changed' })
    await applyPlan(await planRemove({ project, skills: ['own', 'pdf'], force: true }))
    expect(JSON.parse(readFileSync(join(project, 'skills-lock.json'), 'utf8'))).toEqual({ version: 1, skills: {} })
  })
})

describe('names that no folder can have everywhere', () => {
  it('[LIB-9, LIB-12] are found under the folder that the skills command gives them, whichever name is said', async () => {
    const project = temporaryFolder()
    const text = '---\nname: Next.js Caching\ndescription: D.\n---\nText.\n'
    put(project, `${AGENTS}/next.js-caching/SKILL.md`, text)
    await changeSkillsLock(project, (skills) => {
      skills.set('Next.js Caching', { source: 'example/skills', sourceType: 'github' })
    })
    expect(await statesOf(project)).toEqual({ 'Next.js Caching': 'unpinned' })
    await applyPlan(await planInstall({ project, relocate: NO_NETWORK }))
    expect(await statesOf(project)).toEqual({ 'Next.js Caching': 'unchanged' })
    // As an origin gives it: under the name that a store can have.
    const newer = originOf({ 'next-js-caching': { 'SKILL.md': text, 'new.md': 'new' } })
    const relocate: Relocate = async () => {
      const { skills } = await newer.fetch()
      return { ...newer, fetch: async () => ({ origin: newer.resolved, skills, diagnostics: [] }) }
    }
    await applyPlan(await planUpdate({ project, relocate, skills: ['next.js-caching'] }))
    expect(filesIn(project)[`${AGENTS}/next.js-caching/new.md`]).toBe('new')
    expect(await planAdd({ project, origins: [newer] })).toMatchObject({ writes: false })
    expect(await statesOf(project)).toEqual({ 'Next.js Caching': 'unchanged' })
    await applyPlan(await planRemove({ project, skills: ['next-js-caching'] }))
    expect(filesIn(project)).toEqual({ 'skills-lock.json': '{\n  "version": 1,\n  "skills": {}\n}\n' })
  })
})
