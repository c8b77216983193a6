import { existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { changeSkillsLock, checkPlaces, planAdd, planInstall, planRemove, readSkillsLock } from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { carryOutOn } from '../../src/install/apply-plan.ts'
import { faulty, quick } from '../faulty.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { originOf } from './project.ts'

const LINK = '.claude/skills/pdf'
const COPY = '.cursor/skills/pdf'
const GONE = [undefined, undefined, undefined, undefined]
const also = { '.claude/skills': 'link', '.cursor/skills': 'copy' } as const

const OLD = originOf({ pdf: { 'a.md': 'old' } })
const NEW = originOf({ pdf: { 'a.md': 'new' } }, { revision: 'b'.repeat(40) })

/** Each call is a project: all of them in CI. */
const STRIDE = process.env['CI'] === undefined ? 5 : 1

async function prepared(): Promise<string> {
  const project = temporaryFolder()
  await carryOutOn(await planAdd({ project, origins: [OLD], also }), quick)
  return project
}

/** What a project has of the skill: by the lock, in its folder, and for the other clients. */
async function stateOf(project: string): Promise<readonly (string | undefined)[]> {
  const entry = (await readSkillsLock(project)).skills.get('pdf')
  const textAt = (path: string): string | undefined =>
    existsSync(join(project, path)) ? readFileSync(join(project, path, 'a.md'), 'utf8') : undefined
  return [entry?.repertoire?.revision?.slice(0, 1), ...['.agents/skills/pdf', LINK, COPY].map(textAt)]
}

async function withEmptyLock(): Promise<string> {
  const project = temporaryFolder()
  await changeSkillsLock(project, () => {})
  return project
}

describe.each([
  ['a first installation', undefined, GONE, ['a', 'old', 'old', 'old']],
  ['an update', NEW, ['a', 'old', 'old', 'old'], ['b', 'new', 'new', 'new']],
] as const)('links and copies behind %s that was killed', (_, origin, before, after) => {
  const start = origin === undefined ? withEmptyLock : prepared
  const plan = (project: string) => planAdd({ project, origins: [origin ?? OLD], also })

  it('[LIB-6, ABUSE-70] are named where they are not as the lock has them, and mended by the next installation', async () => {
    const counted = faulty(0, 'killed')
    await carryOutOn(await plan(await start()), counted.system)
    let mended = 0
    for (let at = counted.calls(); at > 0; at -= STRIDE) {
      const project = await start()
      // What is left undone behind the lock is nothing that anybody waits for.
      await carryOutOn(await plan(project), faulty(at, 'killed').system).catch(() => {})
      const next = await planInstall({ project, frozen: true })
      const named = await checkPlaces({ project })
      expect(next.places, `at call ${at}`).toEqual(named)
      expect((await carryOutOn(next, quick)).problems, `at call ${at}`).toEqual([])
      expect(await checkPlaces({ project }), `at call ${at}`).toEqual([])
      expect([before, after], `at call ${at}`).toContainEqual(await stateOf(project))
      if (named.length > 0) mended++
      for (const { reason } of named) expect(reason, `at call ${at}`).toContain('Run "install"')
    }
    expect(mended).toBeGreaterThan(0)
  })
})

it('[LIB-6, ABUSE-70] links and copies of a skill whose removal was killed are gone with it, or made again', async () => {
  const counted = faulty(0, 'killed')
  await carryOutOn(await planRemove({ project: await prepared(), skills: ['pdf'] }), counted.system)
  let mended = 0
  for (let at = 1; at <= counted.calls(); at += STRIDE) {
    const project = await prepared()
    const plan = await planRemove({ project, skills: ['pdf'] })
    await carryOutOn(plan, faulty(at, 'killed').system).catch(() => {})
    const next = await planInstall({ project })
    if (next.places.length > 0) mended++
    await carryOutOn(next, quick)
    expect([GONE, ['a', 'old', 'old', 'old']], `at call ${at}`).toContainEqual(await stateOf(project))
  }
  expect(mended).toBeGreaterThan(0)
})

it('[LIB-6] a removal that fails leaves links and copies as they were', async () => {
  const counted = faulty(0, 'EIO')
  await carryOutOn(await planRemove({ project: await prepared(), skills: ['pdf'] }), counted.system)
  for (let at = 1; at <= counted.calls(); at += STRIDE) {
    const project = await prepared()
    const plan = await planRemove({ project, skills: ['pdf'] })
    const failed = await carryOutOn(plan, faulty(at, 'EIO').system).then(
      () => false,
      () => true,
    )
    if (!failed) continue
    expect(await checkPlaces({ project }), `at call ${at}`).toEqual([])
    // One that fails behind the lock has happened.
    expect([GONE, ['a', 'old', 'old', 'old']], `at call ${at}`).toContainEqual(await stateOf(project))
  }
})

it('[LIB-6] a copy that was changed by hand stays, also behind an update, and is named', async () => {
  const project = await prepared()
  expect(readlinkSync(join(project, LINK))).toBe('../../.agents/skills/pdf')
  writeFileSync(join(project, COPY, 'a.md'), 'mine')
  const { problems } = await carryOutOn(await planAdd({ project, origins: [NEW] }), quick)
  expect(problems).toMatchObject([{ skill: 'pdf', folder: '.cursor/skills', kind: 'copy' }])
  expect((await carryOutOn(await planInstall({ project }), quick)).problems).toHaveLength(1)
  expect(await stateOf(project)).toEqual(['b', 'new', 'new', 'mine'])
})
