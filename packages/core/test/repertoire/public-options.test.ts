import {
  createSkillExecutor,
  getSkillItems,
  memorySessions,
  memorySource,
  openRepertoire,
  openStoredSession,
  withStoredSession,
} from '@repertoire/core'
import { adviseSkill, findResource, parseSkill, readResource } from '@repertoire/core/authoring'
import {
  directorySource,
  embedSkills,
  ensureDefaults,
  jsonLinesAudit,
  loadConfiguration,
  moduleToolsets,
  openConfigured,
  skillFolder,
  packageSource,
  privateMounts,
  saveResource,
  standardSources,
} from '@repertoire/core/node'
import { otelAudit } from '@repertoire/core/opentelemetry'
import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'

const skills = { pdf: { 'SKILL.md': '---\nname: pdf\ndescription: Reads PDF files.\n---\nRead.' } }
const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
const session = openAdapterSession(repertoire)
const step = await session.step({ tools: [] })
const { folder } = repertoire.catalog.get('pdf')
const store = memorySessions()
const missing = '/nowhere/skills'

type Call = (options: never) => unknown

/** Each function with options that it takes, and a misspelled option with the one that is meant. */
const calls: readonly (readonly [string, Call, object, string, string])[] = [
  ['directorySource', directorySource, { root: missing, layer: 'project' }, 'dept', 'depth'],
  ['standardSources', standardSources, {}, 'folder', 'folders'],
  ['packageSource', packageSource, { project: missing }, 'package', 'packages'],
  ['privateMounts', privateMounts, { root: missing }, 'maxByte', 'maxBytes'],
  ['moduleToolsets', moduleToolsets, {}, 'rot', 'root'],
  ['jsonLinesAudit', jsonLinesAudit, {}, 'pth', 'path'],
  ['otelAudit', otelAudit, {}, 'trace', 'tracer'],
  ['loadConfiguration', loadConfiguration, { file: false }, 'projct', 'project'],
  ['openConfigured', (options) => openConfigured({ file: false }, options), {}, 'polcy', 'policy'],
  ['skillFolder', (options) => skillFolder(missing, options), {}, 'followLink', 'followLinks'],
  ['saveResource', (options) => saveResource({ folder }, 'a.md', '', options), {}, 'executabl', 'executable'],
  ['embedSkills', embedSkills, { from: missing, to: `${missing}/skills.ts` }, 'exportNam', 'exportName'],
  ['ensureDefaults', ensureDefaults, { folder: missing }, 'folders', 'folder'],
  ['memorySource', memorySource, { layer: 'project', skills }, 'layr', 'layer'],
  ['memorySessions', memorySessions, {}, 'tennant', 'tenant'],
  ['createSkillExecutor', createSkillExecutor, {}, 'runStp', 'runStep'],
  ['openStoredSession', (options) => openStoredSession(repertoire, options), { store, id: 'a' }, 'polcy', 'policy'],
  [
    'openStoredSession',
    (options) => withStoredSession(repertoire, options, async () => {}),
    { store, id: 'b' },
    'timeToLiv',
    'timeToLive',
  ],
  ['getSkillItems', (options) => getSkillItems(repertoire.provider(), options), {}, 'querry', 'query'],
  ['getSkillItems', (options) => getSkillItems(repertoire.provider(), {}, options), {}, 'timout', 'timeout'],
  ['readResource', (options) => readResource(folder, 'SKILL.md', options), {}, 'form', 'from'],
  ['readResource', (options) => findResource(folder, 'SKILL.md', options), {}, 'maxByte', 'maxBytes'],
  ['parseSkill', (options) => parseSkill('', options), {}, 'profil', 'profile'],
  ['adviseSkill', async (options) => adviseSkill(await parseSkill(''), folder, options), {}, 'paht', 'path'],
  ['search', (options) => repertoire.catalog.search('pdf', options), {}, 'limt', 'limit'],
  ['reload', (options) => repertoire.reload(options), {}, 'forced', 'force'],
  ['load', (options) => repertoire.load('pdf', options), {}, 'viewr', 'viewer'],
  ['tiers', (options) => repertoire.tiers(options), {}, 'viewers', 'viewer'],
  ['provider', (options) => repertoire.provider(options), {}, 'view', 'viewer'],
  ['items', (options) => repertoire.provider().items(options), {}, 'limt', 'limit'],
  ['explain', (options) => repertoire.explain('pdf', options), {}, 'hostTool', 'hostTools'],
  ['openSession', (options) => repertoire.openSession(options), {}, 'turn', 'turns'],
  ['call', (options) => session.call({ id: '1', tool: 'x', input: {} }, () => 'x', options), {}, 'singal', 'signal'],
  ['runScript', (options) => session.runScript('scripts/a.sh', options), {}, 'arg', 'args'],
  ['activate', (options) => session.activate('pdf', options), {}, 'forks', 'fork'],
  ['beginTurn', (options) => session.beginTurn('hello', options), {}, 'mesage', 'message'],
  ['step', (options) => session.step(options), { tools: [] }, 'nameof', 'nameOf'],
  ['view', (options) => session.view(options), { tools: [] }, 'nameof', 'nameOf'],
  ['prompt', (options) => step.prompt(options), { messages: [], describe: String }, 'tool', 'tools'],
  ['preview', (options) => session.preview({ id: '1', tool: 'x', input: {} }, options), {}, 'singal', 'signal'],
  ['question', (options) => session.question(() => 'yes', options), {}, 'singal', 'signal'],
]

