import { expect, it } from 'vitest'
import { memorySource, type Repertoire, type SkillSource } from '@repertoire/core'
import { openAdapterSession } from '../../src/adapter.ts'
import { openHost } from './tool-names-example.ts'
import { openNotes } from './tool-names-uses-example.ts'

const sourcesOf = (rules: string): readonly SkillSource[] => [
  memorySource({
    layer: 'project',
    skills: { own: { 'SKILL.md': `---\nname: own\ndescription: Own.\nallowed-tools: ${rules}\n---\nGo.\n` } },
  }),
]

async function allowed(
  repertoire: Repertoire,
  hostTools: readonly string[],
  calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[],
): Promise<readonly boolean[]> {
  const session = openAdapterSession(repertoire, { consent: () => true })
  await (await session.step({ tools: hostTools })).call({ id: 'a', tool: 'activate_skill', input: { name: 'own' } })
  const outcomes = await Promise.all(calls.map(([tool, input]) => session.call({ id: 'c', tool, input }, () => 'ran')))
  return outcomes.map(({ ok }) => ok)
}

it('[ADPT-4, GATE-9] shows on the page of tool names a table by which published rules hold', async () => {
  const repertoire = await openHost(sourcesOf('Read Grep(src/**) Bash(git log:*) deploy(staging)'))
  const calls = [
    ['readDoc', { path: 'a.md' }],
    ['runCommand', { cmd: 'git log -3' }],
    ['runCommand', { cmd: 'git push' }],
    ['searchCode', { dir: 'src/a' }],
    ['searchCode', { dir: '.' }],
    ['deploy', { target: 'staging' }],
    ['deploy', { target: 'production' }],
  ] as const
  expect(await allowed(repertoire, ['readDoc', 'runCommand', 'searchCode', 'deploy'], calls)).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
    false,
  ])
})

it('[ADPT-4, GATE-9] shows there a tool of several uses, and one that is not what its name says', async () => {
  const repertoire = await openNotes(sourcesOf('Read(docs/**) Bash'))
  const calls = [
    ['notes', { action: 'show', file: 'docs/a.md' }],
    ['notes', { action: 'show', file: 'a.md' }],
    ['notes', { action: 'add', file: 'docs/a.md' }],
    ['execute', { command: 'ls' }],
    ['run_shell_command', { command: 'ls' }],
  ] as const
  const hostTools = ['notes', 'execute', 'run_shell_command']
  expect(await allowed(repertoire, hostTools, calls)).toEqual([true, false, false, false, true])
})
