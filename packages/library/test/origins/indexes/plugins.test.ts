import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readMarketplace, resolvePlugin, type Marketplace } from '@repertoire/library'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readPluginSource } from '../../../src/origins/indexes/plugin-source.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { commit, makeRepository } from '../git-repository.ts'
import { skillText } from '../skill-text.ts'
import { makeCertificate, serveGit, startWebServer } from '../web-server.ts'

type Files = Readonly<Record<string, string>>

function folderOf(files: Files): string {
  const root = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const skillsAt = (...paths: readonly string[]): Files =>
  Object.fromEntries(paths.map((path) => [`${path}/SKILL.md`, skillText(path.split('/').at(-1)!)]))
const market = (plugins: readonly unknown[], more: object = {}): Files => ({
  '.claude-plugin/marketplace.json': JSON.stringify({ name: 'team', owner: { name: 'T' }, plugins, ...more }),
})
const refusal = (reason: RegExp) => ({ code: 'ORIGIN_REFUSED', message: expect.stringMatching(reason) as string })
const pathsOf = async (marketplace: Marketplace, index = 0) =>
  (await (await marketplace.plugins[index]!.open()).fetch()).skills.map(({ path }) => path)

describe('a marketplace', () => {
  it('[LIB-10] lists its plugins, and gives the skills of each and no others', async () => {
    const root = folderOf({
      ...market([
        { name: 'office', source: './plugins/office', description: 'Documents.', version: '1.2.0' },
        { name: 'deploy', source: './plugins/deploy' },
      ]),
      ...skillsAt('plugins/office/skills/pdf', 'plugins/office/skills/docx', 'plugins/office/other/hidden'),
      ...skillsAt('plugins/deploy/skills/ship', 'skills/top'),
      'plugins/office/commands/x.md': 'not a skill',
    })
    const marketplace = await readMarketplace(root)
    expect(marketplace).toMatchObject({
      name: 'team',
      plugins: [{ name: 'office', description: 'Documents.', version: '1.2.0' }, { name: 'deploy' }],
    })
    const origin = await marketplace.plugins[0]!.open()
    expect(origin.resolved).toMatchObject({ sourceType: 'local' })
    const { skills } = await origin.fetch()
    expect(skills.map(({ name, path }) => [name, path])).toEqual([
      ['docx', 'plugins/office/skills/docx/SKILL.md'],
      ['pdf', 'plugins/office/skills/pdf/SKILL.md'],
    ])
    expect(new TextDecoder().decode(skills[1]!.files.get('SKILL.md')!.bytes)).toBe(skillText('pdf'))
    expect((await origin.fetch({ skills: ['pdf'] })).skills).toHaveLength(1)
    await expect(origin.fetch({ skills: ['ship'] })).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
    expect(await pathsOf(marketplace, 1)).toEqual(['plugins/deploy/skills/ship/SKILL.md'])
  })

  it.each<[string, object, Files, readonly string[]]>([
    [
      'those that it names alone, where it defines the plugin',
      { source: './', strict: false, skills: ['./skills/pdf', './more'] },
      skillsAt('skills/pdf', 'skills/docx', 'more/xlsx'),
      ['skills/pdf', 'more/xlsx'],
    ],
    [
      'those that it names beside the plugin’s own',
      { source: './p', skills: './more' },
      {
        ...skillsAt('p/skills/pdf', 'p/more/xlsx', 'p/lib/docx', 'p/lib/deep/er'),
        'p/.claude-plugin/plugin.json': JSON.stringify({ name: 'p', skills: ['./lib/'] }),
      },
      ['p/lib/docx', 'p/skills/pdf', 'p/more/xlsx'],
    ],
    ['the one that the plugin is', { source: './p' }, skillsAt('p'), ['p']],
    [
      'those below pluginRoot',
      { source: 'office' },
      {
        ...skillsAt('plugins/office/skills/pdf'),
        ...market([{ name: 'p', source: 'office' }], { metadata: { pluginRoot: './plugins' } }),
      },
      ['plugins/office/skills/pdf'],
    ],
    [
      'those of a path that names pluginRoot itself',
      {},
      {
        ...skillsAt('plugins/office/skills/pdf'),
        ...market([{ name: 'p', source: './plugins/office' }], { metadata: { pluginRoot: './plugins' } }),
      },
      ['plugins/office/skills/pdf'],
    ],
  ])('[LIB-10] gives %s', async (_, plugin, files, paths) => {
    const marketplace = await readMarketplace(folderOf({ ...market([{ name: 'p', ...plugin }]), ...files }))
    expect(await pathsOf(marketplace)).toEqual(paths.map((path) => `${path}/SKILL.md`))
  })

  it.each([
    ['a path that leads out', { source: '../other' }, /"\.\."/],
    ['a path of the machine', { source: '/etc' }, /absolute/],
    ['a path with a way out inside', { source: './p/../../x' }, /"\.\."/],
    ['no source', {}, /neither a path nor an object/],
    ['a kind that is not known', { source: { source: 'pip', package: 'x' } }, /"pip"/],
    ['a repository of this machine', { source: { source: 'url', url: 'file:///srv/x.git' } }, /repository/],
    ['a program in place of a repository', { source: { source: 'url', url: 'ext::sh -c id' } }, /repository/],
    ['an option in place of one', { source: { source: 'github', repo: '--upload-pack=x' } }, /repository/],
    ['half a commit', { source: { source: 'github', repo: 'a/b', sha: 'abc' } }, /whole commit/],
    [
      'a folder of a repository that leads out',
      { source: { source: 'git-subdir', url: 'a/b', path: '../x' } },
      /"\.\."/,
    ],
    [
      'a registry of its own',
      { source: { source: 'npm', package: 'x', registry: 'https://evil.example/' } },
      /registry/,
    ],
    ['a name that is a path', { name: '../p', source: './p' }, /name/],
    ['a word for strict', { source: './p', strict: 'no' }, /strict/],
  ])('[LIB-10] does not open a plugin with %s, and opens the others', async (_, plugin, reason) => {
    const entries = [
      { name: 'p', ...plugin },
      { name: 'good', source: './good' },
    ]
    const marketplace = await readMarketplace(folderOf({ ...market(entries), ...skillsAt('good/skills/pdf') }))
    await expect(marketplace.plugins[0]!.open()).rejects.toMatchObject(refusal(reason))
    expect(await pathsOf(marketplace, 1)).toEqual(['good/skills/pdf/SKILL.md'])
  })

  it.each([
    ['the plugin is nowhere', { source: './none' }, {}, /no folder none/],
    [
      'the plugin and its marketplace both define it',
      { source: './p', strict: false },
      { 'p/.claude-plugin/plugin.json': '{"skills":"./x"}', ...skillsAt('p/x') },
      /alone defines/,
    ],
    ['a path of skills leads out', { source: './p', skills: ['../top'] }, skillsAt('p/skills/a', 'top'), /"\.\."/],
    ['a path of skills leads to none', { source: './p', skills: ['./none'] }, skillsAt('p/skills/a'), /no skill/],
    [
      'its manifest is not JSON',
      { source: './p' },
      { ...skillsAt('p/skills/a'), 'p/.claude-plugin/plugin.json': '[' },
      /not a JSON object/,
    ],
  ])('[LIB-10] gives nothing of a plugin where %s', async (_, plugin, files, reason) => {
    const marketplace = await readMarketplace(folderOf({ ...market([{ name: 'p', ...plugin }]), ...(files as Files) }))
    await expect(pathsOf(marketplace)).rejects.toMatchObject(refusal(reason))
  })

  it('[LIB-10] refuses a marketplace that is malformed, and both of two plugins of a name', async () => {
    const at = (files: Files) => readMarketplace(folderOf({ ...skillsAt('skills/a'), ...files }))
    await expect(at({})).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    await expect(at({ '.claude-plugin/marketplace.json': '{"name":"x"}' })).rejects.toMatchObject(refusal(/no list/))
    await expect(at(market([], { metadata: { pluginRoot: '..' } }))).rejects.toMatchObject(refusal(/pluginRoot/))
    await expect(at(market(Array.from({ length: 10_001 }, () => 1)))).rejects.toMatchObject(refusal(/10001 plugins/))
    const twins = await at(
      market([
        { name: 'p', source: './' },
        { name: 'p', source: './' },
      ]),
    )
    expect(twins.plugins.map(({ problem }) => problem)).toEqual(Array(2).fill('there are two of that name'))
    await expect(twins.plugins[1]!.open()).rejects.toMatchObject(refusal(/two of that name/))
    const linked = folderOf(skillsAt('skills/a'))
    mkdirSync(join(linked, '.claude-plugin'))
    symlinkSync('/etc/hostname', join(linked, '.claude-plugin/marketplace.json'))
    await expect(readMarketplace(linked)).rejects.toMatchObject(refusal(/not a plain file/))
  })
})

describe('a source of a plugin', () => {
  const sha = 'A'.repeat(40)
  it.each([
    [
      { source: 'github', repo: 'a/b', ref: 'v1', sha },
      { kind: 'git', text: 'a/b', path: '', ref: 'v1', commit: 'a'.repeat(40) },
    ],
    [
      { source: 'url', url: 'https://git.example.com/x' },
      { kind: 'git', text: 'git+https://git.example.com/x', path: '' },
    ],
    [
      { source: 'url', url: 'git@example.com:a/b.git' },
      { kind: 'git', text: 'git@example.com:a/b.git', path: '' },
    ],
    [
      { source: 'git-subdir', url: 'a/b', path: './c/d/' },
      { kind: 'git', text: 'a/b', path: 'c/d' },
    ],
    [
      { source: 'npm', package: '@a/b', version: '^1' },
      { kind: 'npm', text: 'npm:@a/b@^1' },
    ],
    [
      { source: 'npm', package: 'b', registry: 'https://r/' },
      { kind: 'npm', text: 'npm:b', registry: 'https://r/' },
    ],
  ])('[LIB-10] is read: %j', (source, place) => {
    expect(readPluginSource(source, '')).toEqual(place)
  })
})

describe('a plugin elsewhere', () => {
  it('[LIB-10] is taken from its repository, at the commit that the marketplace names or at the newest', async () => {
    const repositories = temporaryFolder()
    const team = makeRepository(join(repositories, 'team'))
    const first = commit(team, { 'tools/p/skills/pdf/SKILL.md': skillText('pdf', 'First.'), ...skillsAt('skills/top') })
    const second = commit(team, { 'tools/p/skills/pdf/SKILL.md': skillText('pdf', 'Second.') })
    const server = await startWebServer(makeCertificate(), (request, response) =>
      serveGit(repositories, request.url!, request, response),
    )
    onTestFinished(() => server.close())
    const options = { ca: server.ca, allowPrivate: ['127.0.0.1'], tokens: {} }
    const url = `${server.url}/team`
    const root = folderOf(
      market([
        { name: 'newest', source: { source: 'git-subdir', url, path: 'tools/p' } },
        { name: 'pinned', source: { source: 'git-subdir', url, path: 'tools/p', sha: first } },
        { name: 'whole', source: { source: 'url', url, ref: 'main' } },
      ]),
    )
    const { plugins } = await readMarketplace(root, options)
    const fetched = async (index: number, revision?: string) => {
      const origin = await plugins[index]!.open(revision === undefined ? {} : { revision })
      const { skills } = await origin.fetch()
      const [skill] = skills
      return [
        origin.resolved.revision,
        skill?.path,
        new TextDecoder().decode(skill?.files.get('SKILL.md')?.bytes).split('\n').at(-2),
      ]
    }
    expect(await fetched(0)).toEqual([second, 'tools/p/skills/pdf/SKILL.md', 'Second.'])
    expect(await fetched(1)).toEqual([first, 'tools/p/skills/pdf/SKILL.md', 'First.'])
    expect(await fetched(0, first)).toEqual([first, 'tools/p/skills/pdf/SKILL.md', 'First.'])
    expect(await fetched(2)).toEqual([second, 'skills/top/SKILL.md', 'Do it.'])
  })
})

describe('an agent plugin', () => {
  const $schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json'
  const pluginOf = (manifest: object, files: Files = {}) =>
    folderOf({ 'plugin.json': JSON.stringify(manifest), ...skillsAt('skills/greet'), ...files })

  it('[LIB-10] has the skills that are directly in its folder for them, and no others', async () => {
    const more = skillsAt('skills/greet/inner/deep', 'skills/group/other', 'other/skill')
    const origin = await resolvePlugin(pluginOf({ $schema, name: 'hello', skills: ['./other'] }, more))
    const { skills, diagnostics } = await origin.fetch()
    expect(skills.map(({ path }) => path)).toEqual(['skills/greet/SKILL.md'])
    expect(diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN', severity: 'warning', path: 'plugin.json' }])
    expect([...skills[0]!.files.keys()]).toEqual(['SKILL.md', 'inner/deep/SKILL.md'])
  })

  it('[LIB-10] keeps extensions that are none out, and says so', async () => {
    const manifest = { $schema, name: 'a.b-c', version: 'x', author: { name: 'A' }, keywords: ['k'], extensions: [] }
    const { diagnostics } = await (await resolvePlugin(pluginOf(manifest))).fetch()
    expect(diagnostics.map(({ code }) => code)).toEqual(['FIELD_UNKNOWN'])
  })

  it.each([
    ['another version', { $schema: $schema.replace('1.0.0', '9.0.0'), name: 'hello' }],
    ['no name', { $schema }],
    ['a name that is not one', { $schema, name: 'has--double' }],
    ['an author that is a text', { $schema, name: 'hello', author: 'A' }],
    ['an author with more', { $schema, name: 'hello', author: { phone: '1' } }],
    ['keywords that are not texts', { $schema, name: 'hello', keywords: [1] }],
    ['a version that is a number', { $schema, name: 'hello', version: 1 }],
  ])('[LIB-10] with %s is refused', async (_, manifest) => {
    const origin = await resolvePlugin(pluginOf(manifest))
    await expect(origin.fetch()).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
  })

  it('[LIB-10] is another client’s where its plugin.json does not say that it is one', async () => {
    const root = pluginOf(
      { name: 'copilot' },
      { ...skillsAt('more/x'), '.claude-plugin/plugin.json': '{"skills":"./more"}' },
    )
    const { skills } = await (await resolvePlugin(root)).fetch()
    expect(skills.map(({ name }) => name)).toEqual(['greet', 'x'])
    await expect((await resolvePlugin(folderOf({ 'README.md': '' }))).fetch()).rejects.toMatchObject({
      code: 'SKILL_NOT_FOUND',
    })
  })
})
