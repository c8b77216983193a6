import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { adapterSession, openAdapterSession } from '../../../src/adapter.ts'
import { HOST, source, open, activation, run } from '../hostile-world.ts'
import { code } from '../outcome.ts'
import { openRepertoire } from '../../../src/index.ts'

describe('inputs that are not plain JSON', () => {
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
    const suspending = openAdapterSession(repertoire, { hostTools: HOST })
    expect((await suspending.preview({ id: '1', tool: 'activate_skill', input }, { asks: true })).waits).toBeUndefined()
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

  it('[GATE-4] reads no script by an input that is nested too deep to be read', async () => {
    const session = await open()
    await run(session, activation('free'))
    const buried = (depth: number): object => {
      let deep: unknown = 'x'
      for (let level = 0; level < depth; level++) deep = [deep]
      return { file_path: 'a.md', deep }
    }
    expect(code(await run(session, { id: '2', tool: 'Read', input: buried(50) }))).toBe('ok')
    expect(code(await run(session, { id: '3', tool: 'Read', input: buried(120) }))).toBe('SCRIPT_READ_BLOCKED')
  })

  it('[ASK-5] has a consent request for an input that JSON cannot represent', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const session = openAdapterSession(repertoire, { hostTools: HOST })
    const call = activation('free', '1', { n: 1n })
    const request = (await session.preview(call, { asks: true })).waits
    session.answer({ requestId: request!.id, approved: true })
    expect(code(await run(session, call))).toBe('ok')
  })
})

describe('calls of one message', () => {
  it('[GATE-4, GATE-5] keeps a script from a read tool though the skill is left beside it', async () => {
    const session = await open()
    await run(session, activation('free'))
    const step = await adapterSession(session).step({ tools: HOST })
    const read = { id: '2', tool: 'Read', input: { file_path: 'memory:memory/free/scripts/go.sh' } }
    expect(code(await run(step, { id: '1', tool: 'deactivate_skill', input: {} }))).toBe('ok')
    expect(code(await run(step, read))).toBe('SCRIPT_READ_BLOCKED')
    expect(code(await run(session, read))).toBe('ok')
  })

  it('[ASK-5] keeps calls without an id apart by their input', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const session = openAdapterSession(repertoire, { hostTools: HOST })
    const [one, two] = [activation('free', ''), activation('narrow', '')]
    const requests = await Promise.all([
      session.preview(one, { asks: true }).then(({ waits }) => waits),
      session.preview(two, { asks: true }).then(({ waits }) => waits),
    ])
    session.answer({ requestId: requests[0]!.id, approved: true })
    expect(code(await run(session, two))).toBe('CONSENT_DENIED')
    expect(code(await run(session, one))).toBe('ok')
  })
})

describe('options that are mistakes of the program', () => {
  it.each([
    [{ activate: 'x', deactivate: 'X' }, 'names two skill tools "x"'],
    [{ activate: '' }, '`skillToolNames.activate` is empty'],
    [{ readResource: foreign(null) }, '`skillToolNames.readResource` is null'],
  ])('[ACT-1] refuses the tool names %j', async (toolNames, message) => {
    await expect(open({}, { skillToolNames: toolNames })).rejects.toThrow(message)
  })

  it('[ACT-15] refuses an empty key, which would seal nothing', async () => {
    await expect(open({}, { sessionSecret: '' })).rejects.toThrow(/sessionSecret/)
  })
})
