import { describe, expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import {
  type FolderListing,
  type SkillConsentRequest,
  type SkillSource,
  type ToolCall,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { listing } from '../hostile-world.ts'
import { hooksBy } from '../hook-runner.ts'

const CALL: ToolCall = { id: 'c', tool: 'activate_skill', input: { name: 'pdf' } }

interface Asked {
  readonly fields?: string
  readonly description?: string
  readonly files?: Readonly<Record<string, string>>
  readonly listed?: (listing: FolderListing) => FolderListing
  readonly call?: Partial<ToolCall>
  readonly task?: string
  /** The id of the source. */
  readonly from?: string
}

/** The request for consent to a skill. */
async function requestFor(asked: Asked = {}): Promise<SkillConsentRequest> {
  const { fields = '', description = 'Reads PDF files.', files = {}, listed, call, task = 'task', from = 's' } = asked
  const manifest = `---\nname: pdf\ndescription: ${description}\n${fields}---\nBody.\n`
  const skills = { pdf: { 'SKILL.md': manifest, ...files } }
  const found: SkillSource = memorySource({ layer: 'project', id: from, skills })
  const repertoire = await openRepertoire({
    sources: [listed === undefined ? found : listing(found, listed)],
    scripts: hooksBy(() => ({ ok: true })),
    toolsets: { layers: ['project'], loader: { load: () => Promise.reject(new Error('not loaded')) } },
  })
  const request = (await openAdapterSession(repertoire, { id: task }).preview({ ...CALL, ...call }, { asks: true }))
    .waits
  return request as SkillConsentRequest
}

describe('the id of a consent request', () => {
  it('[ASK-2, ABUSE-94] is another one for another session, call, input, source or content', async () => {
    const { id } = await requestFor()
    expect((await requestFor()).id).toBe(id)
    expect(id).toMatch(/^[\da-f]{48}$/)
    for (const other of [
      { call: { id: 'd' } },
      { call: { input: { name: 'pdf', args: 'x' } } },
      { files: { 'a.md': 'more' } },
      { task: 'other' },
      { from: 'other' },
    ]) {
      expect((await requestFor(other)).id).not.toBe(id)
    }
  })

  it('[ASK-2] is the same one where a store reorders the keys of an input', async () => {
    const idOf = async (more: object) => (await requestFor({ call: { input: { name: 'pdf', ...more } } })).id
    const ordered = await idOf({ a: 1, b: { c: [2, { d: 3, e: 4 }], f: 5n } })
    expect(await idOf({ b: { f: 5n, c: [2, { e: 4, d: 3 }] }, a: 1 })).toBe(ordered)
    expect(await idOf({ a: 1, b: { c: [{ d: 3, e: 4 }, 2], f: 5n } })).not.toBe(ordered)
    expect(await idOf({ a: 1, b: { c: [2, { d: 3, e: 4 }], f: '5' } })).not.toBe(ordered)
    expect(await idOf({ b: { e: [], d: 3 } })).toBe(await idOf({ b: { d: 3, e: [] } }))
  })
})

describe('the text of a consent request', () => {
  const linesOf = ({ text }: SkillConsentRequest) => text.split('\n').slice(0, -1)

  it('[ASK-4] shows what there is, and leaves out what there is not', async () => {
    const request = await requestFor()
    expect(request.text).toBe(
      [
        'Activate the skill "pdf"?',
        '  what it says:  Reads PDF files.',
        '  from:          project layer, s',
        `  folder:        ${request.location}`,
        '  tools:         any tool (it has no allowed-tools)',
        "  a yes means:   all tools stay usable as before. The host's policy still applies.",
        '  scripts:       none',
        '  hooks:         none',
        `  sha256:        ${request.digest}`,
      ].join('\n'),
    )
    const { args, allowedTools, disallowedTools } = request
    expect([args, allowedTools, disallowedTools]).toEqual([undefined, undefined, undefined])
  })

  it('[ASK-4] names tools, scripts, hooks, toolsets, arguments and what cannot be checked', async () => {
    const file = (path: string) => ({ path, size: 1, executable: false })
    const refused = (...paths: readonly string[]) => paths.map((path) => ({ path, reason: 'a link' }))
    const request = await requestFor({
      call: { input: { name: 'pdf', args: 'x\u0007y' } },
      fields: [
        'allowed-tools: Bash(git:*) Read',
        'disallowed-tools: Write',
        'hooks:',
        '  pre: [make]',
        '  post: [make clean]',
        'toolsets: [mod:Tools]\n',
      ].join('\n'),
      files: { 'scripts/a.sh': '', 'scripts/b c.sh': '', 'scripts/d"e.sh': '' },
      listed: (found) => ({
        files: [...found.files, file('gone.md')],
        truncated: true,
        refused: refused('latest'),
        withheld: { files: [file('.gone')], truncated: false, refused: refused('1', '2', '3') },
      }),
    })
    expect(request.text).toBe(
      [
        'Activate the skill "pdf"?',
        String.raw`  arguments:     x\u{7}y`,
        '  what it says:  Reads PDF files.',
        '  from:          project layer, s',
        `  folder:        ${request.location}`,
        '  tools:         Read, Bash(git:*)',
        '  but not:       Write',
        "  a yes means:   only these tools may be used while the skill is active, as far as the host's policy and other active skills allow them.",
        '  warning:       unbounded rules: it may do anything that git can do on this machine',
        '  scripts:       scripts/a.sh, "scripts/b c.sh", "scripts/d\\"e.sh"',
        '  hooks:         make, "make clean"',
        '  run by:        hooks (NOT ISOLATED, the network is not kept from them)',
        '  warning:       scripts have all the rights of this program: your files, its processes, the network',
        '  brings tools:  mod:Tools',
        `  sha256:        ${request.digest}`,
        '  note:          the answer is for this activation alone, since the folder holds what cannot be checked: latest (a link), gone.md (unreadable), more files or deeper folders than are looked at, 1 (a link), 2 (a link) and 2 more',
      ].join('\n'),
    )
    expect(request).toMatchObject({
      callId: 'c',
      session: 'task',
      args: 'x\u0007y',
      allowedTools: ['Bash(git:*)', 'Read'],
      disallowedTools: ['Write'],
      hooks: ['make', 'make clean'],
      toolsets: ['mod:Tools'],
    })
  })

  it('[GATE-11] says in one line what the rules without bounds mean, and which rules mean nothing', async () => {
    const rules =
      'Read Bash(git log:*) Bash(make:*) Bash(npm test) Bash(sqlite3 x.db:*) Bash(acme:*) Bash(acme x) Bash(git*)'
    const request = await requestFor({ fields: `allowed-tools: ${rules}\n` })
    expect(request.warnings).toEqual([
      'unbounded rules: it may do anything that make, sqlite3, and acme can do on this machine',
      "git log may run what the repository's git configuration names",
      'rules that permit nothing: Bash(git*)',
    ])
    for (const warning of request.warnings) expect(request.text).toContain(`\n  warning:       ${warning}\n`)
    const shell = await requestFor({ fields: 'allowed-tools: shell Bash(sed:*)\n' })
    expect(shell.warnings).toEqual(['unbounded rules: it may run any command on this machine'])
    const harmless = await requestFor({ fields: 'allowed-tools: Read Bash(ls:*)\n' })
    expect(harmless.warnings).toEqual([])
    expect(harmless.text).not.toMatch(/unbounded|warning/)
  })

  const names = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`)
  it.each<[string, number, (count: number) => Asked]>([
    ['tools', 100, (count) => ({ fields: `allowed-tools: ${names(count).join(' ')}\n` })],
    ['but not', 100, (count) => ({ fields: `disallowed-tools: ${names(count).join(' ')}\n` })],
    ['hooks', 100, (count) => ({ fields: `hooks:\n  pre: [${names(count).join(', ')}]\n` })],
    [
      'brings tools',
      100,
      (count) => ({
        fields: `toolsets: [${names(count)
          .map((name) => `mod:${name}`)
          .join(', ')}]\n`,
      }),
    ],
    ['scripts', 20, (count) => ({ files: Object.fromEntries(names(count).map((name) => [`scripts/${name}.sh`, ''])) })],
  ])('[ASK-4] names in the line "%s" at most %i, and how many more there are', async (kind, most, asked) => {
    const line = async (count: number) =>
      linesOf(await requestFor(asked(count))).find((each) => each.startsWith(`  ${kind}:`))!
    const named = async (count: number) => [...(await line(count)).matchAll(/x\d+/g)].map(([name]) => name).toSorted()
    expect(await named(most)).toEqual(names(most).toSorted())
    expect(await line(most)).not.toContain('more')
    expect(await named(most + 2)).toHaveLength(most)
    expect(await line(most + 2)).toMatch(/ and 2 more$/)
  })

  it('[ASK-4] shows 2,000 characters of a description, and how many more there are', async () => {
    const line = async (count: number) =>
      linesOf(await requestFor({ description: 'x'.repeat(count), fields: '' })).find((each) =>
        each.startsWith('  what it says:'),
      )!
    expect(await line(1_000)).toMatch(/: {2}x{1000}$/)
    expect(await line(2_003)).toMatch(/: {2}x{2000}… and 3 more characters$/)
  })
})
