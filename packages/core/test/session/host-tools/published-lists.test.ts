import { describe, expect, it } from 'vitest'
import { memorySource } from '../../../src/catalog/memory-source.ts'
import { openRepertoire } from '../../../src/repertoire/repertoire.ts'
import type { Session } from '../../../src/session/session.ts'

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

async function activated(name: string): Promise<Session> {
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    tools: TOOLS,
  })
  const session = repertoire.openSession({ cwd: '/p', consent: () => true })
  session.beginStep(HOST)
  expect(await session.call({ id: 'a', tool: 'activate_skill', input: { name } }, () => '')).toMatchObject({ ok: true })
  return session
}

describe('a host with fifteen tools of its own names, and published lists as they are', () => {
  it.each(LISTS)('[GATE-9] %s (%s): what is allowed is what its author meant', async (name, _, meant) => {
    const session = await activated(name)
    const view = session.beginStep(HOST)
    const allowed: Call[] = []
    for (const call of ALL) {
      const [tool, input] = call
      if ((await session.call({ id: 'c', tool, input }, () => 'ran')).ok) allowed.push(call)
    }
    expect(allowed).toEqual(ALL.filter((call) => meant.includes(call)))
    // What the model is shown are the tools of these calls.
    expect(HOST.filter((tool) => !view.hides(tool)).toSorted()).toEqual(
      [...new Set([...meant, ...also(name)].map(([tool]) => tool))].toSorted(),
    )
  })

  it('[GATE-9, GATE-10] no rule of theirs is without a tool, so that none is named as one', async () => {
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })], tools: TOOLS })
    for (const [name] of LISTS) {
      const reasons = repertoire.explain(name, {}, { hostTools: HOST }).candidates[0]!.reasons
      expect(reasons.filter(({ type }) => type === 'unmatched')).toEqual([])
    }
  })
})

/** Tools that a rule with a pattern means, none of whose calls here are covered. */
function also(name: string): readonly Call[] {
  return name === 'docs-writer' ? [EDIT] : []
}
