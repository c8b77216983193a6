import { expect, it } from 'vitest'
import { caller, open, ticking } from '../audit/world.ts'
import { recordsOf } from './other-records-example.ts'

it('[OBS-5] shows on the page for those who come from another system a sink that writes the records of one', async () => {
  const records: Readonly<Record<string, unknown>>[] = []
  const sink = recordsOf((record) => records.push(record))
  const { session } = await open({ sink, now: ticking() }, { agent: 'coder', tenant: 'acme' })
  const { activate, call } = caller(session, 'm')
  await call('Bash', { command: 'ls' })
  await activate('git')
  await call('Bash', { command: 'git log' })
  await call('Write', { file_path: 'a' })
  await session.end()
  expect(records.map(({ event }) => event)).toEqual([
    'skill_activated',
    'tool_execution_in_skill',
    'tool_restriction_violated',
    'skill_deactivated',
  ])
  const common = { skill_name: 'git', agent_id: 'coder', task_id: 'task', tenant_id: 'acme' }
  for (const record of records) expect(record).toMatchObject(common)
  expect(records[1]).toMatchObject({ tool_name: 'Bash', tool_allowed: true, duration_seconds: 2 })
  expect(records[2]).toMatchObject({ tool_name: 'Write', allowed_tools: ['Read', 'Bash(git log:*)'] })
  expect(records[3]).toMatchObject({ at_task_end: true })
  expect(records[3]!['duration_seconds']).toBeGreaterThan(0)
})