it.each(calls)('[CFG-1, ABUSE-133] %s refuses an unknown option', async (name, call, options, misspelled, meant) => {
  const message = `${name}: unknown option \`${misspelled}\`. Did you mean \`${meant}\`?`
  const refused = async (given: unknown): Promise<unknown> => call(given as never)
  await expect(refused({ ...options, [misspelled]: 1 })).rejects.toThrow(TypeError)
  await expect(refused({ ...options, [misspelled]: 1 })).rejects.toThrow(message)
  await expect(refused({ ...options, notAnOption: undefined })).rejects.toThrow('unknown option `notAnOption`')
  await expect(refused('options')).rejects.toThrow(`${name}: the options are "options"`)
})

it.each<[() => unknown, string]>([
  [() => directorySource({ layer: 'project' } as never), 'directorySource: `root` is missing.'],
  [() => directorySource({ root: '.', layer: 'user' } as never), '`layer` is "user". Give "enterprise",'],
  [() => directorySource({ root: '.', layer: 'project', watch: { intervall: 1 } } as never), '`watch.interval`'],
  [() => directorySource({ root: '.', layer: 'project', depth: '2' } as never), '`depth` is "2".'],
  [() => directorySource({ root: '.', layer: 'project', hardLinks: true } as never), '`hardLinks` is true.'],
  [
    () => standardSources({ folders: '.claude/skills' } as never),
    '`folders` is ".claude/skills". Give a list of paths',
  ],
  [() => standardSources({ packages: 'pdf' } as never), '`packages` is "pdf".'],
  [() => standardSources({ followLinks: ['user'] } as never), '`followLinks[0]` is "user".'],
  [() => packageSource({} as never), 'packageSource: `project` is missing.'],
  [() => privateMounts({ root: '.', maxBytes: 0 }), '`maxBytes` is 0. Give a number of bytes, more than 0'],
  [() => jsonLinesAudit({} as never), 'jsonLinesAudit: `path` is missing.'],
  [() => memorySource({} as never), 'memorySource: `skills` is missing.'],
  [() => memorySource({ layer: 'user', skills } as never), '`layer` is "user".'],
  [() => createSkillExecutor({ runner: {} } as never), '`runner` has no `supports`.'],
  [() => createSkillExecutor({ limits: { timeoutt: 1 } } as never), 'Did you mean `limits.timeout`?'],
  [() => createSkillExecutor({ environment: { A: 1 } } as never), '`environment.A` is 1.'],
  [() => openStoredSession(repertoire, { id: 'a' } as never), 'openStoredSession: `store` is missing.'],
  [() => openStoredSession({} as never, { store, id: 'a' }), '`repertoire` has no `openSession`.'],
  [() => openStoredSession(repertoire, { store, id: 'a', lease: '1' } as never), '`lease` is "1".'],
  [() => openStoredSession(repertoire, { store, id: 'a', policy: { dney: [] } } as never), '`policy.deny`'],
  [() => openConfigured({ file: false }, { policy: { dney: [] } } as never), 'Did you mean `policy.deny`?'],
  [() => openConfigured({ fiel: false } as never), 'loadConfiguration: unknown option `fiel`. Did you mean `file`?'],
  [() => parseSkill('', { profile: 'strict2' } as never), 'parseSkill: `profile` is "strict2".'],
  [() => repertoire.catalog.search('pdf', { viewer: { skill: [] } } as never), 'Did you mean `viewer.skills`?'],
  [() => repertoire.load('pdf', { viewer: { skills: 'pdf' } } as never), 'load: `viewer.skills` is "pdf".'],
])('[CFG-1, ABUSE-133] wrong values are refused, at any depth: %s', async (call, message) => {
  const refused = async (): Promise<unknown> => call()
  await expect(refused()).rejects.toThrow(TypeError)
  await expect(refused()).rejects.toThrow(message)
})

