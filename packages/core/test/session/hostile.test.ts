import { describe, expect, it } from 'vitest'
import { memorySource } from '../../src/catalog/memory-source.ts'
import { openRepertoire } from '../../src/repertoire.ts'
import type { RepertoireOptions, SessionOptions } from '../../src/repertoire-options.ts'
import type { Session } from '../../src/session/session.ts'
import type { FolderEntry, FolderListing } from '../../src/ports/folder.ts'
import type { Outcome } from '../../src/ports/outcome.ts'
import type { SkillSource } from '../../src/ports/source.ts'
import type { ToolCall } from '../../src/ports/tool.ts'

const HOST = ['Bash', 'Read']
const manifest = (name: string, fields = '', body = 'Body.'): string =>
  `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\n${body}\n`
const skills = {
  free: { 'SKILL.md': manifest('free'), 'scripts/go.sh': 'echo', 'scripts/run': 'echo', 'notes.md': 'a\nb' },
  narrow: { 'SKILL.md': manifest('narrow', 'allowed-tools: Read\n') },
}

/** A source whose listings are changed. */
function listing(source: SkillSource, change: (listing: FolderListing) => FolderListing): SkillSource {
  return {
    ...source,
    scan: (visitor) =>
      source.scan({
        diagnostic: (diagnostic) => visitor.diagnostic(diagnostic),
        skill: (found) =>
          visitor.skill({
            ...found,
            folder: { ...found.folder, list: async () => change(await found.folder.list()) },
          }),
      }),
  }
}

const executable = (file: FolderEntry): FolderEntry => ({ ...file, executable: file.path === 'scripts/run' })
const source = listing(memorySource({ layer: 'project', skills }), (listed) => ({
  ...listed,
  files: listed.files.map(executable),
}))

async function open(session: SessionOptions = {}, options: Partial<RepertoireOptions> = {}): Promise<Session> {
  const repertoire = await openRepertoire({ sources: [source], ...options })
  return repertoire.openSession({ hostTools: HOST, consent: () => true, ...session })
}

const activation = (name: string, id = 'c1', more: object = {}): ToolCall => ({
  id,
  tool: 'activate_skill',
  input: { name, ...more },
})
const run = (session: Session, call: ToolCall): Promise<Outcome> => session.call(call, () => 'ran')
const code = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.refusal.code)

