import { memorySource, openRepertoire } from '@repertoire/core'
import type { ConsentRequest, Outcome, Repertoire, SkillSource } from '@repertoire/core'
import { mcpSource, type McpSourceOptions } from '@repertoire/library/mcp'
import { expect, it } from 'vitest'
import { connectTo, listed, manifestText, skillOf, type Connected, type ServerScript } from './server.ts'

interface Opened {
  readonly server: Connected
  readonly repertoire: Repertoire
}

async function open(
  script: ServerScript,
  options: Partial<McpSourceOptions> = {},
  others: readonly SkillSource[] = [],
): Promise<Opened> {
  const server = await connectTo(script)
  const source = mcpSource({ client: server.client, label: 'docs', layer: 'plugin', ...options })
  return { server, repertoire: await openRepertoire({ sources: [source, ...others] }) }
}

const found = ({ catalog }: Repertoire) => catalog.diagnostics.map(({ code, path }) => [code, path])
const names = ({ catalog }: Repertoire) => catalog.list().map(({ name }) => name)

async function activate(repertoire: Repertoire, name: string) {
  const asked: ConsentRequest[] = []
  const consent = (request: ConsentRequest) => asked.push(request) > 0
  const session = repertoire.openSession({ id: 'task', consent })
  const outcome: Outcome = await session.call({ id: 'c1', tool: 'activate_skill', input: { name } }, () => undefined)
  await session.end()
  return { outcome, digest: asked[0]?.digest }
}

const refunds = skillOf('refunds', { 'references/guide.md': 'Read me.', 'scripts/run.sh': 'echo hi' })
const honest: ServerScript = { entries: [refunds.entry], contents: refunds.contents }
const MANIFEST = 'skill://refunds/SKILL.md'

it('[DISC-12] lists the skills of a server without reading any of their files, also for a search', async () => {
  const { server, repertoire } = await open(honest)
  expect(repertoire.catalog.list()).toMatchObject([
    { name: 'refunds', source: 'mcp:docs', location: 'mcp:docs/skill://refunds', layer: 'plugin' },
  ])
  const { hits, diagnostics } = await repertoire.catalog.search('refunds')
  expect(hits.map(({ name }) => name)).toEqual(['refunds'])
  expect(diagnostics).toEqual([])
  expect(server.reads).toEqual([])
})

it('[DISC-12] fetches SKILL.md for an activation and another file when it is read, each once', async () => {
  const { server, repertoire } = await open(honest)
  const { outcome } = await activate(repertoire, 'refunds')
  expect(outcome).toMatchObject({ ok: true })
  expect(JSON.stringify(outcome)).toContain('The body of refunds.')
  expect(JSON.stringify(outcome)).toContain('mcp:docs/skill://refunds')
  expect(server.reads).toEqual([MANIFEST])
  const tiers = repertoire.tiers()
  expect(await tiers.resource('refunds', 'references/guide.md')).toMatchObject({ text: 'Read me.' })
  await tiers.resource('refunds', 'references/guide.md')
  expect(server.reads).toEqual([MANIFEST, 'skill://refunds/references/guide.md'])
  await expect(tiers.resource('refunds', '../other/SKILL.md')).rejects.toMatchObject({ code: 'RESOURCE_PATH_INVALID' })
  expect(await tiers.resource('refunds', 'references/unlisted.md')).toBeNull()
  expect(server.reads).toHaveLength(2)
})

it('[DISC-12] binds consent to every file that is listed, so that a change of one asks again', async () => {
  const { server, repertoire } = await open(honest)
  const before = await activate(repertoire, 'refunds')
  const changed = skillOf('refunds', { 'references/guide.md': 'Another text.', 'scripts/run.sh': 'echo hi' })
  server.become({ entries: [changed.entry], contents: changed.contents })
  await repertoire.reload({ force: true })
  const after = await activate(repertoire, 'refunds')
  expect(after.outcome).toMatchObject({ ok: true })
  expect(after.digest).not.toBe(before.digest)
})

it.each([
  ['another digest', { [MANIFEST]: manifestText('refunds', 'The skill refunds.').replace('body', 'mind') }, /digest/],
  ['another size', { [MANIFEST]: `${manifestText('refunds')}more` }, /bytes/],
  ['nothing', {}, /not read/],
])('[DISC-12] refuses a SKILL.md for which the server gives %s', async (_, contents, reason) => {
  const { repertoire } = await open({ entries: [refunds.entry], contents })
  const { outcome } = await activate(repertoire, 'refunds')
  expect(outcome).toMatchObject({ ok: false })
  expect(JSON.stringify(outcome)).toMatch(reason)
})

it('[DISC-12] refuses a SKILL.md whose frontmatter asks for more than its entry says', async () => {
  const text = manifestText('refunds', 'The skill refunds.', 'allowed-tools: Bash\n')
  const entry = { ...refunds.entry, resources: [{ uri: MANIFEST, ...listed(text) }] }
  const { repertoire } = await open({ entries: [entry], contents: { [MANIFEST]: text } })
  expect(names(repertoire)).toEqual(['refunds'])
  const { outcome } = await activate(repertoire, 'refunds')
  expect(outcome).toMatchObject({ ok: false })
  expect(JSON.stringify(outcome)).toContain('frontmatter')
})

