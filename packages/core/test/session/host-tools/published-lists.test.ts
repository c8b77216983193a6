import { describe, expect, it } from 'vitest'
import { openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../../src/index.ts'

/** Fifteen tools under names of a host's own, each with an input as its model writes it. */
const TOOLS = {
  openFile: 'Read',
  saveFile: { as: 'Write', argument: 'target' },
  patchFile: { as: 'Edit', argument: 'target' },
  listMatches: { as: 'Glob', argument: 'glob' },
  searchCode: { as: 'Grep', argument: 'folder' },
  runCommand: { as: 'Bash', argument: 'cmd' },
  browse: { as: 'WebFetch', argument: 'address' },
  askWeb: 'WebSearch',
  askPerson: 'AskUserQuestion',
  plan: 'TodoWrite',
  readPlan: 'TodoRead',
  delegate: 'Task',
  openTicket: 'mcp__jira__create_issue',
} as const
const HOST = [...Object.keys(TOOLS), 'sendMail', 'payInvoice']

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>]

const READ: Call = ['openFile', { path: 'docs/a.md' }]
const WRITE: Call = ['saveFile', { target: 'docs/a.md', text: 'x' }]
const EDIT: Call = ['patchFile', { target: 'src/a.ts' }]
const GLOB: Call = ['listMatches', { glob: 'src/**' }]
const GREP: Call = ['searchCode', { folder: 'src', words: 'x' }]
const LOG: Call = ['runCommand', { cmd: 'git log -3' }]
const PUSH: Call = ['runCommand', { cmd: 'git push' }]
const TEST: Call = ['runCommand', { cmd: 'npm test' }]
const BOTH: Call = ['runCommand', { cmd: 'git log; id' }]
const FETCH: Call = ['browse', { address: 'https://docs.example.com/a' }]
const ELSEWHERE: Call = ['browse', { address: 'https://evil.test/a' }]
const SEARCH: Call = ['askWeb', { query: 'x' }]
const ASK: Call = ['askPerson', { questions: [] }]
const PLAN: Call = ['plan', { todos: [] }]
const READ_PLAN: Call = ['readPlan', {}]
const DELEGATE: Call = ['delegate', { prompt: 'x' }]
const TICKET: Call = ['openTicket', { title: 'x' }]
const MAIL: Call = ['sendMail', { to: 'x' }]
const PAY: Call = ['payInvoice', { amount: 1 }]
const ALL: readonly Call[] = [
  READ,
  WRITE,
  EDIT,
  GLOB,
  GREP,
  LOG,
  PUSH,
  TEST,
  BOTH,
  FETCH,
  ELSEWHERE,
  SEARCH,
  ASK,
  PLAN,
  READ_PLAN,
  DELEGATE,
  TICKET,
  MAIL,
  PAY,
]

/** Lists as published skills have them, in the forms in which they write them, and what their authors meant. */
const LISTS: readonly (readonly [name: string, list: string, meant: readonly Call[]])[] = [
  ['review', 'Read, Grep, Glob', [READ, GREP, GLOB]],
  ['history', 'Bash(git log:*), Bash(git diff:*), Read', [LOG, READ]],
  ['docs-writer', 'Read, Write(docs/**), Edit(docs/**)', [READ, WRITE]],
  ['fixer', '[Read, Edit, Write, "Bash(npm test)"]', [READ, EDIT, WRITE, TEST]],
  ['shell', 'Bash', [LOG, PUSH, TEST, BOTH]],
  ['research', 'WebFetch(domain:example.com) WebSearch Read', [FETCH, SEARCH, READ]],
  ['interview', 'AskUserQuestion, TodoWrite, TodoRead', [ASK, PLAN, READ_PLAN]],
  ['lead', 'Agent, Read', [DELEGATE, READ]],
  ['triage', 'mcp__jira__create_issue Read', [TICKET, READ]],
  ['polyglot', 'read_file run_shell_command', [READ, LOG, PUSH, TEST, BOTH]],
]

