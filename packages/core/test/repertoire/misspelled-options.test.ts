import { assert, constantFrom, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { openAdapterSession } from '../../src/adapter.ts'
import { type Repertoire, type SkillSource, memorySource, openRepertoire } from '../../src/index.ts'

const plain = memorySource({
  layer: 'project',
  skills: { plain: { 'SKILL.md': '---\nname: plain\ndescription: Is plain.\n---\nDo it.\n' } },
})

/** A source that says whether it was scanned. */
function watched(): { readonly source: SkillSource; readonly scans: string[] } {
  const scans: string[] = []
  return { source: { ...plain, scan: () => (scans.push('scan'), plain.scan()) }, scans }
}

/** The message of the TypeError that opening throws. */
async function refusal(options: object): Promise<string> {
  const { source, scans } = watched()
  const error: unknown = await openRepertoire(foreign({ sources: [source], ...options })).catch((caught) => caught)
  expect(error).toBeInstanceOf(TypeError)
  expect(scans).toEqual([])
  return (error as TypeError).message
}

/** An object that has a value at a path such as `listing.style`. */
function at(path: string, value: unknown): object {
  const [name = '', ...rest] = path.split('.')
  return { [name]: rest.length === 0 ? value : at(rest.join('.'), value) }
}

/** Every path of an option, at any depth, as the refusals of unknown ones name them. */
async function pathsOf(open: (options: object) => unknown, above = ''): Promise<readonly string[]> {
  const unknown = `${above}qqqqqqqq`
  const message = await (async () => open(at(unknown, 'x')))().then(String, (error: Error) => error.message)
  if (!message.includes(`unknown option \`${unknown}\``)) return []
  const names = [...message.slice(message.indexOf(' are ')).matchAll(/`([^`.]+)`/g)].map(([, name]) => above + name)
  const below = await Promise.all(names.map((name) => pathsOf(open, `${name}.`)))
  return [...names, ...below.flat()]
}

describe('a misspelled option', () => {
  it.each([
    ['polcy', { polcy: { deny: ['Bash'] } }, 'openRepertoire: unknown option `polcy`. Did you mean `policy`?'],
    ['policy.dney', { policy: { dney: ['Bash'] } }, 'unknown option `policy.dney`. Did you mean `policy.deny`?'],
    [
      'context.summaries',
      { context: { summaries: { summarizeAbov: 0.5 } } },
      'Did you mean `context.summaries.summarizeAbove`?',
    ],
    ['admit', { admit: { scirpts: false } }, 'Did you mean `admit.scripts`?'],
    ['listing.budget', { listing: { budget: { shar: 0.1 } } }, 'Did you mean `listing.budget.share`?'],
    ['watch', { watch: { debonce: 1 } }, 'Did you mean `watch.debounce`?'],
    ['skillToolNames', { skillToolNames: { activat: 'use' } }, 'Did you mean `skillToolNames.activate`?'],
    ['scripts.limits', { scripts: { limits: { timeoutt: 1 } } }, 'Did you mean `scripts.limits.timeout`?'],
    [
      'toolsets',
      { toolsets: { loader: { load() {} }, layers: [], calTimeout: 1 } },
      'Did you mean `toolsets.callTimeout`?',
    ],
    ['audit', { audit: { sink: { write() {} }, requird: true } }, 'Did you mean `audit.required`?'],
    ['toolMap', { toolMap: { run: { as: 'Bash', arg: 'cmd' } } }, 'Did you mean `toolMap.run.argument`?'],
    [
      'tools.program',
      { toolMap: { 'a b': { program: { name: 'p', arg: 'a' } } } },
      'Did you mean `toolMap["a b"].program.args`?',
    ],
    ['an option that was removed', { sectionContent: true }, 'unknown option `sectionContent`'],
  ])('[CFG-1, ABUSE-133] of openRepertoire is refused before anything starts: %s', async (_what, options, message) => {
    expect(await refusal(options)).toContain(message)
  })

  it.each([
    ['consnt', { consnt: () => true }, 'openSession: unknown option `consnt`. Did you mean `consent`?'],
    ['policy', { policy: { alow: ['Read'] } }, 'Did you mean `policy.allow`?'],
    ['turns.match', { turns: { match: { limt: 2 } } }, 'Did you mean `turns.match.limit`?'],
    ['enforcement', { enforcement: { form: 'top' } }, 'Did you mean `enforcement.from`?'],
    ['consent', { consent: { timeot: 5 } }, 'Did you mean `consent.timeout`?'],
    ['toolMap', { toolMap: { run: { as: 'Bash', harmles: [] } } }, 'Did you mean `toolMap.run.harmless`?'],
    ['forkGrace', { forkGrace: 0 }, 'unknown option `forkGrace`'],
    ['forkResultLimit', { forkResultLimit: 9 }, 'unknown option `forkResultLimit`'],
    ['invocations', { invocations: false }, 'unknown option `invocations`'],
  ])('[CFG-1, ABUSE-133] of openSession is refused: %s', async (_what, options, message) => {
    const repertoire = await openRepertoire({ sources: [plain] })
    expect(() => repertoire.openSession(foreign(options))).toThrow(TypeError)
    expect(() => repertoire.openSession(foreign(options))).toThrow(message)
    await expect(repertoire.runTask(foreign(options), async () => 'ran')).rejects.toThrow(message)
  })

  it('[CFG-1, ABUSE-133] is refused with its whole path, whatever letter is wrong and however deep it stands', async () => {
    const repertoire: Repertoire = await openRepertoire({ sources: [plain] })
    const rows = [
      ...(await pathsOf((options) => openRepertoire(foreign({ sources: [], ...options })))).map((path) => ({
        path,
        opens: 'openRepertoire' as const,
      })),
      ...(await pathsOf((options) => repertoire.openSession(foreign(options)))).map((path) => ({
        path,
        opens: 'openSession' as const,
      })),
    ]
    expect(rows.length).toBeGreaterThan(60)
    const known = new Set(rows.map(({ path, opens }) => `${opens} ${path}`))
    const refusals: Promise<string>[] = []
    assert(
      property(
        record({
          row: constantFrom(...rows),
          place: string({ minLength: 1, maxLength: 1 }),
          cut: constantFrom(0, 1, 2, 3),
        }),
        ({ row: { path, opens }, place, cut }) => {
          const dot = path.lastIndexOf('.') + 1
          const name = path.slice(dot)
          const other = cut === 0 ? name + place : name.slice(0, -cut) + name.slice(name.length - cut + 1)
          if (other === '' || other.includes('.') || other === '__proto__') return
          if (known.has(`${opens} ${path.slice(0, dot)}${other}`)) return
          const options = at(path.slice(0, dot) + other, 'x')
          const matches = new RegExp(`^${opens}: (unknown option|\`.*\` is missing)`)
          if (opens === 'openSession') expect(() => repertoire.openSession(foreign(options))).toThrow(matches)
          else refusals.push(refusal(options))
        },
      ),
      { numRuns: 300 },
    )
    for (const message of await Promise.all(refusals))
      expect(message).toMatch(/^openRepertoire: (unknown option|`.*` is missing)/)
  })
})

