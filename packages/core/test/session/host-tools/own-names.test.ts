import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type AuditEvent,
  type ConsentRequest,
  type Repertoire,
  type RepertoireOptions,
  type SessionProblem,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { reminderOf } from '../session-world.ts'

const skill = (name: string, more: string): Readonly<Record<string, string>> => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Is ${name}.\n${more}\n---\nDo it.\n`,
  'scripts/go.sh': 'echo go\n',
})
const skills = {
  writer: skill('writer', 'allowed-tools: Read, Write(docs/**), WebSearch\ndisallowed-tools: Bash(git push:*)'),
  searcher: skill('searcher', 'allowed-tools: Grep, WebSearch'),
  nothing: skill('nothing', 'allowed-tools: []'),
}
const TOOLS = {
  readDoc: 'Read',
  putDoc: { as: 'Write', argument: 'doc' },
  runCommand: { as: 'Bash', argument: 'cmd' },
} as const
const HOST = ['readDoc', 'putDoc', 'runCommand', 'sendMail']

interface World {
  readonly repertoire: Repertoire
  readonly session: AdapterSession
  readonly asked: ConsentRequest[]
  readonly events: AuditEvent[]
  readonly problems: SessionProblem[]
}

async function open(options: Partial<RepertoireOptions> = {}, more: AdapterSessionOptions = {}): Promise<World> {
  const asked: ConsentRequest[] = []
  const events: AuditEvent[] = []
  const problems: SessionProblem[] = []
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    toolMap: TOOLS,
    audit: { write: (event) => void events.push(event) },
    ...options,
  })
  const session = openAdapterSession(repertoire, {
    cwd: '/p',
    hostTools: HOST,
    consent: (request) => asked.push(request) > 0,
    onProblem: (problem) => problems.push(problem),
    ...more,
  })
  return { repertoire, session, asked, events, problems }
}

const activate = (session: AdapterSession, name: string) =>
  session.call({ id: `activate-${name}`, tool: 'activate_skill', input: { name } }, () => undefined)
const call = (session: AdapterSession, tool: string, input: unknown) =>
  session.call({ id: 'c', tool, input }, () => 'ran')

describe("a skill in a host whose tools have names of the host's own", () => {
  it("[GATE-9, ASK-4] is agreed to in the host's names", async () => {
    const { session, asked } = await open()
    await activate(session, 'writer')
    const [request] = asked
    expect(request).toMatchObject({
      allowedTools: ['readDoc', 'putDoc(docs/**)', 'WebSearch'],
      warnings: ['this agent has no tool for: WebSearch'],
      disallowedTools: ['runCommand(git push:*)'],
    })
    expect(request!.text).toContain('\n  tools:         readDoc, WebSearch, putDoc(docs/**)\n')
    expect(request!.text).toContain('\n  warning:       this agent has no tool for: WebSearch\n')
    expect(request!.text).toContain('\n  but not:       "runCommand(git push:*)"\n')
  })

  it('[GATE-9, GATE-1] may call what its author meant, and is shown nothing else', async () => {
    const { session } = await open()
    await activate(session, 'writer')
    const view = await session.step({ tools: HOST })
    expect(HOST.filter((tool) => !view.isHidden(tool))).toEqual(['readDoc', 'putDoc'])
    expect(await call(session, 'readDoc', { path: 'a' })).toMatchObject({ ok: true })
    expect(await call(session, 'putDoc', { doc: 'docs/a' })).toMatchObject({ ok: true })
    expect(await call(session, 'putDoc', { doc: 'src/a' })).toMatchObject({
      ok: false,
      refusal: { code: 'TOOL_NOT_ALLOWED', allowedTools: ['readDoc', 'putDoc(docs/**)', 'WebSearch'] },
    })
    expect(await call(session, 'sendMail', {})).toMatchObject({ ok: false })
  })

  it("[GATE-9, SHOW-6] shows the model the host's names: in the activation", async () => {
    const { session } = await open()
    const { text } = (await activate(session, 'writer')) as { text: string }
    expect(text).toContain('Allowed tools: readDoc, putDoc(docs/**), WebSearch\n')
    expect(text).toContain('Disallowed tools: runCommand(git push:*)\n')
    const read = await call(session, 'readDoc', { path: session.state.active[0]!.location + '/scripts/go.sh' })
    expect(read).toMatchObject({ ok: false, refusal: { code: 'SCRIPT_READ_BLOCKED' } })
    expect(JSON.stringify(read)).toContain('scripts are run, not read. Nothing here runs it')
  })

  it('[GATE-9] tells a model that repeats the words of a skill which tool is meant', async () => {
    const { session } = await open()
    expect(await call(session, 'Bash', { command: 'ls' })).toMatchObject({
      refusal: {
        code: 'TOOL_UNKNOWN',
        reason: 'There is no tool "Bash". Here that is "runCommand": call it by this name, with its own arguments.',
      },
    })
    expect(await call(session, 'Grep', {})).toMatchObject({
      refusal: { reason: expect.stringContaining('Call one of the tools that you were given') },
    })
    expect(await call(session, 'mcp__*', {})).toMatchObject({ refusal: { code: 'TOOL_UNKNOWN' } })
  })

  it('[GATE-9, ACT-14] reminds of an activation in the words that it had, in another process too', async () => {
    const { session, repertoire } = await open()
    const { text } = (await activate(session, 'writer')) as { text: string }
    const elsewhere = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
    const resumed = openAdapterSession(elsewhere, { saved: session.save() })
    expect(await reminderOf(resumed, (part) => text.includes(part))).toBeUndefined()
    const other = openAdapterSession(repertoire, { toolMap: { look: 'Read', readDoc: false }, consent: () => true })
    await other.step({ tools: ['look'] })
    expect((await activate(other, 'writer')) as { text: string }).toMatchObject({
      text: expect.stringContaining('Allowed tools: look, Write(docs/**), WebSearch\n'),
    })
    expect(await reminderOf(session, (part) => text.includes(part))).toBeUndefined()
  })

  it('[GATE-9, OBS-1] is on record with what a call stands for', async () => {
    const { session, events, repertoire } = await open()
    await call(session, 'runCommand', { cmd: 'ls' })
    await call(session, 'sendMail', {})
    await activate(session, 'writer')
    await call(session, 'runCommand', { cmd: 'ls' })
    await repertoire.close()
    const actions = events.filter(({ type }) => !type.startsWith('consent.'))
    const seen = actions.map(({ type, tool, standsFor, unmatchedTools }) => [type, tool, standsFor, unmatchedTools])
    expect(seen).toEqual([
      ['tool.started', 'runCommand', 'Bash', undefined],
      ['tool.finished', 'runCommand', 'Bash', undefined],
      ['tool.started', 'sendMail', undefined, undefined],
      ['tool.finished', 'sendMail', undefined, undefined],
      ['skill.activating', 'activate_skill', undefined, ['WebSearch']],
      ['skill.activated', 'activate_skill', undefined, ['WebSearch']],
      ['restriction.violated', 'runCommand', 'Bash', undefined],
    ])
    expect(events.at(-1)?.allowedTools).toEqual(['readDoc', 'putDoc(docs/**)', 'WebSearch'])
  })

  it('[GATE-9, GATE-8] skips an approval where the list means the call', async () => {
    const { session } = await open({ enforcement: 'preapprove' })
    await activate(session, 'writer')
    const preapproved = (tool: string, input: unknown) =>
      session.preview({ id: 'c', tool, input }).then((inspected) => inspected.preapproved)
    expect(await preapproved('readDoc', { path: 'a' })).toBe(true)
    expect(await preapproved('putDoc', { doc: 'docs/a' })).toBe(true)
    expect(await preapproved('putDoc', { doc: 'src/a' })).toBe(false)
    expect(await preapproved('sendMail', {})).toBe(false)
  })

  it("[GATE-9] is held to the host's policy in the same names", async () => {
    const policy = { allow: ['Bash(git:*)', 'Write'], deny: ['Write(secret/**)'], protect: ['conf/policy.json'] }
    const { session } = await open({ policy })
    const ok = async (tool: string, input: unknown) => (await call(session, tool, input)).ok
    expect(await ok('runCommand', { cmd: 'git log' })).toBe(true)
    expect(await ok('runCommand', { cmd: 'ls' })).toBe(false)
    expect(await ok('putDoc', { doc: 'docs/a' })).toBe(true)
    expect(await ok('putDoc', { doc: 'secret/a' })).toBe(false)
    expect(await ok('putDoc', { doc: '/p/conf/policy.json' })).toBe(false)
    expect(await ok('readDoc', { path: 'a' })).toBe(false)
  })
})

describe('a rule that means none of the tools', () => {
  it('[GATE-10] is a problem before anybody agrees, where no tool would be left', async () => {
    let problemsWhenAsked = 0
    const { session, problems, asked } = await open({}, { consent: () => (problemsWhenAsked = problems.length) > 0 })
    expect(await activate(session, 'searcher')).toMatchObject({ ok: true })
    expect(asked).toEqual([])
    expect(problemsWhenAsked).toBe(1)
    expect(problems).toEqual([
      {
        code: 'NO_TOOL_LEFT',
        skill: 'searcher',
        message:
          'While the skill "searcher" is active, none of your tools can be used: its allowed-tools match none of them (Grep, WebSearch). Map your tools to these names in the option `toolMap`, such as { searchCode: \'Grep\' }.',
      },
    ])
  })

  it('[GATE-10] is in the request for consent, of a framework that asks later too, and said once', async () => {
    const { session, problems } = await open({}, { consent: undefined })
    const asking = { id: 'a', tool: 'activate_skill', input: { name: 'searcher' } }
    const request = (await session.preview(asking, { asks: true })).waits
    expect(request!.warnings).toEqual([
      'this agent has no tool for: Grep, WebSearch',
      'this agent can use none of its tools while the skill is active',
    ])
    expect(problems.map(({ code }) => code)).toEqual(['NO_TOOL_LEFT'])
    session.answer({ requestId: request!.id, approved: true })
    expect(await session.call(asking, () => undefined)).toMatchObject({ ok: true })
    expect(problems).toHaveLength(1)
  })

  it('[GATE-10] is claimed of no host whose tools are not known, of no empty list, and of no mode that refuses nothing', async () => {
    const unknown = await open({}, { hostTools: undefined })
    await activate(unknown.session, 'searcher')
    expect(unknown.asked[0]!.warnings).toEqual([])
    expect(unknown.asked[0]!.allowedTools).toEqual(['Grep', 'WebSearch'])
    const empty = await open()
    await activate(empty.session, 'nothing')
    expect(empty.asked[0]!.warnings).toEqual([])
    const advising = await open({ enforcement: 'advisory' })
    await activate(advising.session, 'searcher')
    expect(advising.asked[0]!.warnings).toEqual(['this agent has no tool for: Grep, WebSearch'])
    expect([unknown, empty, advising].flatMap(({ problems }) => problems)).toEqual([])
  })

  it("[GATE-10] is in the explanation of a skill, where the host's tools are given", async () => {
    const { repertoire } = await open()
    const explained = (name: string, hostTools?: readonly string[]) => repertoire.explain(name, { hostTools })
    const unmatched = (name: string, hostTools?: readonly string[]) =>
      explained(name, hostTools).candidates[0]!.reasons.filter(({ type }) => type === 'unmatched')
    expect(unmatched('writer', HOST)).toMatchObject([{ text: expect.stringContaining('(WebSearch): map') }])
    expect(explained('searcher', HOST).text).toContain(
      'none of your tools match its `allowed-tools` (Grep, WebSearch), so that no tool can be used while it is active: map them with the option `toolMap`',
    )
    expect(unmatched('searcher', ['grep', 'web_search'])).toEqual([])
    expect(unmatched('writer')).toEqual([])
    expect(unmatched('nothing', HOST)).toEqual([])
  })
})

describe('a table that cannot be', () => {
  it('[GATE-9] is refused when a repertoire is opened', async () => {
    await expect(open({ toolMap: { activate_skill: 'Bash' } })).rejects.toThrow('speaks of "activate_skill"')
    await expect(open({ toolMap: { go: 'skill_writer' }, listing: { style: 'tools' } })).rejects.toThrow(
      'speaks of "skill_writer"',
    )
    await expect(open({ toolArguments: {} } as never)).rejects.toThrow('unknown option `toolArguments`')
  })

  it('[GATE-9] a session has its own entries over those of all', async () => {
    const { repertoire } = await open()
    const session = openAdapterSession(repertoire, {
      toolMap: { runCommand: false, sh: 'Bash' },
      consent: () => true,
      policy: { allow: ['Bash'] },
    })
    await session.step({ tools: ['runCommand', 'sh'] })
    expect(await call(session, 'runCommand', { cmd: 'ls' })).toMatchObject({ ok: false })
    expect(await call(session, 'sh', { command: 'ls' })).toMatchObject({ ok: true })
  })
})
