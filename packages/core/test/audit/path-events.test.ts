import { describe, expect, it } from 'vitest'
import { createCounters } from '../../src/index.ts'
import { caller, keeping, open, ticking } from './world.ts'

const GO = 'memory:memory/runner/scripts/go.sh'
const missing = (): never => {
  throw Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' })
}

describe('the counters', () => {
  it('[OBS-5, OBS-2] count a script that a shell command would show apart from one that it runs', async () => {
    const counters = createCounters()
    const sink = keeping()
    const { session } = await open([counters, sink])
    const { activate, call } = caller(session, 'm')
    await activate('runner')
    for (const command of [`cat ${GO}`, `head -3 ${GO}`, `git diff ${GO}`, `sh ${GO}`, `chmod +x ${GO}`]) {
      await call('Bash', { command })
    }
    expect(counters.byModel()).toMatchObject([
      { scriptReads: 3, scripts: { started: 1, succeeded: 1, failed: 0, successRate: 1 } },
    ])
    expect(sink.events.filter(({ type }) => type === 'script_read.blocked')).toHaveLength(3)
    const started = sink.events.filter(({ type }) => type === 'tool.started')
    expect(started.map(({ script }) => script?.path)).toEqual(['scripts/go.sh', undefined])
  })

  it('[OBS-5, OBS-2] count the paths that a tool did not find while a skill was active', async () => {
    const counters = createCounters()
    const sink = keeping()
    const { session } = await open([counters, sink])
    const { activate, call } = caller(session, 'm')
    await call('Read', { file_path: 'before.md' }, { run: missing }).catch(() => undefined)
    await activate('git')
    await call('Read', { file_path: 'references/none.md' }, { run: missing }).catch(() => undefined)
    await call('Read', { file_path: 'also.md' }, { run: () => 'ENOENT: no such file' })
    await call('Read', { file_path: 'good.md' }, { run: () => 'ENOENT is told by the system.' })
    await call('Bash', { command: 'git log x' }, { run: missing }).catch(() => undefined)
    expect(counters.byModel()).toMatchObject([{ pathFailures: 2 }])
    const finished = sink.events.filter(({ type }) => type === 'tool.finished')
    expect(finished.map(({ missing: path, outcome }) => [path, outcome])).toEqual([
      ['before.md', 'failed'],
      ['references/none.md', 'failed'],
      ['also.md', 'failed'],
      [undefined, 'succeeded'],
      [undefined, 'failed'],
    ])
  })

  it('[OBS-5, OBS-2] count the paths that a tool of an MCP server did not find', async () => {
    const counters = createCounters()
    const { session } = await open(counters, { enforcement: 'advisory' })
    await caller(session, 'm').activate('git')
    const tool = 'mcp__fs__read_file'
    const { call } = await session.step({ tools: [tool], nameOf: () => 'm' })
    const content = [{ type: 'text', text: 'ENOENT: no such file or directory, open a.md' }]
    await call({ id: '1', tool, input: { path: 'a.md' } }, () => ({ isError: true, content }))
    await call({ id: '2', tool, input: { path: 'b.md' } }, () => ({ content: [{ type: 'text', text: 'Body.' }] }))
    await call({ id: '3', tool, input: { path: 'c.md' } }, missing).catch(() => undefined)
    expect(counters.byModel()).toMatchObject([{ pathFailures: 2 }])
  })
})

describe('the event of a deactivation', () => {
  it('[OBS-5, OBS-1] distinguishes the end of the task from a call of the model', async () => {
    const sink = keeping()
    const { session } = await open(sink)
    const { activate, call } = caller(session, 'm')
    await activate('git')
    await activate('runner')
    await call('deactivate_skill', {})
    await session.end()
    const ended = sink.events.filter(({ type }) => type === 'skill.deactivated')
    expect(ended.map(({ skill, endedBy }) => [skill?.name, endedBy])).toEqual([
      ['runner', 'call'],
      ['git', 'task'],
    ])
  })

  it('[OBS-5] has how long the skill was active, also after the session was saved and restored', async () => {
    const sink = keeping()
    const now = ticking()
    const { session, repertoire } = await open({ sink, now })
    await caller(session, 'm').activate('git')
    const began = sink.events.find(({ type }) => type === 'skill.activated')!
    const saved = JSON.parse(JSON.stringify(session.save()))
    const other = await open({ sink, now }, { saved })
    for (const again of [repertoire.openSession({ saved }), other.session]) {
      sink.events.length = 0
      await again.end()
      const [ended] = sink.events
      expect(ended).toMatchObject({ type: 'skill.deactivated', skill: { name: 'git' } })
      expect(ended!.durationMs).toBe(Date.parse(ended!.time) - Date.parse(began.time))
      expect(ended!.durationMs).toBeGreaterThan(0)
    }
  })

  it('[OBS-5] has no duration where the skill was activated without an audit', async () => {
    const { session } = await open(undefined)
    await caller(session, 'm').activate('git')
    const sink = keeping()
    const other = await open(sink, { saved: session.save() })
    await other.session.end()
    expect(sink.events[0]).toMatchObject({ type: 'skill.deactivated' })
    expect(sink.events[0]).not.toHaveProperty('durationMs')
  })
})