it('[DISC-12] reads a frontmatter in all of YAML that a skill may be written in', async () => {
  const text = '---\nname: refunds\ndescription: "The skill\n  refunds."\nmetadata: {a: "1"}\n---\nBody.\n'
  const frontmatter = { name: 'refunds', description: 'The skill refunds.', metadata: { a: '1' } }
  const entry = { uri: MANIFEST, frontmatter, resources: [{ uri: MANIFEST, ...listed(text) }] }
  const { repertoire } = await open({ entries: [entry], contents: { [MANIFEST]: text } })
  expect((await activate(repertoire, 'refunds')).outcome).toMatchObject({ ok: true })
})

const file = { uri: MANIFEST, ...listed('x') }
it.each([
  ['a file outside', { resources: [file, { uri: 'skill://other/SKILL.md', ...listed('x') }] }],
  ['an encoded way out', { resources: [file, { uri: 'skill://refunds/..%2f..%2fetc', ...listed('x') }] }],
  ['a name that not every system has', { resources: [file, { uri: 'skill://refunds/a%5Cb', ...listed('x') }] }],
  ['a file twice', { resources: [file, file] }],
  ['no SKILL.md', { resources: [{ uri: 'skill://refunds/a.md', ...listed('x') }] }],
  ['no digest', { resources: [{ uri: MANIFEST, size: 1 }] }],
  ['no resources', { resources: undefined }],
  ['generated content, which has no digests', { resources: 'dynamic' }],
  ['another name than its folder', { frontmatter: { name: 'other', description: 'x' } }],
  [
    '513 files',
    { resources: [file, ...Array.from({ length: 512 }, (_, i) => ({ ...file, uri: `skill://refunds/${i}` }))] },
  ],
  ['more than 16 MiB', { resources: [file, { ...file, uri: 'skill://refunds/big', size: 16 * 1024 * 1024 }] }],
])('[DISC-12] refuses an entry with %s, and loads the others', async (_, more) => {
  const other = skillOf('other')
  const { repertoire } = await open({ entries: [{ ...refunds.entry, ...more }, other.entry], contents: other.contents })
  expect(names(repertoire)).toEqual(['other'])
  expect(found(repertoire)).toEqual([['ENTRY_REFUSED', `mcp:docs/${MANIFEST}`]])
})

it('[DISC-12] says so where a skill of a server has the name of another source’s, or of one of its own', async () => {
  const skills = { refunds: { 'SKILL.md': manifestText('refunds') } }
  const own = memorySource({ layer: 'project', skills })
  const { repertoire } = await open(honest, {}, [own])
  expect(repertoire.catalog.get('refunds').source).toBe('memory')
  expect(found(repertoire)).toEqual([['SKILL_SHADOWED', `mcp:docs/${MANIFEST}`]])
  const twin = skillOf('refunds', {}, 'skill://acme/refunds')
  const two = await open({ entries: [refunds.entry, twin.entry], contents: refunds.contents })
  expect(found(two.repertoire)).toEqual([['SKILL_SHADOWED', `mcp:docs/${MANIFEST}`]])
  expect(two.repertoire.catalog.get('refunds').path).toBe('mcp:docs/skill://acme/refunds/SKILL.md')
})

it('[MAN-7] judges a server’s skill by its agents/openai.yaml when it is used, and does not read it before', async () => {
  const person = skillOf('refunds', { 'agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n' })
  const { server, repertoire } = await open({ entries: [person.entry], contents: person.contents })
  expect(names(repertoire)).toEqual(['refunds'])
  expect(server.reads).toEqual([])
  expect((await activate(repertoire, 'refunds')).outcome).toMatchObject({ ok: false })
  const session = repertoire.openSession({ id: 'person', consent: () => true })
  expect(await session.activate('refunds')).toMatchObject({ ok: true })
  await session.end()
})

it('[DISC-12] does not wait for a server that never answers, and loads the other sources', async () => {
  const own = memorySource({ layer: 'project', skills: { own: { 'SKILL.md': manifestText('own') } } })
  const { repertoire } = await open({ entries: [], silent: ['skills/list'] }, { timeout: 20 }, [own])
  expect(names(repertoire)).toEqual(['own'])
  expect(found(repertoire)).toMatchObject([['SOURCE_FAILED', 'mcp:docs']])
  const mute = await open({ ...honest, silent: ['resources/read'] }, { timeout: 3_000 })
  expect(JSON.stringify((await activate(mute.repertoire, 'refunds')).outcome)).toContain('within 3000 ms')
})

it('[DISC-12] says that a server serves no skills, and connects when it is first needed', async () => {
  const { repertoire } = await open({ entries: [], declares: false })
  expect(repertoire.catalog.diagnostics[0]?.message).toContain('io.modelcontextprotocol/skills')
  let connections = 0
  const client = async () => {
    connections++
    return (await connectTo(honest)).client
  }
  const source = mcpSource({ client, label: 'docs', layer: 'plugin' })
  expect(connections).toBe(0)
  expect(names(await openRepertoire({ sources: [source] }))).toEqual(['refunds'])
  expect(connections).toBe(1)
  const gone = mcpSource({ client: () => Promise.reject(new Error('no way')), label: 'docs', layer: 'plugin' })
  expect(found(await openRepertoire({ sources: [gone] }))).toMatchObject([['SOURCE_FAILED', 'mcp:docs']])
})

it('[DISC-12] refuses a label that could be taken for a path', () => {
  const client = () => Promise.reject(new Error('not called'))
  expect(() => mcpSource({ client, label: '../x', layer: 'plugin' })).toThrow('`label` is "../x". Give 1 to 64 letters')
})

it('[FRONT-5] reports a server without skills', async () => {
  const { repertoire } = await open({ entries: [] })
  expect(found(repertoire)).toEqual([['ROOT_WITHOUT_SKILLS', 'mcp:docs']])
})
