import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { isSkillError } from '@repertoire/core'
import {
  applyPlan,
  changeSkillsLock,
  planAdd,
  planInstall,
  planRemove,
  planUpdate,
  verifySkills,
} from '@repertoire/library'
import type { InstallPlan, Origin } from '@repertoire/library'
import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { filesIn, originOf } from './project.ts'

const SKILLS = '.agents/skills'
const NAMES = ['a', 'b', 'c'] as const
const ACTIONS = [
  'publish',
  'edit',
  'edit',
  'delete a file',
  'delete the folder',
  'unpin',
  'unlock',
  'add',
  'add all',
  'install',
  'install',
  'update',
  'remove',
] as const

/** What an origin has at a version: files change, come and go, and so does a skill. */
function publishedAt(version: number): Origin {
  const a: Readonly<Record<string, string>> = { 'x.md': `v${version}`, ...(version % 3 === 1 && { 'y.md': 'y' }) }
  const skills: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    a,
    b: { 'x.md': `b${version >> 1}` },
    ...(version % 4 === 3 ? {} : { c: {} }),
  }
  return originOf(skills, { revision: String(version).padStart(40, '0') })
}

/** A project in which a person and programs work in turn. */
class World {
  readonly project = temporaryFolder()
  /** What the person has written, by path. */
  readonly mine = new Map<string, string>()
  #version = 0
  #tokens = 0

  async act(action: (typeof ACTIONS)[number], name: string, choice: number): Promise<void> {
    const { project } = this
    const folder = join(project, SKILLS, name)
    const relocate = (_entry: unknown, revision?: string): Promise<Origin> =>
      Promise.resolve(publishedAt(revision === undefined ? this.#version : Number(revision)))
    const newest = publishedAt(this.#version)
    switch (action) {
      case 'publish':
        return void this.#version++
      case 'edit':
        return this.#edit(name, ['x.md', 'own.md', 'SKILL.md'][choice % 3]!)
      case 'delete a file':
        if (existsSync(folder)) this.#delete(name, readdirSync(folder)[choice % 4])
        return
      case 'delete the folder':
        return this.#delete(name, '')
      case 'unpin':
      case 'unlock':
        await changeSkillsLock(project, (skills) => {
          const { repertoire: _, ...entry } = skills.get(name) ?? {}
          if (action === 'unpin' && skills.has(name)) skills.set(name, entry as never)
          else skills.delete(name)
        })
        return
      case 'add':
        return this.#applyPlan(() => planAdd({ project, origins: [newest], skills: [name] }))
      case 'add all':
        return this.#applyPlan(() => planAdd({ project, origins: [newest], also: ['.claude/skills'] }))
      case 'install':
        return this.#applyPlan(() => planInstall({ project, relocate }))
      case 'update':
        return this.#applyPlan(() => planUpdate({ project, relocate }))
      case 'remove':
        return this.#applyPlan(() => planRemove({ project, skills: [name] }))
    }
  }

  #edit(name: string, file: string): void {
    const path = `${SKILLS}/${name}/${file}`
    if (!existsSync(join(this.project, SKILLS, name))) return
    const text = `mine ${this.#tokens++}\n`
    this.mine.set(path, file === 'SKILL.md' ? `---\nname: ${name}\ndescription: d\n---\n${text}` : text)
    writeFileSync(join(this.project, path), this.mine.get(path)!)
  }

  #delete(name: string, file: string | undefined): void {
    if (file === undefined) return
    rmSync(join(this.project, SKILLS, name, file), { recursive: true, force: true })
    const gone = `${SKILLS}/${name}/${file}`
    for (const path of this.mine.keys()) if (path.startsWith(gone)) this.mine.delete(path)
  }

  /** Nothing by force: either all of it is as the lock has it afterwards, or nothing was touched. */
  async #applyPlan(plan: () => Promise<InstallPlan>): Promise<void> {
    const { project } = this
    const before = filesIn(project)
    try {
      const { written, pinned } = await applyPlan(await plan())
      const { skills } = await verifySkills({ project })
      for (const name of [...written, ...pinned]) {
        expect(skills.find((skill) => skill.name === name)).toMatchObject({ state: 'unchanged' })
      }
    } catch (error) {
      if (!isSkillError(error)) throw error
      expect(filesIn(project)).toEqual(before)
    }
    expect(filesIn(project)).toMatchObject(Object.fromEntries(this.mine))
  }
}

it('[LIB-5, LIB-6] nothing that a person has written is lost, and what was written is as the lock has it, in whatever order', async () => {
  // The examples are the same in every run. `PROPERTY_SEED=random` looks for new ones.
  const numRuns = process.env['CI'] === undefined ? 20 : 100
  const step = tuple(constantFrom(...ACTIONS), constantFrom(...NAMES), nat(11))
  await assert(
    asyncProperty(array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const world = new World()
      await world.act('add all', 'a', 0)
      for (const [action, name, choice] of steps) await world.act(action, name, choice)
    }),
    { numRuns },
  )
}, 180_000)
