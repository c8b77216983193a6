import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { openFileStore, planAdd, planRemove, readSkillsLock, verifySkills } from '@repertoire/library'
import type { InstallPlan } from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { carryOutOn } from '../../src/install/apply-plan.ts'
import { openStoreOn } from '../../src/store/file-store.ts'
import { FAULTS, faulty, quick } from '../faulty.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { filesIn, originOf, put } from './project.ts'

const AGENTS = '.agents/skills'
const OLD = { keep: {}, pdf: { 'a.md': 'old' } }
const NEW = { csv: { 'new.md': 'new' }, pdf: { 'b.md': 'new' } }

/** Each call is a project that is made, changed and put right: all of them in CI, otherwise each with one of the faults. */
const [FIRST, STRIDE] = [1, process.env['CI'] === undefined ? FAULTS.length : 1]

/** A project with two skills, one of which is replaced and one is added. */
async function prepared(): Promise<string> {
  const project = temporaryFolder()
  await carryOutOn(await planAdd({ project, origins: [originOf(OLD)] }), quick)
  return project
}

const PLANS: Readonly<Record<string, (project: string) => Promise<InstallPlan>>> = {
  'the addition of one skill and the update of another': (project) =>
    planAdd({ project, origins: [originOf(NEW, { revision: 'b'.repeat(40) })] }),
  'the removal of two skills': (project) => planRemove({ project, skills: ['keep', 'pdf'] }),
}

function leftIn(project: string): readonly string[] {
  const names = [...readdirSync(project), ...readdirSync(join(project, AGENTS, '.repertoire'))]
  return names.filter((name) => /^(?:staged|former)-|staged-/.test(name))
}

describe.each(Object.entries(PLANS))('%s', (_, plan) => {
  it.each(FAULTS)(
    '[LIB-6, ABUSE-70, ABUSE-74] leaves folders and lock as before or as after, together, where every call in turn is %s',
    async (fault) => {
      const whole = await prepared()
      const old = filesIn(whole)
      const counted = faulty(0, fault)
      await carryOutOn(await plan(whole), counted.system)
      const fresh = filesIn(whole)
      expect(fresh).not.toEqual(old)
      const seen = { old: 0, new: 0 }
      for (let at = FIRST + (STRIDE > 1 ? FAULTS.indexOf(fault) : 0); at <= counted.calls(); at += STRIDE) {
        const project = await prepared()
        const failure = await carryOutOn(await plan(project), faulty(at, fault).system).then(
          () => undefined,
          (error: unknown) => error,
        )
        // Whoever opens the folder next puts it right.
        await openStoreOn({ root: join(project, AGENTS), layer: 'project' }, quick)
        const state = filesIn(project)
        const isNew = JSON.stringify(state) === JSON.stringify(fresh)
        const own = Object.fromEntries(Object.entries(state).filter(([path]) => !path.startsWith('.skills-lock')))
        if (!isNew) expect(own, `at call ${at}`).toEqual(old)
        if (failure === undefined) expect(isNew, `at call ${at}`).toBe(true)
        seen[isNew ? 'new' : 'old']++
        expect(await verifySkills({ project }), `at call ${at}`).toMatchObject({ ok: true })
        // And the next one works, and sweeps what is left of the lock.
        if (!isNew) await carryOutOn(await plan(project), quick)
        expect(filesIn(project), `at call ${at}`).toEqual(fresh)
        expect(leftIn(project), `at call ${at}`).toEqual([])
      }
      expect(seen.old).toBeGreaterThan(0)
      expect(seen.new).toBeGreaterThan(0)
    },
  )
})

it('[LIB-6, ABUSE-70] a reader beside an installation that was killed sees each skill whole, and recovery keeps what others wrote', async () => {
  const counted = faulty(0, 'killed')
  const first = await prepared()
  const reader = await openFileStore({ root: join(first, AGENTS), layer: 'project' })
  await carryOutOn(await PLANS['the addition of one skill and the update of another']!(first), counted.system)
  let between = 0
  for (let at = FIRST + 1; at <= counted.calls(); at += Math.min(STRIDE, 2)) {
    const project = await prepared()
    const plan = await PLANS['the addition of one skill and the update of another']!(project)
    const open = await openStoreOn({ root: join(project, AGENTS), layer: 'project' }, quick)
    await carryOutOn(plan, faulty(at, 'killed').system).catch(() => {})
    if (!readdirSync(join(project, AGENTS)).includes('pdf')) between++
    const { folder } = await open.get('pdf')
    const paths = (await folder.list()).files.map(({ path }) => path)
    expect([
      ['SKILL.md', 'a.md'],
      ['SKILL.md', 'b.md'],
    ]).toContainEqual(paths)
    if (at % 8 !== 2) continue
    // Another command writes an entry of its own before anybody recovers.
    const lock = JSON.parse(filesIn(project)['skills-lock.json']!) as { skills: Record<string, unknown> }
    lock.skills['their'] = { source: 'x/y', sourceType: 'github' }
    put(project, 'skills-lock.json', `${JSON.stringify(lock, null, 2)}\n`)
    await openStoreOn({ root: join(project, AGENTS), layer: 'project' }, quick)
    const after = await readSkillsLock(project)
    expect(after.skills.has('their')).toBe(true)
    const { skills } = await verifySkills({ project })
    expect(skills.filter(({ name, state }) => name !== 'their' && state !== 'unchanged')).toEqual([])
  }
  expect(between).toBeGreaterThan(0)
  expect((await reader.listActive()).map(({ name }) => name)).toEqual(['csv', 'keep', 'pdf'])
})
