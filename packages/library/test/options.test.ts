/* oxlint-disable typescript/unbound-method -- methods that work without their object are what is tested */
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as library from '../src/index.ts'
import * as mcp from '../src/mcp.ts'
import * as testing from '../src/testing.ts'

const { resolveOrigin } = library
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'library-options-'))
})
afterEach(() => rm(folder, { recursive: true }))

const content = {
  manifest: { name: 'pdf', description: 'Reads PDF files.' },
  definition: { type: 'instruction', content: 'Read it.\n' },
} as const

type Options = Readonly<Record<string, unknown>>
type Call = (more: Options) => unknown

/** A call of every function that has options, with options that are valid apart from `more`. */
const calls: Readonly<Record<string, Call>> = {
  openFileStore: (more) => library.openFileStore({ root: join(folder, 'new'), layer: 'project', ...more }),
  compositeSkill: (more) => library.compositeSkill({ name: 'pdf', description: 'Reads.', executions: [], ...more }),
  instructionSkill: (more) => library.instructionSkill({ name: 'pdf', description: 'Reads.', content: '', ...more }),
  scriptSkill: (more) => library.scriptSkill({ name: 'pdf', description: 'Reads.', script: '', ...more }),
  createSkillRegistry: async (more) =>
    library.createSkillRegistry({ store: await library.openFileStore({ root: join(folder, 'new') }), ...more }),
  changeSkillsLock: (more) => library.changeSkillsLock(folder, () => {}, more),
  verifySkills: (more) => library.verifySkills({ project: folder, ...more }),
  resolveOrigin: (more) => library.resolveOrigin('./skills', { cwd: folder, ...more }),
  planAdd: (more) => library.planAdd({ project: folder, origins: [], ...more }),
  planInstall: (more) => library.planInstall({ project: folder, ...more }),
  planRemove: (more) => library.planRemove({ project: folder, skills: [], ...more }),
  planUpdate: (more) => library.planUpdate({ project: folder, ...more }),
  findLeftovers: (more) => library.findLeftovers({ project: folder, ...more }),
  recoverProject: (more) => library.recoverProject({ project: folder, ...more }),
  locateProject: (more) => library.locateProject({ project: folder, ...more }),
  exportHarnessSkills: (more) => library.exportHarnessSkills({ project: folder, repertoire: {} as never, ...more }),
  exportPlugin: (more) =>
    library.exportPlugin({ project: folder, repertoire: {} as never, output: join(folder, 'plugin'), ...more }),
  mcpSource: (more) => mcp.mcpSource({ client: unused, label: 'docs', layer: 'project', ...more }),
  attachSkills: (more) => mcp.attachSkills({} as never, { repertoire: {} as never, ...more }),
  serveSkillsOverHttp: (more) => mcp.serveSkillsOverHttp({ repertoire: {} as never, ...more }),
  serveSkillsOverStdio: (more) => mcp.serveSkillsOverStdio({ repertoire: {} as never, ...more }),
  storeContract: (more) =>
    testing.storeContract({ name: 'mine', prepare: unused, ...more }, { describe: unused, it: unused }),
}

/** Functions whose arguments are a path, a text, or what another function returned. */
const without = new Set(['applyPlan', 'originText', 'packSkill', 'pinSkill', 'readSkillsLock', 'requireSkillsLock'])

function unused(): never {
  throw new Error('It was called, although the options are wrong.')
}

async function messageOf(call: () => unknown): Promise<string> {
  try {
    await call()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
  throw new Error('It was accepted.')
}

it('[CFG-1] has a row for every exported function', () => {
  const exported = Object.entries({ ...library, ...mcp, ...testing }).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  )
  expect(exported.toSorted()).toEqual([...Object.keys(calls), ...without].toSorted())
})

it.each(Object.keys(calls))('[CFG-1, ABUSE-133] %s refuses an unknown option and writes nothing', async (name) => {
  const message = await messageOf(() => calls[name]!({ notAnOption: 1 }))
  expect(message).toContain(`${name}: unknown option \``)
  expect(message).toContain('notAnOption`.')
  expect(readdirSync(folder)).toEqual([])
})