describe('inputs that are no plain JSON', () => {
  const nested = (levels: number): unknown =>
    JSON.parse(`{"name":"free","command":"ls","z":${'['.repeat(levels)}${']'.repeat(levels)}}`)
  const circle: Record<string, unknown> = { name: 'free', command: 'ls' }
  circle['self'] = circle
  const throwing = Object.defineProperty({}, 'name', {
    enumerable: true,
    get() {
      throw new Error('read')
    },
  })

  it.each([
    ['20,000 levels deep', nested(20_000)],
    ['referring to itself', circle],
    ['throwing when read', throwing],
    ['a list 20,000 levels deep', JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
  ])('[GATE-7] refuses an input %s, in every call, and throws nothing', async (_, input) => {
    const session = await open()
    for (const tool of ['Bash', 'activate_skill', 'deactivate_skill', 'read_skill_resource']) {
      expect(code(await run(session, { id: '1', tool, input }))).toBe('INPUT_INVALID')
    }
    const repertoire = await openRepertoire({ sources: [source] })
    const suspending = repertoire.openSession({ hostTools: HOST })
    expect(await suspending.consentFor({ id: '1', tool: 'activate_skill', input })).toBeUndefined()
    expect(code(await run(session, activation('free')))).toBe('ok')
  })

  it('[GATE-1] gives a tool what its framework made of the input: dates, addresses, functions', async () => {
    const session = await open()
    const made = { command: 'ls', at: new Date(0), url: new URL('http://a.example/b'), done: () => 1, big: 7n }
    let got: unknown
    await session.call({ id: '1', tool: 'Bash', input: made }, ({ input }) => void (got = input))
    expect(got).toEqual(made)
    expect(got).not.toBe(made)
  })

  it('[GATE-1, GATE-4] refuses names that make a prototype of what stands under them as soon as a tool assigns it', async () => {
    const session = await open()
    const refused = [
      '{"command":"ls","__proto__":{"file_path":"x"}}',
      '{"command":"ls","a":[{"__proto__":null}]}',
      '{"command":"ls","constructor":{"prototype":{"file_path":"x"}}}',
    ]
    for (const input of refused) {
      const outcome = await run(session, { id: '1', tool: 'Bash', input: JSON.parse(input) as unknown })
      expect(code(outcome)).toBe('INPUT_INVALID')
      expect(outcome.text).toContain('names a prototype')
    }
    const assigned = Object.assign({}, JSON.parse('{"command":"ls","__proto__":{"file_path":"x"}}') as object)
    for (const input of [assigned, { command: 'ls', a: [assigned] }]) {
      expect(code(await run(session, { id: '1', tool: 'Bash', input }))).toBe('INPUT_INVALID')
    }
    for (const input of ['{"command":"ls","constructor":"x"}', '{"command":"ls","prototype":{}}']) {
      expect(code(await run(session, { id: '1', tool: 'Bash', input: JSON.parse(input) as unknown }))).toBe('ok')
    }
  })

  it('[GATE-4] judges the properties of an input that is an instance of a class', async () => {
    const session = await open()
    await run(session, activation('free'))
    class Input {
      readonly file_path = 'memory:memory/free/scripts/go.sh'
    }
    expect(code(await run(session, { id: '2', tool: 'Read', input: new Input() }))).toBe('SCRIPT_READ_BLOCKED')
  })

  it('[ASK-5] has a question about an input that JSON cannot carry', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const session = repertoire.openSession({ hostTools: HOST })
    const call = activation('free', '1', { n: 1n })
    const request = await session.consentFor(call)
    session.answer({ requestId: request!.id, approved: true })
    expect(code(await run(session, call))).toBe('ok')
  })
})

describe('a session that ends', () => {
  it('[ACT-7] gives up the question that is being asked, and asks nothing more', async () => {
    const asked: AbortSignal[] = []
    const handed = Promise.withResolvers<void>()
    const session = await open({
      consentTimeout: Infinity,
      consent: (_, { signal }) => {
        asked.push(signal)
        handed.resolve()
        return new Promise(() => undefined)
      },
    })
    const asking = run(session, activation('free'))
    const waiting = run(session, activation('narrow', 'c2'))
    await handed.promise
    const ended = session.end()
    const late = run(session, activation('narrow', 'c3'))
    await ended
    expect((await Promise.all([asking, waiting, late])).map(code)).toEqual(Array(3).fill('SESSION_ENDED'))
    expect(asked.map(({ aborted }) => aborted)).toEqual([true])
    expect(session.state).toMatchObject({ active: [], granted: [], ended: true })
  })

  it('[ACT-7, ASK-3] takes no answer of a handler that `ask` waits for', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const session = repertoire.openSession({ hostTools: HOST })
    const request = await session.consentFor(activation('free'))
    session.takeChanges()
    const asking = session.ask(request!, () => new Promise(() => undefined))
    await session.end()
    await asking
    expect(session.takeChanges()).toEqual([{ type: 'ended' }])
  })

  it('[ACT-7] begins no tool whose call was judged when it ended', async () => {
    const session = await open()
    let ran = false
    const calling = session.call({ id: '1', tool: 'Bash', input: { command: 'ls' } }, () => (ran = true))
    await session.end()
    expect(code(await calling)).toBe('SESSION_ENDED')
    expect(ran).toBe(false)
  })

  it('[ACT-7] ends while a tool runs, whose result still comes', async () => {
    const session = await open()
    const started = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<string>()
    const calling = session.call({ id: '1', tool: 'Bash', input: { command: 'ls' } }, () => {
      started.resolve()
      return finish.promise
    })
    await started.promise
    await session.end()
    finish.resolve('result')
    expect(await calling).toEqual({ ok: true, value: 'result' })
  })

  it('[ASK-3] is not held up by a handler that calls the session again', async () => {
    let inner: Promise<Outcome> | undefined
    const session: Session = await open({
      consentTimeout: 5,
      consent: async () => {
        inner = run(session, activation('narrow', 'inner'))
        return (await inner).ok
      },
    })
    expect(code(await run(session, activation('free')))).toBe('CONSENT_DENIED')
    await session.end()
    expect(code((await inner)!)).toBe('SESSION_ENDED')
  })

  it('[ASK-3] waits for a handler without a limit where the host sets none', async () => {
    const session = await open({
      consentTimeout: Infinity,
      consent: () => new Promise((resolve) => setTimeout(() => resolve(true), 5)),
    })
    expect(code(await run(session, activation('free')))).toBe('ok')
  })

  it('[ASK-3] refuses a time limit that is none', async () => {
    for (const consentTimeout of [0, -1, Number.NaN]) await expect(open({ consentTimeout })).rejects.toThrow(TypeError)
  })
})

