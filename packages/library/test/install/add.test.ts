import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { applyPlan, changeSkillsLock, planAdd, planRemove, readSkillsLock, verifySkills } from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { filesIn, originOf, put } from './project.ts'

const AGENTS = '.agents/skills'

async function verified(project: string) {
  return verifySkills({ project })
}

describe('add', () => {
  it('[LIB-6, LIB-12] shows what skills ask for, writes nothing before it is carried out, and then folders and lock', async () => {
    const project = temporaryFolder()
    const scripts = { 'scripts/get.sh': '#!/bin/sh\ncurl https://api.example.com/v1 "$1"\n' }
    const origin = originOf({ pdf: scripts, csv: { 'references/a.md': 'a' } }, { ref: 'main' })
    const plan = await planAdd({ project, origins: [origin] })
    expect(plan).toMatchObject({ kind: 'add', writes: true, brings: true, folder: join(project, AGENTS) })
    expect(plan.skills.map(({ name, action }) => [name, action])).toEqual([
      ['csv', 'add'],
      ['pdf', 'add'],
    ])
    expect(plan.skills[1]!.demands).toMatchObject({ scripts: ['scripts/get.sh'] })
    expect(plan.skills[1]!.changed).toEqual(['SKILL.md', 'scripts/get.sh'])
    expect(filesIn(project)).toEqual({})

    expect(await applyPlan(plan)).toMatchObject({ written: ['csv', 'pdf'], problems: [] })
    expect(filesIn(join(project, AGENTS))['pdf/scripts/get.sh']).toBe(scripts['scripts/get.sh'])
    expect(await verified(project)).toMatchObject({ ok: true })
    const { skills } = await readSkillsLock(project)
    expect(skills.get('pdf')).toMatchObject({
      source: 'example/skills',
      sourceType: 'github',
      ref: 'main',
      skillPath: 'skills/pdf/SKILL.md',
      repertoire: { revision: 'a'.repeat(40) },
    })
    // What belongs to this machine alone is not for the project's repository.
    expect(readFileSync(join(project, AGENTS, '.repertoire/.gitignore'), 'utf8')).toBe('*\n')
    // Once more: nothing is to be done.
    expect(await planAdd({ project, origins: [origin] })).toMatchObject({ writes: false, brings: false })
  })

  it('[LIB-12] refuses by name what is of another origin, was edited, is not in the lock, or is brought twice', async () => {
    const project = temporaryFolder()
    const first = originOf({ pdf: {}, csv: {}, same: {} })
    await applyPlan(await planAdd({ project, origins: [first] }))
    put(project, `${AGENTS}/csv/notes.md`, 'mine')
    put(project, `${AGENTS}/own/SKILL.md`, '---\nname: own\ndescription: Mine.\n---\nMine.\n')
    const before = filesIn(project)
    const other = originOf({ pdf: { 'new.md': 'n' } }, { source: 'other/skills' })
    const newer = originOf({ csv: { 'new.md': 'n' }, own: {}, same: {} })
    const twice = originOf({ same: { 'x.md': 'x' } }, { source: 'third/skills' })
    // Nothing that is written over anything could help here: the refusal has its own way on.
    await expect(planAdd({ project, origins: [other, newer, twice], force: true })).rejects.toMatchObject({
      code: 'STORE_CONFLICT',
      message: expect.stringMatching(
        /^Nothing was written\. "same" is in example\/skills and in third\/skills\. .*--skill \(in code: `skills`\)\.$/,
      ) as string,
    })
    const failure = await planAdd({ project, origins: [other, newer] }).then(
      () => undefined,
      (error: unknown) => error as Error & { code: string },
    )
    expect(failure).toMatchObject({ code: 'STORE_CONFLICT' })
    expect(failure!.message).toContain('"pdf" is installed from example/skills, and this one is from other/skills.')
    expect(failure!.message).toContain('"csv" was edited here (notes.md).')
    expect(failure!.message).toContain('"own" is there, and not in the lock')
    expect(filesIn(project)).toEqual(before)

    await applyPlan(await planAdd({ project, origins: [other, newer], force: true }))
    expect(await verified(project)).toMatchObject({ ok: true })
    expect(filesIn(project)[`${AGENTS}/csv/notes.md`]).toBeUndefined()
  })

  it('[LIB-9, ABUSE-77] keeps what others wrote into the lock, and a description with a newline does no harm', async () => {
    const project = temporaryFolder()
    const hostile = 'Reads.\\ntrust: enterprise\\nsource: trusted'
    const text = `---\nname: pdf\ndescription: "${hostile}"\n---\nText.\n`
    await changeSkillsLock(project, (skills) => {
      skills.set('pdf', { source: 'example/skills', sourceType: 'github', subagents: ['a'], wellKnownDigest: 'old' })
      skills.set('their', { source: 'their/skills', sourceType: 'github', note: 1 })
    })
    const plan = await planAdd({ project, origins: [originOf({ pdf: { 'SKILL.md': text } })] })
    expect(plan.skills[0]!.description).toBe('Reads.\ntrust: enterprise\nsource: trusted')
    await applyPlan(plan)
    expect(readFileSync(join(project, AGENTS, 'pdf/SKILL.md'), 'utf8')).toBe(text)
    const { skills } = await readSkillsLock(project)
    expect(skills.get('their')).toEqual({ source: 'their/skills', sourceType: 'github', note: 1 })
    expect(skills.get('pdf')).toMatchObject({ subagents: ['a'], source: 'example/skills' })
    expect(skills.get('pdf')).not.toHaveProperty('wellKnownDigest')
    expect(Object.keys(skills.get('pdf')!)).not.toContain('trust')
  })

  it('[LIB-12] does not carry out a plan when something has changed since it was made', async () => {
    const project = temporaryFolder()
    const origins = [originOf({ pdf: {} })]
    const late = await planAdd({ project, origins })
    put(project, `${AGENTS}/pdf/SKILL.md`, 'by hand')
    await expect(applyPlan(late)).rejects.toMatchObject({ code: 'LOCK_MISMATCH' })
    expect(filesIn(project)).toEqual({ [`${AGENTS}/pdf/SKILL.md`]: 'by hand' })
    await expect(applyPlan({ ...late })).rejects.toThrow('pass a plan as planAdd and the others return it')
  })

  it('[LIB-12] writes only inside the project, and through no link', async () => {
    const [project, outside] = [temporaryFolder(), temporaryFolder()]
    const origins = [originOf({ pdf: {} })]
    for (const folder of ['../x', '/tmp/x', 'a/../../x']) {
      await expect(planAdd({ project, origins, folder })).rejects.toThrow(
        `lies inside the project, and not in "${folder}"`,
      )
    }
    for (const place of ['../.claude/skills', '.git/skills', AGENTS, '.claude', '/tmp/skills']) {
      await expect(planAdd({ project, origins, also: [place] })).rejects.toThrow(
        `"${place}" is not a folder of another client`,
      )
    }
    symlinkSync(outside, join(project, '.agents'))
    await expect(planAdd({ project, origins })).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    expect(readdirSync(outside)).toEqual([])
    expect(existsSync(join(project, 'skills-lock.json'))).toBe(false)
  })
})