it.each<[string, Options, string]>([
  ['openFileStore', { watch: { intervl: 5 } }, 'unknown option `watch.intervl`. Did you mean `watch.interval`?'],
  ['openFileStore', { watch: { bye: 'polling' } }, 'Did you mean `watch.by`?'],
  ['openFileStore', { lockTimout: 5 }, 'Did you mean `lockTimeout`?'],
  ['openFileStore', { lockTimeout: '5' }, '`lockTimeout` is "5". Give a number of milliseconds'],
  ['openFileStore', { layer: 'projct' }, '`layer` is "projct".'],
  ['compositeSkill', { executions: [{ tool: 'Read', paramters: {} }] }, 'Did you mean `executions[0].parameters`?'],
  ['planInstall', { origin: { registri: 'x' } }, 'Did you mean `origin.registry`?'],
  ['planUpdate', { origin: { localgit: true } }, 'Did you mean `origin.localGit`?'],
  ['planUpdate', { frozen: true }, 'unknown option `frozen`'],
  ['planAdd', { also: '.claude/skills' }, '`also` is ".claude/skills".'],
  ['planAdd', { forc: true }, 'Did you mean `force`?'],
  ['planRemove', { skills: 'pdf' }, '`skills` is "pdf". Give a list of skill names.'],
  ['resolveOrigin', { alowPrivate: [] }, 'Did you mean `allowPrivate`?'],
  ['resolveOrigin', { tokens: { 'github.com': 5 } }, 'tokens["github.com"]` is not a string.'],
  [
    'serveSkillsOverHttp',
    { repertoire: { openSession: unused }, viewer: { tenent: 'a' } },
    'Did you mean `viewer.tenant`?',
  ],
  [
    'serveSkillsOverStdio',
    { repertoire: { openSession: unused }, viewer: { skill: [] } },
    'Did you mean `viewer.skills`?',
  ],
])('[CFG-1, ABUSE-133] %s refuses %j', async (name, options, expected) => {
  expect(await messageOf(() => calls[name]!(options))).toContain(expected)
  expect(readdirSync(folder)).toEqual([])
})

it('[DISC-4] a store and a source of another place are in the layer of the project by default', async () => {
  const places = [
    await library.openFileStore({ root: join(folder, 'skills') }),
    mcp.mcpSource({ client: unused, label: 'docs' }),
  ]
  expect(places.map(({ layer }) => layer)).toEqual(['project', 'project'])
})

it('[CFG-1, ABUSE-133] a store refuses a misspelled ifRevision and writes nothing', async () => {
  const store = await library.openFileStore({ root: join(folder, 'skills'), layer: 'project' })
  await store.save(content)
  const { revision } = await store.get('pdf')
  const { files } = await (await store.get('pdf')).folder.list()
  expect(files.length).toBe(1)
  const wrong = { ifRevison: null } as never
  const hint = 'unknown option `ifRevison`. Did you mean `ifRevision`?'
  expect(await messageOf(() => store.save(content, wrong))).toBe(`save: ${hint}`)
  expect(await messageOf(() => store.saveResource('pdf', 'a.md', 'A', wrong))).toContain(hint)
  expect(await messageOf(() => store.replace('pdf', new Map(), wrong))).toContain(hint)
  expect(await messageOf(() => store.delete('pdf', wrong))).toContain(hint)
  expect(await messageOf(() => store.saveResource('pdf', 'a.md', 'A', { executable: 'no' } as never))).toContain(
    '`executable` is "no".',
  )
  expect((await store.get('pdf')).revision).toBe(revision)
})

it('[CFG-1] a registry refuses an unknown part of a definition', async () => {
  const registry = library.createSkillRegistry({ store: await library.openFileStore({ root: folder }) })
  const skill = { name: 'pdf', description: 'Reads PDF files.', type: 'instruction' }
  await expect(registry.create({ ...skill, definition: { contents: 'Read.' } })).rejects.toThrow(
    '"definition.contents" is "Read."',
  )
  await expect(registry.create({ ...skill, definition: { content: 'a' }, licence: 'MIT' } as never)).rejects.toThrow(
    'licence',
  )
  await expect(registry.load()).resolves.toEqual([])
})

it('[CFG-1] an origin refuses unknown options of a fetch', async () => {
  const store = await library.openFileStore({ root: folder, layer: 'project' })
  await store.save(content)
  const origin = await library.resolveOrigin(folder)
  expect(await messageOf(() => origin.fetch({ skill: ['pdf'] } as never))).toBe(
    'fetch: unknown option `skill`. Did you mean `skills`?',
  )
})

it.each(Object.entries({ resolveOrigin }))('[CFG-1] %s says that its text is wrong', async (_, read) => {
  for (const text of [undefined, null, 5]) {
    expect(await messageOf(() => read(text as never))).toMatch(/: `text` is .*\. Give a string\./)
  }
})

it('[CFG-1] stores, registries and origins can be destructured and spread', async () => {
  const file = await library.openFileStore({ root: folder, layer: 'project' })
  const { save, get, saveResource, listActive } = file
  await save(content)
  await saveResource('pdf', 'a.md', 'A')
  expect((await get('pdf')).name).toBe('pdf')
  expect((await listActive()).length).toBe(1)
  const { create, load, loadedSkills, allTools } = library.createSkillRegistry({ store: { ...file } })
  await create({ name: 'csv', description: 'Reads CSV files.', type: 'instruction', definition: { content: 'a' } })
  await load()
  expect(loadedSkills().map(({ name }) => name)).toEqual(['skill_csv', 'skill_pdf'])
  expect(allTools().length).toBe(2)
  const { fetch } = await library.resolveOrigin(folder)
  expect((await fetch()).skills.map(({ name }) => name)).toEqual(['csv', 'pdf'])
})