const skills = Object.fromEntries(
  LISTS.map(([name, list]) => [
    name,
    { 'SKILL.md': `---\nname: ${name}\ndescription: Does ${name}.\nallowed-tools: ${list}\n---\nDo it.\n` },
  ]),
)

async function activated(name: string): Promise<AdapterSession> {
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    toolMap: TOOLS,
  })
  const session = openAdapterSession(repertoire, { cwd: '/p', consent: () => true })
  expect(await session.call({ id: 'a', tool: 'activate_skill', input: { name } }, () => '')).toMatchObject({ ok: true })
  return session
}

describe('a host with fifteen tools of its own names, and published lists as they are', () => {
  it.each(LISTS)('[GATE-9] %s (%s): what is allowed is what its author meant', async (name, _, meant) => {
    const session = await activated(name)
    const view = await session.step({ tools: HOST })
    const allowed: Call[] = []
    for (const call of ALL) {
      const [tool, input] = call
      if ((await session.call({ id: 'c', tool, input }, () => 'ran')).ok) allowed.push(call)
    }
    expect(allowed).toEqual(ALL.filter((call) => meant.includes(call)))
    // What the model is shown are the tools of these calls.
    expect(HOST.filter((tool) => !view.isHidden(tool)).toSorted()).toEqual(
      [...new Set([...meant, ...also(name)].map(([tool]) => tool))].toSorted(),
    )
  })

  it('[GATE-9, GATE-10] no rule of theirs is without a tool, so that none is named as one', async () => {
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })], toolMap: TOOLS })
    const unmatched = (name: string, hostTools: readonly string[]) =>
      repertoire.explain(name, { hostTools }).candidates[0]!.reasons.filter(({ type }) => type === 'unmatched')
    for (const [name] of LISTS) {
      expect(unmatched(name, ['launchRocket'])).not.toEqual([])
      expect(unmatched(name, HOST)).toEqual([])
    }
  })
})

/** Tools that a rule with a pattern means, none of whose calls here are covered. */
function also(name: string): readonly Call[] {
  return name === 'docs-writer' ? [EDIT] : []
}

describe('an agent with the tools of deepagents, under their names and with their inputs', () => {
  const DEEPAGENTS = ['ls', 'read_file', 'write_file', 'edit_file', 'glob', 'grep', 'execute', 'task', 'write_todos']

  it('[GATE-9] runs a published list without its own table, once it says that its files begin at the root', async () => {
    const manifest =
      '---\nname: docs\ndescription: Docs.\nallowed-tools: Read, Write(docs/**), Bash(git log:*)\n---\nGo.\n'
    const repertoire = await openRepertoire({
      sources: [memorySource({ layer: 'project', skills: { docs: { 'SKILL.md': manifest } } })],
    })
    const session = openAdapterSession(repertoire, { consent: () => true, cwd: '/' })
    await (await session.step({ tools: DEEPAGENTS })).call({ id: 'a', tool: 'activate_skill', input: { name: 'docs' } })
    const view = await session.step({ tools: DEEPAGENTS })
    expect(DEEPAGENTS.filter((tool) => !view.isHidden(tool))).toEqual(['read_file', 'write_file', 'execute'])
    const calls: readonly Call[] = [
      ['read_file', { file_path: '/src/a.ts', offset: 0, limit: 100 }],
      ['write_file', { file_path: '/docs/x.md', content: 'x' }],
      ['write_file', { file_path: '/src/x.md', content: 'x' }],
      ['write_file', { file_path: '/docs/../src/x.md', content: 'x' }],
      ['execute', { command: 'git log -3' }],
      ['execute', { command: 'git push' }],
      ['edit_file', { file_path: '/docs/x.md', old_string: 'a', new_string: 'b' }],
      ['task', { description: 'x', subagent_type: 'general-purpose' }],
    ]
    const outcomes = await Promise.all(calls.map(([tool, input]) => session.call({ id: 'c', tool, input }, () => '')))
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false, false, true, false, false, false])
  })
})
