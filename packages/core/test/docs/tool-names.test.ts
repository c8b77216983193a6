import { expect, it } from 'vitest'
import { memorySource, type Repertoire, type SkillSource } from '@repertoire/core'
import { openAdapterSession } from '../../src/adapter.ts'
import { openHost } from './tool-names-example.ts'
import { openSandboxed } from './tool-names-root-example.ts'

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
  session.beginStep(hostTools)
  await session.call({ id: 'a', tool: 'activate_skill', input: { name: 'own' } }, () => undefined)
  session.beginStep(hostTools)
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

it('[ADPT-4, GATE-9] shows there a file system of the tools own, a tool of several uses, and one that is none', async () => {
  const repertoire = await openSandboxed(sourcesOf('Read(docs/**) Edit WebFetch'))
  const calls = [
    ['notes', { action: 'show', file: '/docs/a.md' }],
    ['notes', { action: 'show', file: '/a.md' }],
    ['notes', { action: 'add', file: '/docs/a.md' }],
    ['replace', { file_path: '/a.md' }],
    ['upload', { path: 'docs/a.md' }],
    ['upload', { path: 'a.md' }],
  ] as const
  const hostTools = ['notes', 'replace', 'upload', 'run_shell_command', 'grep_search', 'write_file', 'read_file']
  expect(await allowed(repertoire, hostTools, calls)).toEqual([true, false, false, false, true, false])
})
