import { beforeEach, describe, expect, it, vi } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import type { RepertoireOptions } from '../../src/index.ts'

const manifest = (name: string): string => `---\nname: ${name}\ndescription: Is ${name}.\n---\nDo it.\n`

/** As a program finds them that has only imported the package. */
async function fresh(): Promise<typeof import('../../src/index.ts')> {
  vi.resetModules()
  return import('../../src/index.ts')
}

describe.each([['first'], ['second']])('the %s call in a program', (which) => {
  let core: typeof import('../../src/index.ts')
  beforeEach(async () => {
    core = await fresh()
    if (which === 'first') return
    await core.openRepertoire({ sources: [] })
    await (await import('../../src/authoring.ts')).parseSkill('')
  })

  const source = (name: string) =>
    core.memorySource({ layer: 'personal', skills: { [name]: { 'SKILL.md': manifest(name) } } })
  const namesIn = async (opening: ReturnType<typeof core.openRepertoire>): Promise<readonly string[]> =>
    (await opening).catalog.list().map(({ name }) => name)

  it('[NFR-5, CAT-1] opens by the options as they are when it is made', async () => {
    const options = { sources: [source('given')] }
    const opening = core.openRepertoire(options)
    options.sources = [source('later')]
    expect(await namesIn(opening)).toEqual(['given'])
  })

  it('[NFR-5, GATE-1] keeps the policy of each tenant, where all are opened with one object', async () => {
    const policy: { deny: string[] } = { deny: [] }
    const tools = { shell: { as: 'Bash', argument: 'line' } }
    const opening: ReturnType<typeof core.openRepertoire>[] = []
    for (const deny of [['Bash'], ['Read'], []]) {
      // What is read of the tenant.
      await Promise.resolve()
      await Promise.resolve()
      policy.deny = deny
      tools.shell.as = 'Bash'
      opening.push(core.openRepertoire({ sources: [source('given')], policy, toolMap: tools }))
      deny.push('Edit')
      tools.shell.as = 'Write'
    }
    const refused = await Promise.all(
      opening.map(async (each, at) => {
        const session = openAdapterSession(await each)
        await session.step({ tools: ['shell', 'Read', 'Edit'] })
        const inputs = { shell: { line: 'ls' }, Read: { file_path: 'a' }, Edit: { file_path: 'a' } }
        const calls = Object.entries(inputs).map(async ([tool, input]) => {
          const outcome = await session.call({ id: `${at}${tool}`, tool, input }, () => 'ran')
          return outcome.ok ? [] : [tool]
        })
        return (await Promise.all(calls)).flat()
      }),
    )
    expect(refused).toEqual([['shell'], ['Read'], []])
  })

  it('[NFR-5, GATE-1] takes options wherever an object has them from', async () => {
    class Options implements RepertoireOptions {
      get sources() {
        return [source('held')]
      }
      get policy() {
        return { deny: ['Bash'] }
      }
      get sessionSecret() {
        return 'secret'
      }
    }
    const forger = openAdapterSession(await core.openRepertoire({ sources: [source('held')] }))
    const inherited: unknown = Object.assign(Object.create(new Options()), { listing: { style: 'section' } })
    for (const options of [new Options(), inherited]) {
      const repertoire = await core.openRepertoire(options as RepertoireOptions)
      expect(repertoire.catalog.list().map(({ name }) => name)).toEqual(['held'])
      const session = openAdapterSession(repertoire)
      await session.step({ tools: ['Bash'] })
      const call = { id: '1', tool: 'Bash', input: { command: 'ls' } }
      expect(await session.call(call, () => 'ran')).toMatchObject({ ok: false })
      expect(() => openAdapterSession(repertoire, { saved: forger.save() })).toThrow('another sessionSecret')
    }
    const misspelled = { polcy: {}, sources: [] }
    for (const options of [{ ...Object.create(null), ...misspelled }, Object.create(misspelled)]) {
      await expect(core.openRepertoire(options)).rejects.toThrow('unknown option `polcy`')
    }
  })

  it('[NFR-5] leaves what works with its own state the object that it is', async () => {
    const sink = { written: 0, write: () => void sink.written++ }
    const sources = [source('given')]
    const repertoire = await core.openRepertoire({ sources, audit: sink })
    const session = openAdapterSession(repertoire, { consent: () => true })
    await (await session.step({ tools: [] })).call({ id: '1', tool: 'activate_skill', input: { name: 'given' } })
    await repertoire.close()
    expect(sink.written).toBeGreaterThan(0)
  })

  it.each([
    [undefined, '`sources` is missing'],
    [null, 'the options are null'],
    ['options', 'the options are "options"'],
    [{}, '`sources` is missing'],
    [{ sources: 1 }, '`sources` is 1'],
  ])('rejects %j as options', async (given, message) => {
    await expect(core.openRepertoire(given as unknown as RepertoireOptions)).rejects.toThrow(message)
  })

  it('[MAN-2] reads a file as its bytes are when it is given', async () => {
    const bytes = Buffer.from(manifest('given'))
    const { parseSkill } = await import('../../src/authoring.ts')
    const parsing = parseSkill(bytes)
    bytes.fill(0)
    expect((await parsing).manifest?.name).toBe('given')
  })
})

describe('an adapter with another copy of this package', () => {
  it('[NFR-5] opens sessions with the options of adapters, also through a wrapper of the host', async () => {
    const core = await fresh()
    const source = core.memorySource({ layer: 'personal', skills: { given: { 'SKILL.md': manifest('given') } } })
    const repertoire = await core.openRepertoire({ sources: [source] })
    const wrapper = {
      ...repertoire,
      openSession: (options = {}) => repertoire.openSession({ ...options, agent: 'own' }),
    }
    const opensAsAdapters = {
      ...repertoire,
      openSession: (options = {}) => openAdapterSession(repertoire, { ...options, agent: 'own' }),
    }
    for (const each of [repertoire, wrapper, opensAsAdapters]) {
      const session = openAdapterSession(each, { hostTools: ['Read'] })
      expect(session.activeSkills).toEqual([])
    }
  })
})
