import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import {
  applyPlan,
  findLeftovers,
  locateProject,
  planAdd,
  planInstall,
  planRemove,
  planUpdate,
  recoverProject,
  verifySkills,
} from '@repertoire/library'
import { describe, expect, it } from 'vitest'
import { withFileLock } from '../../src/file-lock.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { originOf, put } from './project.ts'

const AGENTS = '.agents/skills'
const refused = { code: 'RESOURCE_REFUSED', message: expect.stringContaining('is a link') as string }

async function installed(skills: Record<string, Record<string, string>> = { pdf: {} }): Promise<string> {
  const project = temporaryFolder()
  await applyPlan(await planAdd({ project, origins: [originOf(skills)] }))
  return project
}

/** Every path below a folder, links included and not followed. */
function pathsIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()
}

/** Moves a folder, and puts a link in its place. */
function linkAway(path: string, target: string): void {
  mkdirSync(target, { recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}

/** Every function that works on the project in a folder. */
const FUNCTIONS: Readonly<Record<string, (project: string) => Promise<unknown>>> = {
  locateProject: (project) => locateProject({ project }),
  findLeftovers: (project) => findLeftovers({ project }),
  recoverProject: (project) => recoverProject({ project }),
  verifySkills: (project) => verifySkills({ project }),
  planAdd: (project) => planAdd({ project, origins: [originOf({ pdf: {} })] }),
  planInstall: (project) => planInstall({ project }),
  planUpdate: (project) => planUpdate({ project }),
  planRemove: (project) => planRemove({ project, skills: ['pdf'] }),
}

describe('a project that is not there', () => {
  it.each(Object.entries(FUNCTIONS))('[LIB-12] is refused by %s, and so is a file', async (_, work) => {
    const folder = temporaryFolder()
    put(folder, 'file', '')
    for (const path of ['none', 'none/deeper', 'file', 'file/deeper']) {
      const project = join(folder, path)
      const code = path === 'file' ? 'RESOURCE_REFUSED' : 'RESOURCE_NOT_FOUND'
      const message = expect.stringMatching(/no folder/) as string
      await expect(work(project)).rejects.toMatchObject({ code, path: project, message })
    }
    expect(pathsIn(folder)).toEqual(['file'])
  })

  it.each(Object.entries(FUNCTIONS))(
    '[LIB-12] %s refuses a file in the place of a folder on the way',
    async (_, work) => {
      for (const path of ['.agents', AGENTS]) {
        const project = temporaryFolder()
        put(project, path, 'mine')
        const before = pathsIn(project)
        const message = expect.stringContaining(`${path} is not a folder`) as string
        await expect(work(project)).rejects.toMatchObject({ code: 'RESOURCE_REFUSED', message })
        expect(pathsIn(project)).toEqual(before)
      }
    },
  )

  it("[LIB-12] a file in the place of a client's folder gets no links, and is named", async () => {
    const project = await installed()
    put(project, '.claude', 'mine')
    const plan = planAdd({ project, origins: [originOf({ csv: {} })], also: ['.claude/skills'] })
    await expect(plan).rejects.toMatchObject({
      code: 'RESOURCE_REFUSED',
      message: expect.stringContaining('.claude is not a folder') as string,
    })
    rmSync(join(project, '.claude'))
    const added = await planAdd({ project, origins: [originOf({ csv: {} })], also: ['.claude/skills'] })
    put(project, '.claude', 'mine')
    const problem = { skill: 'csv', reason: expect.stringContaining('.claude is not a folder') as string }
    expect((await applyPlan(added)).problems).toMatchObject([problem])
    expect((await verifySkills({ project })).places).toMatchObject([problem])
    expect((await applyPlan(await planRemove({ project, skills: ['csv'] }))).problems).toMatchObject([problem])
  })
})

describe('folders that are links', () => {
  it.each([
    ['.agents', 'out of the project'],
    ['.agents', 'into the project'],
    [AGENTS, 'out of the project'],
    [AGENTS, 'into the project'],
  ])('[LIB-14, ABUSE-125] %s as a link %s is refused before anything is made', async (path, where) => {
    const parent = temporaryFolder()
    const project = join(parent, 'project')
    const target = join(where === 'into the project' ? project : parent, 'elsewhere')
    mkdirSync(project)
    linkAway(join(project, path), target)
    const before = pathsIn(parent)
    const origins = [originOf({ pdf: {} })]
    await expect(planAdd({ project, origins })).rejects.toMatchObject(refused)
    await expect(locateProject({ project })).rejects.toMatchObject(refused)
    for (const frozen of [true, false]) await expect(planInstall({ project, frozen })).rejects.toMatchObject(refused)
    await expect(planUpdate({ project })).rejects.toMatchObject(refused)
    await expect(planRemove({ project, skills: ['pdf'], force: true })).rejects.toMatchObject(refused)
    await expect(findLeftovers({ project })).rejects.toMatchObject(refused)
    expect(pathsIn(parent)).toEqual(before)
    // The plan was made before the link was.
    rmSync(join(project, path))
    const plan = await planAdd({ project, origins })
    symlinkSync(target, join(project, path))
    await expect(applyPlan(plan)).rejects.toMatchObject(refused)
    expect(pathsIn(parent)).toEqual(before)
  })

  it('[LIB-14, ABUSE-125] skills behind a link are not as the lock has them', async () => {
    const project = await installed()
    renameSync(join(project, AGENTS, 'pdf'), join(project, 'pdf'))
    symlinkSync('../../pdf', join(project, AGENTS, 'pdf'))
    const unreadable = { name: 'pdf', state: 'unreadable', reason: expect.stringContaining('is a link') as string }
    expect(await verifySkills({ project })).toMatchObject({ ok: false, skills: [unreadable] })
    await expect(planInstall({ project, frozen: true })).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    rmSync(join(project, AGENTS, 'pdf'))
    renameSync(join(project, 'pdf'), join(project, AGENTS, 'pdf'))
    renameSync(join(project, AGENTS), join(project, 'skills'))
    symlinkSync('../skills', join(project, AGENTS))
    await expect(verifySkills({ project })).rejects.toMatchObject(refused)
  })

  it.each(['.claude', '.claude/skills'])(
    '[LIB-14, ABUSE-125] %s as a link gets no links, and what was asked for is refused',
    async (path) => {
      const parent = temporaryFolder()
      const project = join(parent, 'project')
      mkdirSync(project)
      const also = ['.claude/skills']
      await applyPlan(await planAdd({ project, origins: [originOf({ pdf: {} })], also }))
      rmSync(join(project, '.claude'), { recursive: true })
      linkAway(join(project, path), join(parent, 'elsewhere'))
      const before = pathsIn(parent)
      const origins = [originOf({ csv: {} })]
      await expect(planAdd({ project, origins, also })).rejects.toMatchObject(refused)
      const problem = { skill: 'pdf', reason: expect.stringContaining(`${path} is a link`) as string }
      expect((await verifySkills({ project })).places).toMatchObject([problem])
      expect((await applyPlan(await planInstall({ project }))).problems).toMatchObject([problem])
      expect(pathsIn(parent)).toEqual(before)
      const { problems } = await applyPlan(await planRemove({ project, skills: ['pdf'] }))
      expect(problems).toMatchObject([problem])
    },
  )

  it('[LIB-14] the links that an installation makes for other clients stay as they are', async () => {
    const project = temporaryFolder()
    const also = ['.claude/skills']
    await applyPlan(await planAdd({ project, origins: [originOf({ pdf: {} })], also }))
    expect(readlinkSync(join(project, '.claude/skills/pdf'))).toBe('../../.agents/skills/pdf')
    await expect(planInstall({ project, frozen: true })).resolves.toMatchObject({ writes: false })
    expect((await verifySkills({ project })).places).toEqual([])
  })
})

describe('folders that are not in the lock', () => {
  it.each([
    ['a skill', 'other/SKILL.md'],
    ['a folder without SKILL.md', 'other/notes.md'],
    ['a hidden folder', '.hidden/SKILL.md'],
    ['a folder of folders', 'group/nested/SKILL.md'],
    ['a SKILL.md beside the folders', 'SKILL.md'],
    ['node_modules', 'node_modules/x/SKILL.md'],
  ])('[LIB-14] %s fails a frozen installation, and verification names it', async (_, path) => {
    const project = await installed()
    put(project, `${AGENTS}/${path}`, '---\nname: other\ndescription: d\n---\n')
    const name = path.split('/')[0]!
    await expect(planInstall({ project, frozen: true })).rejects.toMatchObject({
      code: 'LOCK_MISMATCH',
      message: expect.stringContaining(`"${name}" is in `) as string,
    })
    const { skills } = await verifySkills({ project })
    expect(skills.filter(({ state }) => state !== 'unchanged')).toMatchObject([{ name, state: 'unlocked' }])
    await expect(planInstall({ project })).resolves.toMatchObject({ writes: false })
  })

  it('[LIB-14] an empty lock beside skills fails a frozen installation; files that no client loads do not', async () => {
    const project = await installed()
    put(project, `${AGENTS}/README.md`, 'About these skills.')
    await expect(planInstall({ project, frozen: true })).resolves.toMatchObject({ writes: false })
    put(project, 'skills-lock.json', '{ "version": 1, "skills": {} }')
    await expect(planInstall({ project, frozen: true })).rejects.toMatchObject({
      code: 'LOCK_MISMATCH',
      message: expect.stringContaining('"pdf" is in ') as string,
    })
  })
})

describe('a project without a lock', () => {
  it('[LIB-6] is an error that names the path, and the nearest project above', async () => {
    const project = await installed()
    const below = join(project, 'packages/app')
    mkdirSync(below, { recursive: true })
    const missing = (message: string) => ({ code: 'LOCK_MISSING', message: expect.stringContaining(message) as string })
    for (const [folder, hint] of [
      [below, `There is one in ${project}`],
      [temporaryFolder(), 'Check the folder'],
    ] as const) {
      for (const frozen of [true, false]) {
        await expect(planInstall({ project: folder, frozen })).rejects.toMatchObject(missing(hint))
      }
      await expect(planUpdate({ project: folder })).rejects.toMatchObject(missing(hint))
      await expect(planRemove({ project: folder, skills: ['pdf'] })).rejects.toMatchObject(missing(hint))
      await expect(planInstall({ project: folder })).rejects.toMatchObject(missing(join(folder, 'skills-lock.json')))
    }
  })

  it('[LIB-6] an empty lock is one', async () => {
    const project = temporaryFolder()
    put(project, 'skills-lock.json', '{ "version": 1, "skills": {} }')
    await expect(planInstall({ project, frozen: true })).resolves.toMatchObject({ skills: [], writes: false })
  })
})

describe('the lock between writers', () => {
  it('[LIB-7, LIB-14] the file of a killed writer is in nobody’s way, and removed by the next write', async () => {
    const project = await installed()
    const path = join(project, '.skills-lock.json.lock')
    writeFileSync(path, '')
    await planInstall({ project, frozen: true })
    await withFileLock(path, { timeout: 0 }, async () => {
      await planInstall({ project })
      expect(lstatSync(path).size).toBe(0)
    })
    await applyPlan(await planRemove({ project, skills: ['pdf'] }))
    expect(existsSync(path)).toBe(false)
  })

  it('[LIB-14] one that came with the project is refused where it is no lock', async () => {
    const project = await installed()
    writeFileSync(join(project, '.skills-lock.json.lock'), 'content')
    const plan = await planRemove({ project, skills: ['pdf'] })
    await expect(applyPlan(plan)).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
  })
})
