import { describe, expect, it } from 'vitest'
import { type AuditEvent, SkillError, createCounters } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { call, openScripts, processRunner, run, use } from './script-world.ts'

const RUN = { interpreter: 'sh', runner: 'process', isolation: 'none', isolated: false, network: false }

async function recorded(
  options: Parameters<typeof openScripts>[0],
  paths: readonly string[],
): Promise<readonly AuditEvent[]> {
  const events: AuditEvent[] = []
  const { session } = await openScripts({ audit: { write: (event) => void events.push(event) }, ...options })
  await use(session, 'tool')
  for (const path of paths) await run(session, path)
  await session.end()
  return events.filter(({ type }) => /^(?:script|tool)/.test(type))
}

describe('the audit of scripts', () => {
  it('[OBS-2] has an event before a script and one after it, with what ran it and how it ended', async () => {
    const events = await recorded({}, ['scripts/args.sh', 'scripts/fail.sh'])
    const script = { skill: 'tool', path: 'scripts/args.sh' }
    expect(events).toMatchObject([
      {
        type: 'script.started',
        outcome: 'started',
        tool: 'run_skill_script',
        skill: { name: 'tool' },
        script,
        run: RUN,
      },
      { type: 'script.finished', outcome: 'succeeded', script, run: { ...RUN, end: 'exited', exitCode: 0 } },
      { type: 'script.started', outcome: 'started' },
      { type: 'script.finished', outcome: 'failed', run: { ...RUN, end: 'exited', exitCode: 3 } },
    ])
    expect(events[1]?.durationMs).toBeGreaterThan(0)
    expect(events[0]!.run).not.toHaveProperty('end')
  })

  it('[OBS-2] says what of the output was dropped, and that a script was stopped', async () => {
    const limits = { timeout: 3_000, maxOutputBytes: 4 }
    const [, finished] = await recorded({ scripts: { limits } }, ['scripts/wait.sh'])
    expect(finished).toMatchObject({ outcome: 'failed', run: { end: 'timed-out', droppedBytes: 4 } })
  })

  it('[OBS-2] has one event of what was refused, and none of a run', async () => {
    const events = await recorded({}, ['scripts/danger.sh', 'scripts/gem.rb', 'scripts/none.sh'])
    expect(events.map(({ type, code: why }) => `${type} ${why}`)).toStrictEqual([
      'tool.refused SCRIPT_DANGEROUS',
      'tool.refused SCRIPT_UNAVAILABLE',
    ])
  })

  it('[OBS-2] tells a script that could not be started from one whose runner failed', async () => {
    for (const [error, reason] of [
      [new SkillError('SCRIPT_NOT_STARTED', 'no'), 'SCRIPT_UNAVAILABLE'],
      [new Error('no'), 'SCRIPT_FAILED'],
    ] as const) {
      const runner = processRunner({ run: () => Promise.reject(error) })
      const events = await recorded({ scripts: { runner } }, ['scripts/args.sh'])
      expect(events).toMatchObject([
        { type: 'script.started' },
        { type: 'script.finished', outcome: 'failed', code: reason },
      ])
    }
  })

  it('[OBS-3] [ABUSE-100] does not run what must be recorded and cannot be', async () => {
    const audit = {
      sink: {
        write: ({ type }: AuditEvent) => (type === 'script.started' ? Promise.reject(new Error('full')) : undefined),
      },
      required: true,
    }
    const { session, runner } = await openScripts({ audit })
    await use(session, 'tool')
    expect(code(await run(session, 'scripts/args.sh'))).toBe('AUDIT_UNAVAILABLE')
    expect(runner.jobs).toStrictEqual([])
  })

  it('[OBS-2] [OBS-5] counts by model how many scripts succeed', async () => {
    const counters = createCounters()
    const { session } = await openScripts({ audit: counters })
    await use(session, 'tool')
    for (const path of ['scripts/args.sh', 'scripts/args.sh', 'scripts/fail.sh', 'scripts/danger.sh']) {
      const step = await session.step({ tools: ['Read'], nameOf: () => 'm' })
      await step.call({ id: path, tool: 'run_skill_script', input: { path } }, () => undefined)
    }
    await session.end()
    const counted = counters.byModel().find(({ model }) => model === 'm')
    expect(counted?.scripts).toStrictEqual({ started: 3, succeeded: 2, failed: 1, successRate: 2 / 3 })
  })

  it('[OBS-2] writes what was aborted, and does not count it', async () => {
    const events: AuditEvent[] = []
    const { session, runner } = await openScripts({ audit: { write: (event) => void events.push(event) } })
    await use(session, 'tool')
    const stop = new AbortController()
    const waiting = call(session, 'run_skill_script', { path: 'scripts/wait.sh' }, stop.signal)
    await expect.poll(() => runner.jobs.length).toBe(1)
    stop.abort(new Error('stop'))
    await expect(waiting).rejects.toThrow('stop')
    await session.end()
    expect(events.find(({ type }) => type === 'script.finished')).toMatchObject({ outcome: 'aborted' })
  })
})