describe('calls of one message', () => {
  it('[GATE-4, GATE-5] keeps a script from a read tool though the skill is left beside it', async () => {
    const session = await open()
    await run(session, activation('free'))
    session.beginStep(HOST)
    const read = { id: '2', tool: 'Read', input: { file_path: 'memory:memory/free/scripts/go.sh' } }
    expect(code(await run(session, { id: '1', tool: 'deactivate_skill', input: {} }))).toBe('ok')
    expect(code(await run(session, read))).toBe('SCRIPT_READ_BLOCKED')
    session.beginStep(HOST)
    expect(code(await run(session, read))).toBe('ok')
  })

  it('[ASK-5] keeps calls without an id apart by their input', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const session = repertoire.openSession({ hostTools: HOST })
    const [one, two] = [activation('free', ''), activation('narrow', '')]
    const requests = await Promise.all([session.consentFor(one), session.consentFor(two)])
    session.answer({ requestId: requests[0]!.id, approved: true })
    expect(code(await run(session, two))).toBe('CONSENT_DENIED')
    expect(code(await run(session, one))).toBe('ok')
  })
})

describe('scripts of an active skill', () => {
  it.each(['./scripts/run', 'scripts/./run', 'scripts/run', 'SCRIPTS/Run', './scripts/go.sh'])(
    '[GATE-4] shows the script %j not even as a resource',
    async (path) => {
      const session = await open()
      await run(session, activation('free'))
      expect(code(await run(session, { id: '2', tool: 'read_skill_resource', input: { path } }))).toBe(
        'SCRIPT_READ_BLOCKED',
      )
    },
  )
})

describe('paths of a read tool', () => {
  const read = async (path: string, cwd?: string): Promise<string> => {
    const session = await open(cwd === undefined ? {} : { cwd })
    await run(session, activation('free'))
    return code(await run(session, { id: '2', tool: 'Read', input: { file_path: path } }))
  }

  it.each([
    'scripts/run',
    './Scripts/go.sh',
    'x/../scripts/go.sh',
    'memory:memory/FREE/scripts/new.sh',
    'free/scripts/go.sh',
  ])('[GATE-4] keeps %j from the model, whatever the case and the folder that it is taken against', async (path) => {
    expect(await read(path)).toBe('SCRIPT_READ_BLOCKED')
  })

  it("[GATE-4] leaves a project's own scripts alone, which the skill does not have", async () => {
    expect(await read('scripts/build.sh', '/project')).toBe('ok')
    expect(await read('scripts/go.sh', '/project')).toBe('SCRIPT_READ_BLOCKED')
    expect(await read('/project/scripts/go.sh', '/project')).toBe('ok')
  })
})

