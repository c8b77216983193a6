import { describe, expect, it } from 'vitest'
import { type AuditEvent, createCounters } from '../../src/index.ts'
import { caller, open, ticking, called } from '../audit/world.ts'
import { metricsOf, recordsOf } from './other-records-example.ts'

const GO = 'memory:memory/runner/scripts/go.sh'

function collecting() {
  const records: Readonly<Record<string, unknown>>[] = []
  return { records, sink: recordsOf((record) => records.push(record)) }
}

describe('the sink on the page for those who come from another system', () => {
  it('[OBS-5, OBS-7] writes every field of the four records', async () => {
    const { records, sink } = collecting()
    const identity = { agent: 'coder', tenant: 'acme', correlationId: 'request-7' }
    const { session } = await open({ sink, now: ticking() }, identity)
    const { activate, call } = caller(session, 'm')
    await call('Bash', { command: 'ls' })
    await activate('git')
    await call('Bash', { command: 'git log' })
    await call('Bash', { command: 'git log' }, { run: () => Promise.reject(new Error('broken')) }).catch(
      () => undefined,
    )
    await call('Bash', { command: 'git log' }, { run: () => ({ exitCode: 1 }) })
    await call('Write', { file_path: 'a' })
    await session.end()
    expect(records.map(({ event }) => event)).toEqual([
      'skill_activated',
      'tool_execution_in_skill',
      'tool_execution_in_skill',
      'tool_execution_in_skill',
      'tool_restriction_violated',
      'skill_deactivated',
    ])
    const common = {
      skill_name: 'git',
      skill_layer: 'project',
      agent_id: 'coder',
      task_id: 'task',
      tenant_id: 'acme',
      correlation_id: 'request-7',
      allowed_tools: ['Read', 'Bash(git log:*)'],
    }
    for (const record of records) {
      expect(record).toMatchObject(common)
      expect(record['skill_digest']).toMatch(/^[0-9a-f]{64}$/)
      expect(Date.parse(String(record['timestamp']))).toBeGreaterThan(0)
    }
    const [activated, ran, threw, failed, violated, deactivated] = records
    expect(activated).toMatchObject({ tool_allowed: undefined, error: undefined })
    expect(ran).toMatchObject({ tool_name: 'Bash', tool_allowed: true, error: undefined, duration_seconds: 2 })
    expect(threw).toMatchObject({ tool_allowed: true, error: expect.stringContaining('broken') })
    expect(failed).toMatchObject({ tool_allowed: true, error: 'The tool reported a failure.' })
    expect(violated).toMatchObject({ tool_name: 'Write', tool_allowed: false, refused_by: 'allowed-tools' })
    expect(violated!['error']).toContain('Write')
    expect(deactivated).toMatchObject({ at_task_end: true, tool_allowed: undefined, error: undefined })
    expect(deactivated!['duration_seconds']).toBeGreaterThan(0)
  })

  it('[OBS-7] names the skill that refused, also below the top of the stack', async () => {
    const { records, sink } = collecting()
    const { session } = await open(sink)
    const { activate, call } = caller(session, 'm')
    await activate('git')
    await activate('runner')
    await call('Bash', { command: 'ls' })
    expect(records.at(-1)).toMatchObject({ event: 'tool_restriction_violated', skill_name: 'git', tool_allowed: false })
  })

  it('[OBS-7] names the rule of the policy that refused, and no skill', async () => {
    const { records, sink } = collecting()
    const { session } = await open(sink, {}, { policy: { deny: ['Bash(git log:*)'] } })
    const { activate, call } = caller(session, 'm')
    await activate('git')
    await call('Bash', { command: 'git log' })
    const refusal = {
      event: 'tool_restriction_violated',
      tool_allowed: false,
      refused_by: 'policy.deny',
      refused_by_rule: 'Bash(git log:*)',
    }
    expect(records.at(-1)).toMatchObject(refusal)
    expect(records.at(-1)!['skill_name']).toBeUndefined()
  })

  it('[OBS-7] writes a record of a blocked script read', async () => {
    const { records, sink } = collecting()
    const { session } = await open(sink)
    const { activate, call } = caller(session, 'm')
    await activate('git')
    await call('Read', { file_path: 'memory:memory/git/scripts/go.sh' })
    expect(records.at(-1)).toMatchObject({
      event: 'tool_restriction_violated',
      skill_name: 'git',
      tool_name: 'Read',
      tool_allowed: false,
      refused_by: 'script',
      error: expect.stringContaining('scripts/go.sh'),
    })
  })

  it('[GATE-8, OBS-1] shows in the mode `advisory` alone what `restrict` would refuse', async () => {
    for (const [enforcement, expected] of [
      ['advisory', [[false, true]]],
      ['preapprove', []],
      ['restrict', [[true, false]]],
    ] as const) {
      const events: AuditEvent[] = []
      const { session } = await open({ write: (event) => void events.push(event) }, { enforcement })
      const { activate, call, ran } = caller(session)
      await activate('git')
      await call('Write', { file_path: 'a' })
      const violations = events.filter(({ type }) => type === 'restriction.violated')
      expect(violations.map(({ enforced }) => [enforced, ran.includes('Write')])).toEqual(expected)
    }
  })

  it('[OBS-7, OBS-2] gives every figure its other name', async () => {
    const counters = createCounters()
    const { session } = await open(counters)
    const { activate, call } = caller(session, 'm')
    await activate('runner')
    await call('Bash', { command: `sh ${GO}` })
    await call('Bash', { command: `sh ${GO}` }, { run: () => ({ exitCode: 1 }) })
    await call('Bash', { command: `cat ${GO}` })
    await call('Write', { file_path: 'a' })
    await call('read_skill_resource', { path: 'references/none.md' })
    await called(session, 'm', { inputTokens: 30, outputTokens: 10 })
    expect(counters.byModel().map(metricsOf)).toEqual([
      {
        model: 'm',
        path_resolution_failures: 1,
        script_reads_attempted: 1,
        tool_restriction_violations: 1,
        script_success_rate_percent: 50,
        tokens_per_skill_execution: { runner: 40 },
      },
    ])
  })
})
