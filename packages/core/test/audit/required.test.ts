import { describe, expect, it } from 'vitest'
import type { AuditEvent, AuditSink } from '../../src/index.ts'
import { caller, code, keeping, open, types } from './world.ts'
import { hooksBy } from '../session/hook-runner.ts'

/** A sink that does as it is told at the moment. */
function fickle(): AuditSink & {
  readonly events: AuditEvent[]
  mode: 'works' | 'throws' | 'rejects' | 'hangs'
  tried: number
} {
  const events: AuditEvent[] = []
  return {
    events,
    mode: 'works',
    tried: 0,
    write(event) {
      this.tried++
      if (this.mode === 'throws') throw new Error('no connection')
      if (this.mode === 'rejects') return Promise.reject(new Error('no connection'))
      if (this.mode === 'hangs') return new Promise(() => undefined)
      events.push(event)
      return Promise.resolve()
    },
  }
}

const BROKEN = ['throws', 'rejects', 'hangs'] as const

describe('a required audit', () => {
  it.each(BROKEN)('[OBS-3, ABUSE-100] that %s: runs no tool of the host', async (mode) => {
    const sink = fickle()
    const { session, problems } = await open({ sink, required: true, timeout: 20 })
    const { call, ran } = caller(session)
    sink.mode = mode
    const outcome = await call('Bash', { command: 'rm x' })
    expect(code(outcome)).toBe('AUDIT_UNAVAILABLE')
    expect(outcome.ok ? '' : outcome.text).toContain('AUDIT_UNAVAILABLE')
    expect(ran).toEqual([])
    await call('Bash', { command: 'rm y' })
    expect(ran).toEqual([])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ code: 'AUDIT_FAILED' })
  })

  it.each(BROKEN)(
    '[OBS-3, ABUSE-100] that %s: activates and deactivates no skill, runs no hook and no fork, and shows no file',
    async (mode) => {
      const sink = fickle()
      const ran: string[] = []
      const { session } = await open(
        { sink, required: true, timeout: 20 },
        {},
        { scripts: hooksBy(({ script }) => ({ ok: ran.push(script) > 0 })) },
      )
      const { call, activate } = caller(session)
      await activate('git')
      sink.mode = mode
      const fork = async (): Promise<string> => String(ran.push('fork'))
      const outcomes = [
        await activate('runner'),
        await activate('hooked'),
        await session.activate('runner'),
        await session.call({ id: 'f', tool: 'activate_skill', input: { name: 'apart' } }, () => undefined, { fork }),
        await call('read_skill_resource', { path: 'references/a.md' }),
        await call('deactivate_skill', {}),
      ]
      expect(outcomes.map(code)).toEqual(outcomes.map(() => 'AUDIT_UNAVAILABLE'))
      expect(outcomes.map((outcome) => JSON.stringify(outcome)).join()).not.toContain('one\\ntwo')
      expect(session.activeSkills).toEqual(['git'])
      expect(ran).toEqual([])
      // A task ends all the same.
      await session.end()
      expect(session.state).toMatchObject({ ended: true, active: [] })
    },
  )

  it('[OBS-3, ABUSE-100] has the event before the tool runs, however long the sink takes', async () => {
    const order: string[] = []
    const written = Promise.withResolvers<void>()
    const sink: AuditSink = {
      async write({ type }) {
        order.push(`${type} came`)
        if (type === 'tool.started') await written.promise
        order.push(`${type} written`)
      },
    }
    const { session } = await open({ sink, required: true })
    const call = caller(session).call('Bash', { command: 'a' }, { run: () => order.push('ran') })
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual(['tool.started came'])
    written.resolve()
    await call
    expect(order).toEqual([
      'tool.started came',
      'tool.started written',
      'ran',
      'tool.finished came',
      'tool.finished written',
    ])
  })

  it('[OBS-3, ABUSE-100] does not run what was aborted, or whose task ended, while its event was written', async () => {
    for (const stop of ['abort', 'end'] as const) {
      const written = Promise.withResolvers<void>()
      const sink = { write: ({ type }: AuditEvent) => (type === 'tool.started' ? written.promise : undefined) }
      const { session } = await open({ sink, required: true })
      const { call, ran } = caller(session)
      const aborting = new AbortController()
      const running = call('Bash', { command: 'a' }, { signal: aborting.signal })
      await new Promise((resolve) => setImmediate(resolve))
      const ending = stop === 'end' ? session.end() : aborting.abort()
      written.resolve()
      if (stop === 'abort') await expect(running).rejects.toThrow('This operation was aborted')
      else expect(code(await running)).toBe('SESSION_ENDED')
      await ending
      expect(ran).toEqual([])
    }
  })

  it('[OBS-3] continues once the sink works again', async () => {
    const sink = fickle()
    const { session } = await open({ sink, required: true })
    const { call, ran } = caller(session)
    sink.mode = 'throws'
    await call('Bash', { command: 'a' })
    sink.mode = 'works'
    await call('Bash', { command: 'a' })
    expect(ran).toEqual(['Bash'])
    expect(types(sink.events)).toEqual(['tool.started', 'tool.finished'])
  })
})

describe('an audit that is not required', () => {
  it.each(BROKEN)('[OBS-3] that %s: breaks nothing, and reports one problem', async (mode) => {
    const sink = fickle()
    const good = keeping()
    const { session, problems } = await open({ sink: [sink, good], timeout: 20 })
    sink.mode = mode
    const { call, activate, ran } = caller(session)
    await activate('git')
    await call('Bash', { command: 'git log' })
    await call('Bash', { command: 'rm x' })
    await session.end()
    expect(ran).toEqual(['Bash'])
    expect(types(good.events)).toEqual([
      'skill.activating',
      'skill.activated',
      'tool.started',
      'tool.finished',
      'restriction.violated',
      'skill.deactivated',
    ])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ code: 'AUDIT_FAILED', message: expect.stringContaining('"task"') as string })
  })

  it('[OBS-3] keeps no call waiting for a slow sink, keeps the order, and is complete when the task ends', async () => {
    const gate = Promise.withResolvers<void>()
    const seen: string[] = []
    const { session } = await open({
      async write({ type }) {
        await gate.promise
        seen.push(type)
      },
    })
    const { call, activate } = caller(session)
    await activate('git')
    await call('Bash', { command: 'git log' })
    expect(seen).toEqual([])
    const ended = session.end()
    gate.resolve()
    await ended
    expect(seen).toEqual([
      'consent.asked',
      'consent.answered',
      'skill.activating',
      'skill.activated',
      'tool.started',
      'tool.finished',
      'skill.deactivated',
    ])
  })

  it('[OBS-3] closes sinks with the repertoire, after everything is written', async () => {
    const seen: string[] = []
    const { session, repertoire } = await open({
      async write({ type }) {
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(type)
      },
      close: () => void seen.push('closed'),
    })
    await caller(session).activate('git')
    await repertoire.close()
    expect(seen).toEqual(['consent.asked', 'consent.answered', 'skill.activating', 'skill.activated', 'closed'])
  })
})