describe('patterns and folders that take scripts in', () => {
  const LOCATION = '/home/u/.skills/free'
  const placed: SkillSource = {
    ...source,
    scan: (visitor) =>
      source.scan({
        diagnostic: (diagnostic) => visitor.diagnostic(diagnostic),
        skill: (found) =>
          visitor.skill({
            ...found,
            folder: {
              ...found.folder,
              location: `/home/u/.skills/${found.folderName}`,
              alias: `/private/u/.skills/${found.folderName}`,
            },
          }),
      }),
  }
  const judged = async (tool: string, input: object, cwd?: string): Promise<Outcome> => {
    const session = await open({ hostTools: ['Bash', tool], ...(cwd !== undefined && { cwd }) }, { sources: [placed] })
    await run(session, activation('free'))
    return run(session, { id: '2', tool, input })
  }

  it.each([
    'scripts/*',
    './scripts/**',
    'scripts/g?.sh',
    'scripts/[a-z]o.sh',
    'scripts/[]g]*',
    'scripts/{x,go}.sh',
    '{docs,scripts}/*.{md,sh}',
    'scripts/{x,{g,y}o}.sh',
    'scripts/@(go|x).sh',
    'scr\\ipts/go.sh',
    '**/*.sh',
    '*.sh',
    '**',
    `${LOCATION}/**/scripts/*.sh`,
    `${LOCATION}/**/**/go.sh`,
    `${LOCATION}/SCRIPTS/G*`,
    `${LOCATION}/docs/../scripts/*`,
    '/private/u/.skills/*/scripts/run',
    '~/.skills/free/s*/run',
    'file:///home/u/.skills/free/scripts/*',
    '/x/*/../../home/u/.skills/free/scripts/go.sh',
    '/x/[.][.]/home/u/.skills/free/scripts/go.sh',
    '/x/.*/home/u/.skills/free/scripts/go.sh',
    `${'{a,b}'.repeat(20)}x`,
    `*${'a'.repeat(2_000)}`,
  ])('[GATE-4] keeps the scripts that %j may name from a tool that reads', async (path) => {
    for (const [tool, input] of [
      ['Read', { file_path: path }],
      ['read_many_files', { paths: ['README.md', path] }],
    ] as const) {
      const outcome = await judged(tool, input, '/home/u')
      expect(code(outcome)).toBe('SCRIPT_READ_BLOCKED')
      expect(outcome.text).toContain('scripts are run, not read')
    }
    expect(code(await judged('read_many_files', { paths: [path] }))).toBe('SCRIPT_READ_BLOCKED')
  })

  it.each([
    '**/*.py',
    '*.ts',
    'src/**/*',
    `${LOCATION}/references/*`,
    `${LOCATION}/*.md`,
    'app/[...slug]/page.sh',
    'app/(group)/(..)photo/[id]/go.sh',
    'report (1).md',
    'docs/{a,b}.md',
    '*.{md,txt}',
  ])('[GATE-4] leaves %j alone, which names none', async (path) => {
    expect(code(await judged('read_many_files', { paths: [path] }, '/home/u/project'))).toBe('ok')
  })

  it("[GATE-4] leaves a project's patterns alone where the skill lies elsewhere", async () => {
    for (const path of ['**/*.sh', '*', '**']) {
      expect(code(await judged('read_many_files', { paths: [path] }, '/project'))).toBe('ok')
    }
  })

  it.each([
    'scripts/go.sh',
    `${LOCATION}/scripts`,
    `${LOCATION}/scripts/`,
    LOCATION,
    '/private/u/.skills/free',
    '.skills/free',
  ])('[GATE-4] lets no search show the scripts below %j', async (path) => {
    expect(code(await judged('Grep', { pattern: '.', path }, '/home/u'))).toBe('SCRIPT_READ_BLOCKED')
  })

  it.each([undefined, '.', '/home/u', '/home/u/.skills', 'scripts', `${LOCATION}/references`, `${LOCATION}/notes.md`])(
    '[GATE-4] lets a search of %j go, a whole project or what holds no script',
    async (path) => {
      expect(code(await judged('Grep', { pattern: 'x', ...(path !== undefined && { path }) }, '/home/u'))).toBe('ok')
    },
  )

  it('[GATE-4] keeps a script from a tool by either spelling of the folder, and says where to run it', async () => {
    for (const path of [`${LOCATION}/scripts/run`, '/private/u/.skills/free/scripts/run']) {
      const outcome = await judged('Read', { file_path: path }, '/')
      expect(code(outcome)).toBe('SCRIPT_READ_BLOCKED')
      expect(outcome.text).toContain(`${LOCATION}/scripts/run`)
    }
    const session = await open({ id: 's', hostTools: ['Read'] }, { sources: [placed] })
    await run(session, activation('free'))
    expect(session.state.active).toMatchObject([{ location: LOCATION, alias: '/private/u/.skills/free' }])
    const again = await open({ saved: session.save(), hostTools: ['Read'] }, { sources: [placed] })
    const read = { id: '2', tool: 'Read', input: { file_path: '/private/u/.skills/free/scripts/run' } }
    expect(code(await run(again, read))).toBe('SCRIPT_READ_BLOCKED')
  })
})

