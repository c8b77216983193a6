import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, type AdapterSession } from '../../../src/adapter.ts'
import { type AuditEvent, memorySource } from '../../../src/index.ts'
import { activate, open as openSession, skillText } from '../session-world.ts'

const HOST = ['Bash', 'Read', 'Write', 'Grep']
const WRITE = { file_path: 'a', content: 'x' }

const source = memorySource({
  layer: 'project',
  skills: { reader: { 'SKILL.md': skillText('reader', 'allowed-tools: Read Grep\n'), 'scripts/go.sh': 'echo' } },
})

/** A session in which a skill with a script is active. */
async function open(options: AdapterSessionOptions = {}) {
  const events: AuditEvent[] = []
  const audit = { write: (event: AuditEvent) => void events.push(event) }
  const { session } = await openSession({ hostTools: HOST, ...options }, { sources: [source], audit })
  await activate(session, 'reader')
  await session.step({ tools: options.hostTools ?? HOST })
  return { session, events, script: { file_path: `${session.state.active[0]!.location}/scripts/go.sh` } }
}

let calls = 0
const call = (session: AdapterSession, tool: string, input: unknown) =>
  session.call({ id: `g${calls++}`, tool, input }, (made) => made.tool)

describe('a call of a host’s tool', () => {
  it('[GATE-2, ABUSE-44] goes on under the name by which the host knows the tool', async () => {
    const { session } = await open()
    expect(await call(session, 'READ', { file_path: 'a' })).toMatchObject({ ok: true, value: 'Read' })
    expect(await call(session, 'Nothing', {})).toMatchObject({ ok: false, refusal: { code: 'TOOL_UNKNOWN' } })
  })

  it('[GATE-7] is refused where its arguments are not an object', async () => {
    const { session } = await open()
    for (const input of ['{"file_path":', 'text', undefined, null, 7, true]) {
      expect(await call(session, 'Read', input)).toMatchObject({ ok: false, refusal: { code: 'INPUT_INVALID' } })
    }
  })

  it.each(['restrict', 'preapprove'] as const)(
    '[GATE-4, GATE-8] is refused in the mode %s where it reads a script of an active skill',
    async (mode) => {
      const { session, script } = await open({ enforcement: mode })
      expect(await call(session, 'Read', script)).toMatchObject({
        ok: false,
        refusal: { code: 'SCRIPT_READ_BLOCKED', reason: expect.stringContaining('scripts are run, not read.') },
      })
    },
  )

  it('[GATE-8, OBS-1] goes on in the mode advisory, and the audit has what a skill would have said', async () => {
    const { session, events, script } = await open({ enforcement: 'advisory' })
    const advised = async (tool: string, input: unknown) => {
      events.length = 0
      expect(await call(session, tool, input)).toMatchObject({ ok: true })
      return events.flatMap(({ code, enforced }) => (code === undefined ? [] : [[code, enforced]]))
    }
    expect(await advised('Read', { file_path: 'a' })).toEqual([])
    expect(await advised('Write', WRITE)).toEqual([['TOOL_NOT_ALLOWED', false]])
    expect(await advised('Read', script)).toEqual([['SCRIPT_READ_BLOCKED', false]])
  })

  it.each(['restrict', 'preapprove', 'advisory'] as const)(
    '[GATE-8, ABUSE-97] is refused in the mode %s where it names a file that the host protects, and told which',
    async (mode) => {
      const { session } = await open({ enforcement: mode, policy: { protect: ['policy.json'] } })
      expect(await call(session, 'Read', { file_path: './policy.json' })).toMatchObject({
        ok: false,
        refusal: {
          code: 'TOOL_NOT_ALLOWED',
          reason: '"Read" may not be used like this here: it names "policy.json", which the host\'s policy protects.',
        },
      })
      expect(await call(session, 'Read', { file_path: 'other.json' })).toMatchObject({ ok: true })
    },
  )

  it.each([
    ['restrict', false],
    ['preapprove', true],
    ['advisory', false],
  ] as const)('[GATE-8] in the mode %s needs no approval where every active skill lists it: %s', async (mode, is) => {
    const { session, script } = await open({ enforcement: mode })
    const isPreapproved = (tool: string, input: object) =>
      session.preview({ id: 'c', tool, input }).then(({ preapproved }) => preapproved)
    expect(await isPreapproved('Read', { file_path: 'a' })).toBe(is)
    expect(await isPreapproved('Read', script)).toBe(false)
    expect(await isPreapproved('Write', WRITE)).toBe(false)
    await call(session, 'deactivate_skill', {})
    await session.step({ tools: HOST })
    expect(await isPreapproved('Read', { file_path: 'a' })).toBe(false)
  })
})

describe('the refusal to read a script', () => {
  const reasonOf = async (hostTools: readonly string[], tool: string, input: (location: string) => object) => {
    const { session } = await open({ hostTools })
    const { location } = session.state.active[0]!
    const outcome = await call(session, tool, input(location))
    return outcome.ok ? 'ran' : outcome.refusal.reason.replaceAll(location, '/skills/reader')
  }

  it('[GATE-4, RUN-12] says that nothing runs it where the rules or the source leave no way', async () => {
    const script = (location: string) => ({ file_path: `${location}/scripts/go.sh` })
    for (const tools of [HOST, ['Read', 'Grep']]) {
      expect(await reasonOf(tools, 'Read', script)).toBe(
        '"scripts/go.sh" is a script of the active skill "reader": scripts are run, not read. Nothing here runs it: go on without it.',
      )
    }
  })
})
