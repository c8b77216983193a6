import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  memorySource,
  openRepertoire,
  type Repertoire,
  type SkillFolder,
  type SkillSource,
  type Admission,
} from '../../src/index.ts'
import { mapped } from '../mapped-source.ts'

const text = (name: string, fields = ''): string => `---\nname: ${name}\ndescription: A skill.\n${fields}---\nBody.\n`
type Files = Readonly<Record<string, string | Uint8Array>>

/** Skills by name: the fields of each, or its files. */
const source = (skills: Readonly<Record<string, string | Files>>): SkillSource =>
  memorySource({
    layer: 'project',
    skills: Object.fromEntries(
      Object.entries(skills).map(([name, own]) => [
        name,
        typeof own === 'string' ? { 'SKILL.md': text(name, own) } : own,
      ]),
    ),
  })

const open = (admit: Admission, skills: Readonly<Record<string, string | Files>>): Promise<Repertoire> =>
  openRepertoire({ sources: [source(skills)], admit })
const listed = ({ catalog }: Repertoire): readonly string[] => catalog.list().map(({ name }) => name)

const READ_ONLY: Admission = { tools: ['Read', 'Grep', 'Glob'], scripts: false, hooks: false }

describe('[DISC-14] admission', () => {
  it('admits only read-only skills by three options', async () => {
    const repertoire = await open(READ_ONLY, {
      reader: 'allowed-tools: Read Grep\n',
      narrow: 'allowed-tools: Read(docs/**)\n',
      none: 'allowed-tools: []\n',
      free: '',
      writer: 'allowed-tools: Read Write\n',
      shell: 'allowed-tools: Bash(git:*)\n',
      hooked: 'allowed-tools: Read\nhooks:\n  pre: ./scripts/check.sh\n',
      scripted: { 'SKILL.md': text('scripted'), 'scripts/run.py': 'print(1)' },
      typed: 'type: script\n',
      bringing: 'toolsets: [toolsets/index:MyTools]\n',
    })
    expect(listed(repertoire)).toEqual(['free', 'narrow', 'none', 'reader'])
    expect(repertoire.catalog.refused.map(({ skill, reasons }) => [skill.name, reasons.length])).toEqual([
      ['bringing', 1],
      ['hooked', 1],
      ['scripted', 1],
      ['shell', 1],
      ['typed', 1],
      ['writer', 1],
    ])
  })

  it('reports each refused skill with its reasons, as data and in explain', async () => {
    const repertoire = await open(READ_ONLY, { writer: 'allowed-tools: Read Write Bash(rm:*)\nhooks:\n  pre: a.sh\n' })
    const { catalog } = repertoire
    expect(catalog.has('writer')).toBe(false)
    expect(() => catalog.get('writer')).toThrow(expect.objectContaining({ code: 'SKILL_NOT_FOUND' }))
    expect(catalog.diagnostics).toEqual([
      {
        code: 'SKILL_NOT_ADMITTED',
        severity: 'warning',
        path: 'memory:memory/writer/SKILL.md',
        message:
          'The skill "writer" is not admitted: It asks for Write, Bash(rm:*), and not all of that is within `admit.tools`. It has hooks (a.sh), and `admit.hooks` is false.',
        hint: expect.any(String),
      },
    ])
    const explanation = repertoire.explain('writer')
    expect(explanation).toMatchObject({
      verdict: 'refused',
      candidates: [{ fate: 'refused', reasons: [{ type: 'refused' }, { type: 'refused' }] }],
    })
    expect(explanation.text).toContain('"writer" is not admitted by the host.')
    expect(explanation.text).toContain('It asks for Write, Bash(rm:*)')
    expect(repertoire.explain('writr').nearest).toEqual(['writer'])
  })

  it.each<[string, Admission, string | undefined]>([
    ['nothing is said', {}, undefined],
    ['tools are bounded, which bounds it too', { tools: ['Read', 'Grep'] }, 'Read, Grep'],
    ['everything is said', { withoutAllowedTools: 'everything' }, undefined],
    ['nothing is to be given', { withoutAllowedTools: 'nothing' }, 'no tools but the skill tools'],
    ['a list is given', { tools: ['Read', 'Bash'], withoutAllowedTools: ['Bash(git:*)'] }, 'Bash(git:*)'],
  ])('gives a skill without allowed-tools what the host says: %s', async (_, admit, given) => {
    const repertoire = await open(admit, { free: '', own: 'allowed-tools: Read\n' })
    const { text: explained, candidates } = repertoire.explain('free')
    if (given === undefined) expect(candidates[0]!.reasons).toEqual([])
    else expect(explained).toContain(`the host's \`admit\` gives it ${given}`)
    expect(repertoire.explain('own').candidates[0]!.reasons).toEqual([])
  })

  it('does not let a skill that is not admitted hide one that is', async () => {
    const repertoire = await openRepertoire({
      sources: [
        memorySource({
          layer: 'enterprise',
          id: 'high',
          skills: { pdf: { 'SKILL.md': text('pdf', 'allowed-tools: Bash\n') } },
        }),
        memorySource({
          layer: 'project',
          id: 'low',
          skills: { pdf: { 'SKILL.md': text('pdf', 'allowed-tools: Read\n') } },
        }),
      ],
      admit: { tools: ['Read'] },
    })
    expect(repertoire.catalog.get('pdf').source).toBe('low')
    expect(repertoire.explain('pdf').candidates.map(({ fate }) => fate)).toEqual(['shown', 'refused'])
  })

  it('judges skills at every reload: wider rules remove a skill, narrower rules restore it', async () => {
    const files = { now: 'allowed-tools: Read\n' }
    const own: SkillSource = {
      id: 'own',
      layer: 'project',
      scan: () => source({ pdf: files.now }).scan(),
    }
    const repertoire = await openRepertoire({ sources: [own], admit: { tools: ['Read'] } })
    expect(listed(repertoire)).toEqual(['pdf'])
    files.now = 'allowed-tools: Read Bash\n'
    await repertoire.reload({ force: true })
    expect(listed(repertoire)).toEqual([])
    expect(repertoire.explain('pdf').verdict).toBe('refused')
    files.now = 'allowed-tools: Read(docs/**)\n'
    await repertoire.reload({ force: true })
    expect(repertoire.catalog.has('pdf')).toBe(true)
    expect(repertoire.catalog.refused).toEqual([])
    expect(repertoire.catalog.diagnostics).toEqual([])
  })

  it('restores no older version of a refused skill after a broken edit', async () => {
    const files = { now: 'allowed-tools: Read\n' }
    const own: SkillSource = {
      id: 'own',
      layer: 'project',
      scan: () => source({ pdf: files.now }).scan(),
    }
    const repertoire = await openRepertoire({ sources: [own], admit: { tools: ['Read'] } })
    expect(listed(repertoire)).toEqual(['pdf'])
    for (const now of ['allowed-tools: Bash\n', 'allowed-tools: Bash(\n']) {
      files.now = now
      await repertoire.reload({ force: true })
      expect(listed(repertoire)).toEqual([])
    }
    expect(repertoire.catalog.kept).toEqual([])
  })

  it.each<[string, Files, string]>([
    ['a script where scripts are', { 'scripts/a.sh': '' }, 'scripts/a.sh'],
    ['a script anywhere', { 'a.py': '' }, 'a.py'],
    ['a hidden script', { '.a.sh': '' }, '.a.sh'],
    ['an ending that is not known', { 'assets/a.wasm': '' }, 'assets/a.wasm'],
    ['a file without an ending', { Makefile: '' }, 'Makefile'],
    ['a folder that is not looked into', { 'node_modules/a/index.js': '' }, 'node_modules'],
  ])('scripts: false refuses what may be run: %s', async (_, files, path) => {
    const repertoire = await open({ scripts: false }, { pdf: { 'SKILL.md': text('pdf'), ...files } })
    expect(listed(repertoire)).toEqual([])
    expect(repertoire.catalog.refused[0]!.reasons[0]).toContain(`It holds ${path}`)
    expect(listed(await open({}, { pdf: { 'SKILL.md': text('pdf'), ...files } }))).toEqual(['pdf'])
  })

  it('scripts: false admits documents, data and pictures', async () => {
    const files = { 'references/A.md': '', 'data.csv': '', 'assets/logo.PNG': '', LICENSE: '', 'LICENSE.txt': '' }
    expect(listed(await open({ scripts: false }, { pdf: { 'SKILL.md': text('pdf'), ...files } }))).toEqual(['pdf'])
  })

  it('shows no control character of a file name', async () => {
    const repertoire = await open({ scripts: false }, { pdf: { 'SKILL.md': text('pdf'), 'a\u001B[2J\u202E.sh': '' } })
    const [reason] = repertoire.catalog.refused[0]!.reasons
    expect(reason).toContain('.sh')
    expect(['\u001B', '\u202E'].filter((hidden) => reason!.includes(hidden))).toEqual([])
  })

  it('scripts: false refuses a skill whose files cannot be listed', async () => {
    const inner = source({ pdf: '' })
    const failing = (list: SkillFolder['list']): SkillSource => ({
      id: 'own',
      layer: 'project',
      scan: () => mapped(inner, (found) => ({ ...found, folder: { ...found.folder, list } })),
    })
    const repertoire = await openRepertoire({
      sources: [failing(() => Promise.reject(new Error('no')))],
      admit: { scripts: false },
    })
    expect(repertoire.catalog.refused[0]!.reasons).toEqual([
      'Its files could not be listed (no), and `admit.scripts` is false.',
    ])
  })

  it('lists no files unless scripts are restricted', async () => {
    const inner = source({ pdf: '' })
    let lists = 0
    const counting: SkillSource = {
      id: 'own',
      layer: 'project',
      scan: () =>
        mapped(inner, (found) => ({
          ...found,
          folder: { ...found.folder, list: () => (lists++, found.folder.list()) },
        })),
    }
    await openRepertoire({ sources: [counting], admit: { tools: ['Read'], hooks: false } })
    expect(lists).toBe(0)
    await openRepertoire({ sources: [counting], admit: { scripts: false } })
    expect(lists).toBe(1)
  })

  it.each<[unknown, string]>([
    [[], '`admit` is a list. Give an object { tools'],
    ['read-only', '`admit` is "read-only"'],
    [{ tool: ['Read'] }, 'unknown option `admit.tool`. Did you mean `admit.tools`?'],
    [{ files: true }, 'The options of `admit` are `tools`, `withoutAllowedTools`, `scripts`, `hooks`.'],
    [{ scripts: 'no' }, '`admit.scripts` is "no". Give true or false.'],
    [{ hooks: 0 }, '`admit.hooks` is 0. Give true or false.'],
    [{ tools: 'Read' }, '`admit.tools` is "Read". Give a list of rules'],
    [{ tools: ['Bash(git:*'] }, '`admit.tools` holds "Bash(git:*", which is not closed. Add ")".'],
    [
      { withoutAllowedTools: 'all' },
      '`admit.withoutAllowedTools` is "all". Give "everything" or "nothing", or a list of rules',
    ],
    [{ tools: ['Read'], withoutAllowedTools: 'everything' }, 'a skill would get more by naming nothing'],
    [{ tools: ['Read'], withoutAllowedTools: ['Grep'] }, 'holds "Grep", which is not within `admit.tools`'],
  ])('refuses an invalid option: %j', async (admit, message) => {
    const opening = openRepertoire({ sources: [], admit: admit as Admission })
    await expect(opening).rejects.toBeInstanceOf(TypeError)
    await expect(opening).rejects.toThrow(message)
  })

  it('admits a rule for some commands within a rule for all of them', async () => {
    expect(listed(await open({ tools: ['Bash'] }, { pdf: 'allowed-tools: Bash(git log:*)\n' }))).toEqual(['pdf'])
  })
})

describe('folders that never answer', () => {
  it('[DISC-14, CAT-10, ABUSE-121] are not awaited one after the other: their source is skipped, and others load', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `s${index}`)
    const slow = source(Object.fromEntries(names.map((name) => [name, ''])))
    let lists = 0
    const begun = Promise.withResolvers<void>()
    const list = (): Promise<never> => {
      lists++
      begun.resolve()
      return new Promise(() => {})
    }
    const hanging: SkillSource = {
      ...slow,
      id: 'hanging',
      scan: () => mapped(slow, (found) => ({ ...found, folder: { ...found.folder, list } })),
    }
    const sources = [hanging, source({ good: '' })]
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const opening = openRepertoire({ sources, admit: { scripts: false }, catalog: { loadTimeout: 100 } })
    await begun.promise
    await vi.advanceTimersByTimeAsync(100)
    const repertoire = await opening
    expect(listed(repertoire)).toEqual(['good'])
    expect(lists).toBeLessThan(20)
    expect(repertoire.explain('s0').text).toContain('did not answer within 100 ms')
    expect(repertoire.explain('s99').text).toContain('its source does not answer')
  })
})
