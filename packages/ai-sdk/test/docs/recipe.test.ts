import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool, type ToolSet } from 'ai'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { activate, call, modelOf, refusalOf, resultOf, useEndpoint } from '../task.ts'
import { createRoute, type StoredTask } from './recipe-example.ts'

const endpoint = useEndpoint()

const NAMES = [
  'openFile saveFile patchFile listFiles searchCode runCommand fetchPage searchWeb askPerson',
  'createTicket listTickets queryOrders sendMail readCalendar deploySite',
]
  .join(' ')
  .split(' ')

/** The fifteen tools of an agent that exists, and what ran. */
function ownTools(): { readonly tools: ToolSet; readonly runs: readonly string[] } {
  const runs: string[] = []
  const tools = NAMES.map((name) => {
    const execute = (input: unknown) => (runs.push(`${name} ${JSON.stringify(input)}`), `${name} ran`)
    return [name, tool({ description: name, inputSchema: z.looseObject({}), execute })] as const
  })
  return { runs, tools: Object.fromEntries(tools) }
}

async function projectWith(skills: Readonly<Record<string, string>>): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'repertoire-recipe-'))
  onTestFinished(() => rm(project, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(skills)) {
    await mkdir(join(project, path, '..'), { recursive: true })
    await writeFile(join(project, path), text)
  }
  return project
}

const manifest = (name: string, rules: string): string =>
  `---\nname: ${name}\ndescription: Looks at the ${name}.\nallowed-tools: ${rules}\n---\nLOOK AT THE ${name.toUpperCase()}.\n`

test('[ADPT-1, DISC-14, ASK-5, ACT-12, ACT-15] the recipe asks in one request, goes on in the next, and knows skills by their own names of tools', async () => {
  const project = await projectWith({
    'package.json': '{ "dependencies": { "skilled": "1.0.0" } }',
    'node_modules/skilled/package.json': '{ "name": "skilled", "version": "1.0.0" }',
    'node_modules/skilled/skills/orders/SKILL.md': manifest('orders', 'queryOrders'),
    '.claude/skills/history/SKILL.md': manifest('history', 'Read Grep Bash(git log:*)'),
    '.claude/skills/release/SKILL.md': manifest('release', 'Read Bash(git tag:*)'),
    '.claude/skills/chores/SKILL.md': manifest('chores', 'Read').replace(/^allowed-tools.*\n/m, ''),
  })
  const play = endpoint().play([
    activate('history'),
    call('runCommand', { cmd: 'git log -3' }),
    call('runCommand', { cmd: 'git log -3; rm -rf .' }),
    call('saveFile', { path: 'a.md' }),
    call('openFile', { path: 'a.md' }),
    { text: 'Seen.' },
    { text: 'Orders next.' },
    activate('release'),
    { text: 'There is none.' },
  ])
  const { tools, runs } = ownTools()
  expect(Object.keys(tools)).toHaveLength(15)
  const store = new Map<string, StoredTask>()
  const route = async () => createRoute(project, { model: modelOf(play), tools }, store, 'a secret of the server')
  const post = await route()

  const first = await post({ task: 't', text: 'What changed?' })
  expect(first.asked).toMatchObject([{ skill: 'history' }])
  expect(first.asked[0]!.text).toContain('runCommand(git log:*)')
  expect(runs).toEqual([])

  // Another process, and nothing but the store.
  store.set('t', JSON.parse(JSON.stringify(store.get('t'))))
  const later = await route()
  const second = await later({ task: 't', answers: [{ requestId: first.asked[0]!.id, approved: true }] })
  expect(second).toEqual({ text: 'Seen.', asked: [] })
  expect(resultOf(play, 'call_1_1')).toContain('LOOK AT THE HISTORY.')
  expect(runs).toEqual(['runCommand {"cmd":"git log -3"}', 'openFile {"path":"a.md"}'])
  for (const refused of ['call_3_1', 'call_4_1']) expect(refusalOf(play, refused)?.code).toBe('TOOL_NOT_ALLOWED')

  // A person names a skill of an npm package: it is theirs to name, and asks as every other.
  const third = await later({ task: 't', text: '/orders of May' })
  expect(third.asked).toMatchObject([{ skill: 'orders', args: 'of May' }])
  const last = await later({ task: 't', answers: [{ requestId: third.asked[0]!.id, approved: true }] })
  expect(last).toEqual({ text: 'Orders next.', asked: [] })
  expect(JSON.stringify(play.requests.at(-1)!.messages)).toContain('LOOK AT THE ORDERS.')

  // A skill that does more than read is not there; one that names no tools is, and is given those that read.
  expect(play.requests.at(-1)!.system).toContain('chores')
  expect(play.requests.at(-1)!.system).not.toContain('Looks at the release.')
  expect(await later({ task: 't', text: 'Release it.' })).toEqual({ text: 'There is none.', asked: [] })
  expect(resultOf(play, 'call_8_1')).toContain('SKILL_NOT_FOUND')
  const fourth = await later({ task: 't', text: '/chores' })
  expect(fourth.asked[0]).toMatchObject({ skill: 'chores', assumedTools: true })
  expect(fourth.asked[0]!.allowedTools).not.toContain('saveFile')
})