describe('folders that cannot be seen whole', () => {
  const cut: readonly (readonly [string, (listed: FolderListing) => FolderListing])[] = [
    ['whose listing is cut', (listed) => ({ ...listed, truncated: true })],
    ['with a link', (listed) => ({ ...listed, refused: [{ path: 'scripts/lib.sh', reason: 'a link' }] })],
    [
      'with more hidden files than are looked at',
      (listed) => ({ ...listed, withheld: { ...listed.withheld, truncated: true } }),
    ],
    [
      'with a hidden link',
      (listed) => ({ ...listed, withheld: { ...listed.withheld, refused: [{ path: '.l', reason: 'a link' }] } }),
    ],
    [
      'with a file that is gone',
      (listed) => ({ ...listed, files: [...listed.files, { path: 'x', size: 1, executable: false }] }),
    ],
  ]

  it.each(cut)('[ASK-2, ASK-5] activates a skill %s after a yes, for this activation alone', async (_, change) => {
    const repertoire = await openRepertoire({ sources: [listing(source, change)] })
    const session = repertoire.openSession({ hostTools: HOST })
    for (const id of ['first', 'second']) {
      const request = await session.consentFor(activation('free', id))
      expect(request?.text).toContain('for this activation alone')
      session.answer({ requestId: request!.id, approved: true })
      expect(code(await run(session, activation('free', id)))).toBe('ok')
      await run(session, { id: `${id}-left`, tool: 'deactivate_skill', input: {} })
    }
    expect(session.state.granted).toEqual([])
  })

  it('[ASK-2, ABUSE-92] asks anew where a file got a run bit', async () => {
    const digests = await Promise.all(
      [true, false].map(async (bit) => {
        const found = listing(memorySource({ layer: 'project', skills }), (listed) => ({
          ...listed,
          files: listed.files.map((file) => ({ ...file, executable: bit && file.path === 'notes.md' })),
        }))
        const repertoire = await openRepertoire({ sources: [found] })
        return (await repertoire.openSession().consentFor(activation('free')))?.digest
      }),
    )
    expect(digests[0]).not.toBe(digests[1])
  })

  it('[ASK-2] binds consent to the manifest though the listing has lost it', async () => {
    const digests = await Promise.all(
      ['Read', 'Bash'].map(async (tool) => {
        const found = memorySource({
          layer: 'project',
          skills: { a: { 'SKILL.md': manifest('a', `allowed-tools: ${tool}\n`) } },
        })
        const repertoire = await openRepertoire({ sources: [listing(found, (listed) => ({ ...listed, files: [] }))] })
        return (await repertoire.openSession().consentFor(activation('a')))?.digest
      }),
    )
    expect(digests[0]).not.toBe(digests[1])
  })
})