it.each<[() => unknown, string]>([
  [() => session.step({ tools: 'Bash' }), 'step: `tools` is "Bash". Give a list of the names of your tools.'],
  [() => session.step({ tools: { Bash: {} } as never }), 'step: `tools` is an object.'],
  [() => session.step({ tools: [{ name: 'Bash' }] as never }), 'step: `tools[0]` is an object. Give a string.'],
  [() => session.step({ tools: new Map([['Bash', 1]]) as never }), 'step: `tools[0]` is a list.'],
  [() => session.step({} as never), 'step: `tools` is missing.'],
  [() => session.step({ tools: [], resolveModel: { fast: 1 } as never }), 'step: `resolveModel` is an object.'],
  [() => step.prompt({ messages: [] } as never), 'prompt: `describe` is missing.'],
  [() => step.prompt({ messages: 'hi' as never, describe: String as never }), 'prompt: `messages` is "hi".'],
  [() => step.recordUsage(12 as never), 'recordUsage: `usage` is 12. Give an object { inputTokens, outputTokens }.'],
  [() => session.unjudged('Bash'), 'unjudged: `names` is "Bash". Give the names of tools.'],
  [
    () => session.activate({ skill: 'pdf' } as never),
    'activate: `skill` is an object. Give a string that is not empty.',
  ],
  [() => session.activate(null as never), 'activate: `skill` is null.'],
  [() => step.reminder('text' as never), 'reminder: `isShown` is "text". Give a function.'],
  [() => session.ask('id' as never, () => true), 'ask: `work` is "id". Give a function that may wait for consent.'],
  [() => session.ask((() => ({})) as never, true as never), 'ask: `handler` is true.'],
  [() => session.question(true as never), 'question: `ask` is true.'],
  [() => session.call({ id: '1', tool: 'x', input: {} }, {} as never), 'call: `execute` is an object.'],
  [() => session.runScript(''), 'runScript: `path` is empty.'],
  [() => session.toolName(null as never), 'toolName: `name` is null.'],
  [() => session.deniedText('x' as never), 'deniedText: `tool` is missing.'],
  [() => session.deniedText({ id: '1', tool: 'x', input: {} }, 7 as never), 'deniedText: `reason` is 7.'],
])('[CFG-1, ABUSE-133] a method of a session refuses a wrong argument: %s', async (call, message) => {
  const refused = async (): Promise<unknown> => call()
  await expect(refused()).rejects.toThrow(TypeError)
  await expect(refused()).rejects.toThrow(message)
})

it('[CFG-1] a step takes the names of tools from anything that lists them', async () => {
  const tools = new Map([['Bash', {}]])
  for (const names of [['Bash'], new Set(['Bash']), tools.keys()]) {
    expect((await session.step({ tools: names })).toolName('bash')).toBe('Bash')
  }
})
