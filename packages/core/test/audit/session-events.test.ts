import { describe, expect, it } from 'vitest'
import { adapterSession } from '../../src/adapter.ts'
import { caller, code, keeping, open, ticking, types } from './world.ts'
import { hooksBy } from '../session/hook-runner.ts'

describe('events of a session', () => {
  it('[OBS-1, ACT-6] has one event for an activation that two calls of one message request, and answers both', async () => {
    const sink = keeping()
    const { session } = await open(sink)
    await session.step({ tools: ['Bash'] })
    const input = { name: 'git' }
    const [first, second] = await Promise.all(
      ['a', 'b'].map((id) => session.call({ id, tool: 'activate_skill', input }, () => undefined)),
    )
    expect([first?.ok, second?.ok]).toEqual([true, true])
    expect(second?.ok === true && second.value).toEqual({ name: 'git', active: true })
    expect(session.activeSkills).toEqual(['git'])
    await session.end()
    expect(types(sink.events)).toEqual(['skill.activating', 'skill.activated', 'skill.deactivated'])
  })

  it('[OBS-1] has events for activation, tools, violation, blocked script and deactivation, with agent, skill and duration', async () => {
    const sink = keeping()
    const { session } = await open(
      { sink, now: ticking() },
      { agent: 'coder', tenant: 'acme', environment: 'test', correlationId: 'req-7' },
    )
    const { call, activate } = caller(session, 'model-a')
    await activate('git')
    await call('bash', { command: 'git log -1' })
    await call('Write', { file_path: 'a', content: 'x' })
    await call('Read', { file_path: 'memory:memory/git/scripts/go.sh' })
    await call('read_skill_resource', { path: 'references/a.md' })
    await call('read_skill_resource', { path: 'references/none.md' })
    await call('Nothing', {})
    await call('deactivate_skill', {})
    await session.end()

    const { events } = sink
    expect(types(events)).toEqual([
      'skill.activating',
      'skill.activated',
      'tool.started',
      'tool.finished',
      'restriction.violated',
      'script_read.blocked',
      'resource.read',
      'resource.refused',
      'tool.refused',
      'skill.deactivated',
    ])
    const digest = events[0]!.skill!.digest
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    const git = { name: 'git', digest, layer: 'project', source: 'memory', allowedTools: ['Read', 'Bash(git log:*)'] }
    for (const event of events) {
      expect(event).toMatchObject({
        version: 1,
        session: 'task',
        correlationId: 'req-7',
        agent: 'coder',
        tenant: 'acme',
        environment: 'test',
        model: 'model-a',
        enforced: true,
      })
      expect(event.time).toMatch(/^2026-01-01T00:00:\d\d\.000Z$/)
    }
    expect(events[0]).toMatchObject({
      skill: git,
      skills: [],
      callId: 'c1',
      tool: 'activate_skill',
      outcome: 'started',
    })
    expect(events[1]).toMatchObject({ skill: git, outcome: 'succeeded', durationMs: 1_000 })
    expect(events[2]).toMatchObject({ tool: 'Bash', callId: 'c2', skills: [git], outcome: 'started' })
    expect(events[3]).toMatchObject({
      tool: 'Bash',
      callId: 'c2',
      skills: [git],
      outcome: 'succeeded',
      durationMs: 2_000,
    })
    expect(events[4]).toMatchObject({
      tool: 'Write',
      code: 'TOOL_NOT_ALLOWED',
      outcome: 'refused',
      allowedTools: git.allowedTools,
      skill: git,
      refusedBy: { by: 'allowed-tools', skill: 'git' },
    })
    expect(events[5]).toMatchObject({
      skill: git,
      refusedBy: { by: 'script', skill: 'git' },
      code: 'SCRIPT_READ_BLOCKED',
      path: 'memory:memory/git/scripts/go.sh',
    })
    expect(events[6]).toMatchObject({ skill: git, path: 'references/a.md', outcome: 'succeeded' })
    expect(events[7]).toMatchObject({ code: 'RESOURCE_NOT_FOUND', path: 'references/none.md' })
    expect(events[8]).toMatchObject({ code: 'TOOL_UNKNOWN', tool: 'Nothing' })
    expect(events[9]).toMatchObject({ skill: git, outcome: 'succeeded', skills: [git] })
    expect(events[9]!.durationMs).toBeGreaterThan(0)
  })

  it('[OBS-1] has events for failed and for aborted calls, and rethrows their errors', async () => {
    const sink = keeping()
    const { session } = await open(sink)
    const { call } = caller(session)
    const stop = new AbortController()
    const boom = (): never => {
      throw new Error('disk is full')
    }
    await expect(call('Bash', { command: 'a' }, { run: boom })).rejects.toThrow('disk is full')
    await call('Bash', { command: 'a' }, { run: () => ({ exitCode: 2 }) })
    await call('Bash', { command: 'a' }, { run: () => ({ isError: true }) })
    await call('Bash', { command: 'a' }, { run: () => ({ exit_code: 0, code: 7 }) })
    const aborting = (): never => {
      stop.abort()
      throw stop.signal.reason
    }
    await expect(call('Bash', { command: 'a' }, { run: aborting, signal: stop.signal })).rejects.toThrow(
      'This operation was aborted',
    )
    const finished = sink.events.filter(({ type }) => type === 'tool.finished')
    expect(finished.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'succeeded', 'aborted'])
    expect(finished[0]).toMatchObject({ error: 'disk is full' })
  })

  it('[OBS-1] tells concurrent calls apart by their ids', async () => {
    const sink = keeping()
    const { session } = await open(sink)
    await session.step({ tools: ['Bash'] })
    const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const calls = gates.map(({ promise }, n) =>
      session.call({ id: `c${n}`, tool: 'Bash', input: { command: `${n}` } }, () => promise),
    )
    for (const n of [2, 0, 1]) {
      gates[n]!.resolve('x')
      await calls[n]
    }
    const of = (type: string) => sink.events.flatMap((event) => (event.type === type ? [event] : []))
    expect(of('tool.started').map(({ callId }) => callId)).toEqual(['c0', 'c1', 'c2'])
    expect(of('tool.finished').map(({ callId }) => callId)).toEqual(['c2', 'c0', 'c1'])
    expect(new Set(of('tool.started').map(({ inputDigest }) => inputDigest)).size).toBe(3)
  })

  it('[OBS-1] has an event for every skill that the end deactivates, top first, also after an abort', async () => {
    const sink = keeping()
    const { repertoire } = await open(sink)
    const failed = repertoire.runTask({ id: 'aborted', consent: () => true }, async (session) => {
      const { activate } = caller(adapterSession(session))
      await activate('git')
      await activate('runner')
      throw new DOMException('stop', 'AbortError')
    })
    await expect(failed).rejects.toThrow('stop')
    const left = sink.events.filter(({ type }) => type === 'skill.deactivated')
    expect(left.map(({ skill, session }) => [skill?.name, session])).toEqual([
      ['runner', 'aborted'],
      ['git', 'aborted'],
    ])
  })

  it('[OBS-1] has one event for a denied activation, with the reason', async () => {
    const sink = keeping()
    const { session } = await open(sink, { consent: () => ({ requestId: '', approved: false }) })
    const { activate } = caller(session)
    expect(code(await activate('git'))).toBe('CONSENT_DENIED')
    expect(code(await activate('gti'))).toBe('SKILL_NOT_FOUND')
    expect(sink.events.map(({ type, code: why, skill }) => [type, why, skill?.name])).toEqual([
      ['skill.denied', 'CONSENT_DENIED', 'git'],
      ['skill.denied', 'SKILL_NOT_FOUND', undefined],
    ])
  })

  it('[OBS-1, ASK-3] has an event for an activation that was aborted while consent was requested', async () => {
    const sink = keeping()
    const stop = new AbortController()
    const { session } = await open(sink, {
      consent: () => {
        stop.abort()
        return new Promise(() => undefined)
      },
    })
    await expect(caller(session).call('activate_skill', { name: 'git' }, { signal: stop.signal })).rejects.toThrow(
      'This operation was aborted',
    )
    expect(sink.events).toMatchObject([{ type: 'skill.denied', outcome: 'aborted', skill: { name: 'git' } }])
  })

  it('[OBS-1] falls back to the system’s time where the host’s clock fails', async () => {
    for (const now of [
      () => Number.NaN,
      () => 1e300,
      () => {
        throw new Error('no')
      },
    ]) {
      const sink = keeping()
      const { session } = await open({ sink, now })
      await caller(session).call('Bash', { command: 'a' })
      expect(sink.events.map(({ time }) => Number.isNaN(Date.parse(time)))).toEqual([false, false])
    }
  })

  it('[OBS-1, ACT-12] has events for a person’s activation too', async () => {
    const sink = keeping()
    const { session } = await open(sink)
    await session.activate('git', { id: 'i1' })
    await session.activate('none', { id: 'i2' })
    expect(sink.events.map(({ type, callId }) => [type, callId])).toEqual([
      ['skill.activating', 'i1'],
      ['skill.activated', 'i1'],
      ['skill.denied', 'i2'],
    ])
  })

  it('[OBS-1, ACT-13] has events for hooks that succeed and that fail', async () => {
    const sink = keeping()
    const { session } = await open(
      sink,
      {},
      { scripts: hooksBy(({ script }) => ({ ok: script === 'before.sh', output: 'no\n\u001B[31m' })) },
    )
    await caller(session).activate('hooked')
    await session.end()
    expect(sink.events.map(({ type, hook, outcome }) => [type, hook, outcome])).toEqual([
      ['skill.activating', undefined, 'started'],
      ['hook.finished', 'before.sh', 'succeeded'],
      ['skill.activated', undefined, 'succeeded'],
      ['skill.deactivated', undefined, 'succeeded'],
      ['hook.failed', 'after.sh', 'failed'],
    ])
    expect(sink.events.at(-1)!.error).not.toContain('\u001B')
  })

  it('[OBS-1, ACT-10] has events for a fork, and for its calls under the fork’s id and the same correlation', async () => {
    const sink = keeping()
    const { session } = await open(sink, { correlationId: 'req-1' })
    const outer = await session.step({ tools: ['Bash'], nameOf: () => 'outer' })
    await outer.call({ id: 'f', tool: 'activate_skill', input: { name: 'apart' } }, () => undefined, {
      fork: async ({ session: child }) => {
        const inner = await adapterSession(child).step({ tools: ['Bash'], nameOf: () => 'inner' })
        await inner.call({ id: 'b', tool: 'Bash', input: { command: 'a' } }, () => 'ok')
        return 'result'
      },
    })
    expect(sink.events.map(({ type, session: id, model, correlationId }) => [type, id, model, correlationId])).toEqual([
      ['skill.activating', 'task', 'outer', 'req-1'],
      ['fork.started', 'task', 'outer', 'req-1'],
      ['skill.activated', 'task/f', 'outer', 'req-1'],
      ['tool.started', 'task/f', 'inner', 'req-1'],
      ['tool.finished', 'task/f', 'inner', 'req-1'],
      ['skill.deactivated', 'task/f', 'outer', 'req-1'],
      ['fork.finished', 'task', 'outer', 'req-1'],
    ])
    expect(sink.events.at(-1)).toMatchObject({ outcome: 'succeeded', skill: { name: 'apart' }, callId: 'f' })
  })

  it('[OBS-1, GATE-8] has events for a violation that is not enforced, and for the call that runs', async () => {
    const sink = keeping()
    const { session } = await open(sink, { enforcement: 'advisory' })
    const { call, activate, ran } = caller(session)
    await activate('git')
    await call('Write', { file_path: 'a', content: 'x' })
    expect(ran).toEqual(['Write'])
    expect(sink.events.slice(2).map(({ type, enforced, outcome }) => [type, enforced, outcome])).toEqual([
      ['restriction.violated', false, 'allowed'],
      ['tool.started', true, 'started'],
      ['tool.finished', true, 'succeeded'],
    ])
  })

  it('[OBS-1, ACT-15] keeps the correlation in a saved session', async () => {
    const sink = keeping()
    const { session } = await open(sink, { correlationId: 'first' })
    await caller(session).activate('git')
    const again = await open(sink, { saved: session.save(), correlationId: 'second' })
    await caller(again.session).call('Bash', { command: 'git log' })
    expect(sink.events.at(-1)).toMatchObject({ correlationId: 'first', session: 'task', skills: [{ name: 'git' }] })
    const bare = await open(sink)
    const later = await open(sink, { saved: bare.session.save(), correlationId: 'later' })
    expect(later.session.state.correlationId).toBe('later')
  })
})
