import { describe, expect, test } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import {
  type AuditEvent,
  type RepertoireOptions,
  type SessionProblem,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { hooksBy } from './hook-runner.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

const manifest = (fields = '') => `---\nname: many\ndescription: Has many of all.\n${fields}---\nBody.\n`

/** A session with one skill, and everything that it tells. */
async function open(files: Files, options: Partial<RepertoireOptions> = {}) {
  const events: AuditEvent[] = []
  const problems: SessionProblem[] = []
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills: { many: files } })],
    audit: { write: (event) => void events.push(event) },
    ...options,
  })
  const session = openAdapterSession(repertoire, {
    consent: () => true,
    hostTools: ['Bash', 'Read'],
    onProblem: (problem) => problems.push(problem),
  })
  let calls = 0
  const call = async (tool: string, input: unknown): Promise<string> => {
    await session.step({ tools: ['Bash', 'Read'] })
    const outcome = await session.call({ id: `c${calls++}`, tool, input }, () => 'ran')
    return outcome.ok ? (outcome.text ?? 'ran') : `${outcome.refusal.code}: ${outcome.refusal.reason}`
  }
  return { session, events, problems, call, activate: () => call('activate_skill', { name: 'many' }) }
}

const numbered = (count: number, name: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, index) => name(index))

describe('where a skill has many of something, a session', () => {
  test('[ACT-15, GATE-4] keeps 1,000 scripts in its state, and guards the others by where they lie', async () => {
    const paths = numbered(1_001, (index) => `scripts/${String(index).padStart(4, '0')}.sh`)
    const files = Object.fromEntries(paths.map((path) => [path, 'echo']))
    const { session, call, activate } = await open({ 'SKILL.md': manifest(), ...files })
    await activate()
    expect(session.state.active[0]!.scripts).toEqual(paths.slice(0, 1_000))
    for (const path of [paths[0]!, paths.at(-1)!]) {
      expect(await call('read_skill_resource', { path })).toMatch(/^SCRIPT_READ_BLOCKED: /)
    }
  })

  test('[OBS-1] names 100 rules in an event, and of more the first 99', async () => {
    const namedOf = async (count: number) => {
      const rules = numbered(count, (index) => `Read(docs/${index}/**)`)
      const { events, activate } = await open({ 'SKILL.md': manifest(`allowed-tools: ${rules.join(' ')}\n`) })
      await activate()
      const named = events.find(({ type }) => type === 'skill.activated')!.skill!.allowedTools
      return { rules, named }
    }
    const just = await namedOf(100)
    expect(just.named).toEqual(just.rules)
    const more = await namedOf(101)
    expect(more.named).toEqual([...more.rules.slice(0, 99), '…'])
  })

  test('[GATE-10] names 20 rules where none of them means a tool, and says how many more there are', async () => {
    const messageFor = async (count: number) => {
      const rules = numbered(count, (index) => `Tool${index}`)
      const { problems, activate } = await open({ 'SKILL.md': manifest(`allowed-tools: ${rules.join(' ')}\n`) })
      await activate()
      return { rules, message: problems.find(({ code }) => code === 'NO_TOOL_LEFT')!.message }
    }
    const just = await messageFor(20)
    expect(just.message).toContain(`(${just.rules.join(', ')})`)
    const more = await messageFor(21)
    expect(more.message).toContain(`(${more.rules.slice(0, 20).join(', ')} and 1 more)`)
  })

  test('[RES-2] shows a file of 1 MiB, and refuses one of a byte more', async () => {
    const { call, activate } = await open({
      'SKILL.md': manifest(),
      'just.md': 'x'.repeat(1024 * 1024),
      'more.md': 'x'.repeat(1024 * 1024 + 1),
    })
    await activate()
    expect(await call('read_skill_resource', { path: 'just.md' })).toContain('path="just.md"')
    expect(await call('read_skill_resource', { path: 'more.md' })).toMatch(
      /^RESOURCE_REFUSED: .* is too large to be shown\. Go on without it\.$/,
    )
  })

  const END = '\n[The script failed with exit code 1.]'
  test('[ACT-13] shows the last 2,000 characters of what a failed hook wrote', async () => {
    const shownOf = async (count: number) => {
      const { activate } = await open(
        { 'SKILL.md': manifest('hooks:\n  pre: [check.sh]\n'), 'check.sh': 'exit 1' },
        { scripts: hooksBy(() => ({ ok: false, output: `<${'x'.repeat(count - END.length - 2)}>` })) },
      )
      return /failed: ([^]*) Go on without it\.$/.exec(await activate())![1]
    }
    expect(await shownOf(2_000)).toBe(`<${'x'.repeat(1_998 - END.length)}>${END}`)
    expect(await shownOf(2_001)).toBe(`…${'x'.repeat(1_999 - END.length)}>${END}`)
  })
})

test('[GATE-9] a refusal names five tools that an unknown name may mean', async () => {
  const hostTools = numbered(6, (index) => `search${index}`)
  const { session } = await open(
    { 'SKILL.md': manifest() },
    { toolMap: Object.fromEntries(hostTools.map((name) => [name, 'Grep'])) },
  )
  const namedOf = async (count: number) => {
    await session.step({ tools: hostTools.slice(0, count) })
    const outcome = await session.call({ id: `c${count}`, tool: 'Grep', input: {} }, () => 'ran')
    return outcome.ok ? [] : hostTools.filter((name) => outcome.refusal.reason.includes(name))
  }
  expect(await namedOf(5)).toEqual(hostTools.slice(0, 5))
  expect(await namedOf(6)).toEqual(hostTools.slice(0, 5))
})

test('[ACT-6] 1,000 calls of messages are remembered, and the least recently used one is forgotten first', async () => {
  const skills = { many: { 'SKILL.md': manifest() } }
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  const saved = openAdapterSession(repertoire, { id: 'task' }).save()
  /** Whether a call, in its own session, finds another one of its message, which has returned the instructions. */
  const isRepeated = async (message: number, id = 'first') => {
    const session = openAdapterSession(repertoire, { saved, consent: () => true })
    const call = { id, tool: 'activate_skill', input: { name: 'many' } }
    const { text } = await session.call(call, () => '', { message: String(message) })
    return !text!.includes('Body.')
  }
  for (let message = 0; message < 1_000; message++) expect(await isRepeated(message)).toBe(false)
  expect(await isRepeated(0, 'second')).toBe(true)
  expect(await isRepeated(1_000)).toBe(false)
  expect(await isRepeated(0, 'third')).toBe(true)
  expect(await isRepeated(1, 'second')).toBe(false)
})