describe('sources that fail in their own ways', () => {
  /** A source whose folders throw in one of their functions, once the skills are found. */
  const failing = (name: 'readManifest' | 'list' | 'read', thrown: unknown): SkillSource => ({
    ...source,
    scan: (visitor) =>
      source.scan({
        diagnostic: (diagnostic) => visitor.diagnostic(diagnostic),
        skill: (found) =>
          visitor.skill({ ...found, folder: { ...found.folder, [name]: () => Promise.reject(thrown) } }),
      }),
  })
  const thrown = [
    ['an error', new Error('The store is away.'), 'The store is away.'],
    ['no error', 'The store is away.', 'The store is away.'],
    ['a very long one', new Error('x'.repeat(5_000)), `${'x'.repeat(1_000)}…`],
    ['what has no text', Object.create(null) as unknown, 'cannot be shown'],
  ] as const

  it.each(thrown)('[ABUSE-106] refuses an activation where the folder throws %s', async (_, error, text) => {
    for (const name of ['readManifest', 'list', 'read'] as const) {
      const session = await open({}, { sources: [failing(name, error)] })
      const outcome = await run(session, activation('free'))
      expect(outcome).toMatchObject({ ok: false, refusal: { code: 'SKILL_BROKEN' } })
      expect(outcome.text).toContain(text)
      expect(outcome.text?.length).toBeLessThan(1_200)
      const suspending = (await openRepertoire({ sources: [failing(name, error)] })).openSession()
      expect(await suspending.consentFor(activation('free'))).toBeUndefined()
    }
  })

  it.each(thrown)('[RES-2] refuses to read a resource where the folder throws %s', async (_, error, text) => {
    const first = await open({ id: 's' })
    await run(first, activation('free'))
    const session = await open({ id: 's', saved: first.save() }, { sources: [failing('read', error)] })
    const outcome = await run(session, { id: '2', tool: 'read_skill_resource', input: { path: 'notes.md' } })
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'RESOURCE_REFUSED' } })
    expect(outcome.text).toContain(text)
  })
})

describe('what is saved', () => {
  it('[ACT-15] saves a session with a skill of more rules than any sane one has', async () => {
    const rules = Array.from({ length: 1_500 }, (_, n) => `T${n}`).join(' ')
    const many = memorySource({
      layer: 'project',
      skills: { many: { 'SKILL.md': manifest('many', `allowed-tools: ${rules}\n`) } },
    })
    const repertoire = await openRepertoire({ sources: [many] })
    const session = repertoire.openSession({ hostTools: HOST, consent: () => true })
    expect(code(await run(session, activation('many')))).toBe('ok')
    expect(repertoire.openSession({ saved: session.save() }).state.active[0]?.rules).toHaveLength(1_500)
  })

  it('[ACT-15] saves a session after more grants than are kept, of which the last hold', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const session = repertoire.openSession({ id: 's', hostTools: HOST })
    const grants = Array.from({ length: 1_200 }, (_, n) => ({
      type: 'granted' as const,
      grant: { skill: 'free', source: 'memory', digest: String(n) },
    }))
    const saved = repertoire.advance(session.save(), grants)!
    expect(saved.state.granted).toHaveLength(1_000)
    expect(saved.state.granted.at(-1)?.digest).toBe('1199')
    expect(repertoire.openSession({ saved }).id).toBe('s')
  })

  it('[ACT-8] merges nothing that another session did', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const saved = repertoire.openSession({ id: 'one' }).save()
    const other = repertoire.openSession({ id: 'two', hostTools: HOST, consent: () => true })
    await run(other, activation('narrow'))
    expect(repertoire.advance(saved, other.takeChanges())).toBe(saved)
  })

  it('[ACT-6, ACT-15] offers the way out of a skill that is active and no longer visible', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const first = repertoire.openSession({ hostTools: HOST, consent: () => true })
    await run(first, activation('narrow'))
    const again = repertoire.openSession({ saved: first.save(), skills: [], hostTools: HOST })
    const view = again.beginStep(HOST)
    expect(view.tools.map(({ name }) => name)).toEqual(['deactivate_skill', 'read_skill_resource'])
    expect(view.hides('Bash')).toBe(true)
    expect(code(await run(again, { id: '2', tool: 'deactivate_skill', input: {} }))).toBe('ok')
    expect(again.beginStep(HOST).tools).toEqual([])
  })
})

describe('options that are mistakes of the program', () => {
  it.each([{ activate: 'x', deactivate: 'X' }, { activate: '' }, { readResource: undefined as never }])(
    '[ACT-1] refuses the tool names %j',
    async (toolNames) => {
      await expect(open({}, { toolNames })).rejects.toThrow(TypeError)
    },
  )

  it('[ACT-15] refuses an empty key, which would seal nothing', async () => {
    await expect(open({}, { stateKey: '' })).rejects.toThrow(/stateKey/)
  })
})