describe('a value of the wrong kind', () => {
  it.each([
    [
      { catalog: { cacheTtl: '5' } },
      'openRepertoire: `catalog.cacheTtl` is "5". Give a number of milliseconds, 0 or more; Infinity for no limit.',
    ],
    [
      { catalog: { layers: ['project', 'project'] } },
      'openRepertoire: `catalog.layers` names "project" twice. Name it once.',
    ],
    [{ catalog: { minReloadInterval: -1 } }, '`catalog.minReloadInterval` is -1.'],
    [{ enabled: 'no' }, '`enabled` is "no". Give true or false.'],
    [{ policy: { deny: 'Bash' } }, '`policy.deny` is "Bash". Give a list of rules'],
    [{ policy: [] }, '`policy` is a list. Give an object { allow, deny, ask, protect, programs, safeGit }.'],
    [
      { context: { summaries: { keepMessages: 2.5 } } },
      '`context.summaries.keepMessages` is 2.5. Give a whole number of messages, 1 or more.',
    ],
    [{ toolMap: { run: 5 } }, '`toolMap.run` is 5. Give a string that is not empty, or false, or an object { as, by,'],
    [{ context: { window: Infinity } }, '`context.window` is Infinity. Give a number of tokens, more than 0.'],
    [{ audit: {} }, '`audit.sink` is missing.'],
    [{ scripts: { environment: { A: 1 } } }, '`scripts.environment.A` is 1.'],
    [{ sessionSecret: 12_345 }, '`sessionSecret` is not a string.'],
    [{ catalog: { profile: { toString: () => 'strict' } } }, '`catalog.profile` is an object.'],
  ])('[CFG-1] is refused before anything starts: %j', async (options, message) => {
    expect(await refusal(options)).toContain(message)
  })

  it.each([[null], ['x'], [[]], [5]])('[CFG-1] is refused in the place of all options: %j', async (options) => {
    await expect(openRepertoire(foreign(options))).rejects.toThrow(/^openRepertoire: the options are .*Give an object/)
    const repertoire = await openRepertoire({ sources: [plain] })
    expect(() => repertoire.openSession(foreign(options))).toThrow(/^openSession: the options are .*Give an object/)
  })

  it('[CFG-1] does not repeat a secret', async () => {
    const message = await refusal({ sessionSecret: ['hunter2'] })
    expect(message).toContain('`sessionSecret`')
    expect(message).not.toContain('hunter2')
  })
})

it('[CFG-1] an option that is undefined is left out', async () => {
  const repertoire = await openRepertoire(
    foreign({ sources: [plain], catalog: undefined, listing: { style: undefined } }),
  )
  const session = openAdapterSession(repertoire, foreign({ consent: undefined, skills: undefined }))
  expect((await session.step({ tools: [] })).tools).not.toEqual([])
})

it.each(['shell', 'path', 'url', 'sql', 'text'] as const)('[CFG-1] a host tool may have the kind %s', async (kind) => {
  const tools = { query: { as: 'Query', argument: 'value', kind } }
  await using repertoire = await openRepertoire({ sources: [plain], toolMap: tools })
  expect(repertoire.catalog.get('plain').name).toBe('plain')
})