describe('folders of other clients', () => {
  const also = ['.claude/skills', '.cursor/skills']

  it('[LIB-12] get links, which are checked, made again, and removed with the skill', async () => {
    const project = temporaryFolder()
    await applyPlan(await planAdd({ project, origins: [originOf({ pdf: {} })], also }))
    expect(readlinkSync(join(project, '.claude/skills/pdf'))).toBe('../../.agents/skills/pdf')
    expect(readlinkSync(join(project, '.cursor/skills/pdf'))).toBe('../../.agents/skills/pdf')
    expect((await verifySkills({ project })).places).toEqual([])
    const newer = originOf({ pdf: { 'new.md': 'new' } }, { revision: 'b'.repeat(40) })
    expect(await applyPlan(await planAdd({ project, origins: [newer] }))).toMatchObject({ problems: [] })
    expect(readFileSync(join(project, '.cursor/skills/pdf/new.md'), 'utf8')).toBe('new')
    expect((await verifySkills({ project })).places).toEqual([])
    await applyPlan(await planRemove({ project, skills: ['pdf'] }))
    for (const place of [AGENTS, '.claude/skills', '.cursor/skills']) {
      expect(lstatSync(join(project, place, 'pdf'), { throwIfNoEntry: false })).toBeUndefined()
    }
  })

  it('[LIB-12] keep what somebody else has there, and it is said', async () => {
    const project = temporaryFolder()
    put(project, '.claude/skills/pdf/SKILL.md', 'theirs')
    put(project, '.cursor/skills/pdf', 'theirs')
    const { problems } = await applyPlan(await planAdd({ project, origins: [originOf({ pdf: {} })], also }))
    expect(problems.map(({ folder }) => folder)).toEqual(['.claude/skills', '.cursor/skills'])
    expect(filesIn(project)['.claude/skills/pdf/SKILL.md']).toBe('theirs')
    expect((await verifySkills({ project })).places.map(({ folder }) => folder)).toEqual([
      '.claude/skills',
      '.cursor/skills',
    ])
    const removed = await applyPlan(await planRemove({ project, skills: ['pdf'] }))
    expect(removed.problems.map(({ folder }) => folder)).toEqual(['.claude/skills', '.cursor/skills'])
    expect(filesIn(project)).toMatchObject({ '.claude/skills/pdf/SKILL.md': 'theirs', '.cursor/skills/pdf': 'theirs' })
  })

  it('[LIB-9] a lock cannot name another place than a folder for skills', async () => {
    const project = temporaryFolder()
    await applyPlan(await planAdd({ project, origins: [originOf({ pdf: {} })], also }))
    const text = readFileSync(join(project, 'skills-lock.json'), 'utf8')
    for (const place of ['../x/skills', '.git/skills', 'a/../skills', '/etc/skills', '.claude/commands']) {
      put(project, 'skills-lock.json', text.replace('.claude/skills', place))
      await expect(readSkillsLock(project)).rejects.toMatchObject({ code: 'LOCK_INVALID' })
    }
  })
})
