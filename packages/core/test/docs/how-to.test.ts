import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { printRefusals, runAudited } from './how-to-audit-example.ts'
import { listSkills } from './how-to-list-example.ts'
import { openReaders } from './how-to-read-only-example.ts'
import { printFitting } from './how-to-search-example.ts'
import { openHost } from './how-to-tool-names-example.ts'

let printed: unknown[][]

beforeEach(() => {
  printed = []
  const log = vi.spyOn(console, 'log').mockImplementation((...line: unknown[]) => void printed.push(line))
  onTestFinished(() => log.mockRestore())
})

/** A folder with a skill that reads, one that writes, and one for another agent. */
function skillsFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-docs-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, description, fields] of [
    ['reader', 'Reads the docs.', 'allowed-tools: Read Bash(git log:*)'],
    ['searcher', 'Searches the docs.', 'allowed-tools: Read Grep'],
    ['operator', 'Restarts servers.', 'allowed-tools: Read\nscope:\n  agents: [operator]'],
  ]) {
    mkdirSync(join(root, name!))
    const text = `---\nname: ${name}\ndescription: ${description}\n${fields}\n---\nDo it.\n`
    writeFileSync(join(root, name!, 'SKILL.md'), text)
  }
  return root
}

it('[ADPT-4, DISC-9] lists on the how-to page what an agent sees, and says why a skill is missing', async () => {
  await listSkills(skillsFolder(), 'operator')
  expect(printed.slice(0, 2)).toEqual([
    ['reader', 'Reads the docs.'],
    ['searcher', 'Searches the docs.'],
  ])
  expect(printed.slice(2)).toEqual([[expect.stringMatching(/operator.*hidden/s)]])
  const nowhere = listSkills(join(skillsFolder(), 'skils'), 'operator')
  await expect(nowhere).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
})

it('[ADPT-4, GATE-9] judges on the how-to page the calls of tools with names of the host', async () => {
  const repertoire = await openHost(skillsFolder())
  const session = openAdapterSession(repertoire, { consent: () => true })
  await session.step({ tools: ['readDoc', 'runCommand'] })
  await session.activate('reader')
  const calls = [
    { id: '1', tool: 'readDoc', input: { path: 'a.md' } },
    { id: '2', tool: 'runCommand', input: { cmd: 'git log' } },
    { id: '3', tool: 'runCommand', input: { cmd: 'git push' } },
  ]
  const outcomes = await Promise.all(calls.map((call) => session.call(call, () => 'ran')))
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, false])
})

it('[ADPT-4, DISC-14] loads on the how-to page only skills that read', async () => {
  const { catalog } = await openReaders(skillsFolder())
  expect(catalog.list().map(({ name }) => name)).toEqual(['operator', 'searcher'])
  expect(catalog.refused.map(({ skill }) => skill.name)).toEqual(['reader'])
})

it('[ADPT-4, OBS-3] prints on the how-to page what an audit has of refused calls', async () => {
  const root = skillsFolder()
  const path = join(root, 'audit.jsonl')
  await runAudited(root, path, async (session) => {
    await session.activate('searcher')
    await session.call({ id: '1', tool: 'Write', input: { file_path: 'a.md' } }, () => 'written')
  })
  await printRefusals(path)
  expect(printed).toEqual([['restriction.violated', 'Write', 'TOOL_NOT_ALLOWED', expect.stringContaining('searcher')]])
})

it('[ADPT-4, MATCH-6] prints on the how-to page the skills that fit a task and that the agent may see', async () => {
  await printFitting(skillsFolder(), 'search the docs for servers')
  expect(printed[0]).toEqual(['searcher', 'Searches the docs.'])
  expect(printed.map(([name]) => name)).not.toContain('operator')
})
