import { expect, it, onTestFinished, vi } from 'vitest'
import {
  type AuditEvent,
  type RepertoireOptions,
  type ScriptRunner,
  type Session,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { type AdapterSessionOptions, type CallOptions, openAdapterSession } from '../../src/adapter.ts'
import { skillText } from './session-world.ts'
import { hooksBy } from './hook-runner.ts'

const plan = '```yaml\nsteps:\n  - tool: Bash\n    parameters: { command: "ls" }\n```'
const skills = {
  plain: { 'SKILL.md': skillText('plain', 'hooks:\n  post: clean.sh\n'), 'clean.sh': '' },
  scripted: { 'SKILL.md': skillText('scripted'), 'scripts/go.sh': 'echo' },
  forked: { 'SKILL.md': skillText('forked', 'context: fork\n') },
  planned: { 'SKILL.md': skillText('planned', 'type: composite\n', plan) },
}

/** Work that ignores its signal, and ends only when the test says so. */
function stuckWork() {
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<string>()
  const work = (): Promise<string> => {
    begun.resolve()
    return end.promise
  }
  return { work, begun: begun.promise, end }
}

async function open(repertoire: Partial<RepertoireOptions> = {}, session: AdapterSessionOptions = {}) {
  const events: AuditEvent[] = []
  const opened = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    audit: { write: (event) => void events.push(event) },
    ...repertoire,
    scripts: { ...hooksBy(() => ({ ok: true })), ...repertoire.scripts },
  })
  const options = { consent: () => true, hostTools: ['Bash'], ...session }
  return { repertoire: opened, session: openAdapterSession(opened, options), options, events }
}

const bash = { id: 'host', tool: 'Bash', input: { command: 'ls' } }
const activate = (session: Session, name: string, options?: CallOptions) =>
  session.call({ id: name, tool: 'activate_skill', input: { name } }, () => '', options)
const described = (events: readonly AuditEvent[]): readonly string[] =>
  events.map(({ type, outcome }) => `${type} ${outcome}`)

it.each([
  ['returns', (end: PromiseWithResolvers<string>) => end.resolve('too late'), 'succeeded'],
  ['throws', (end: PromiseWithResolvers<string>) => end.reject(new Error('too late')), 'failed'],
])(
  '[CAT-10, ABUSE-141, OBS-1] an aborted call rejects while its tool hangs, and the audit records what the tool %s later',
  async (_, settle, outcome) => {
    const { session, events } = await open()
    const { work, begun, end } = stuckWork()
    const stop = new AbortController()
    const calling = session.call(bash, work, { signal: stop.signal })
    await begun
    stop.abort(new Error('stopped'))
    await expect(calling).rejects.toThrow('stopped')
    settle(end)
    await expect.poll(() => described(events)).toContain(`tool.late ${outcome}`)
    expect(described(events)).toEqual(['tool.started started', 'tool.finished aborted', `tool.late ${outcome}`])
    expect(events.at(-1)).toMatchObject({ callId: 'host', tool: 'Bash' })
  },
)

it('[ACT-7, ABUSE-141] a task whose tool hangs is ended by an abort, and its skills are deactivated', async () => {
  const { repertoire, options, events } = await open()
  const { hostTools: _, ...own } = options
  const { work, begun, end } = stuckWork()
  const stop = new AbortController()
  const task = repertoire.runTask(own, async (session) => {
    await activate(session, 'plain')
    return session.call(bash, work, { signal: stop.signal })
  })
  await begun
  stop.abort(new Error('stopped'))
  await expect(task).rejects.toThrow('stopped')
  end.resolve('too late')
  const order = ['tool.finished aborted', 'skill.deactivated succeeded', 'hook.finished succeeded']
  expect(described(events).filter((each) => order.includes(each))).toEqual(order)
})

it('[CAT-10] a tool that returns before the abort keeps its result, and nothing is recorded as late', async () => {
  const { session, events } = await open()
  const stop = new AbortController()
  expect(await session.call(bash, () => Promise.resolve('done'), { signal: stop.signal })).toMatchObject({
    value: 'done',
  })
  expect(await session.call(bash, () => 'at once', { signal: stop.signal })).toMatchObject({ value: 'at once' })
  stop.abort()
  await session.end()
  expect(described(events)).not.toContain('tool.late succeeded')
})

it('[CAT-10, ABUSE-141, ACT-7] a step of a plan that hangs keeps neither an aborted call nor the end of its task', async () => {
  const step = stuckWork()
  const { session, events } = await open({}, { runStep: step.work })
  const stop = new AbortController()
  const aborted = activate(session, 'planned', { signal: stop.signal })
  await step.begun
  stop.abort(new Error('stopped'))
  await expect(aborted).rejects.toThrow('stopped')
  const other = stuckWork()
  const second = await open({}, { runStep: other.work })
  const running = activate(second.session, 'planned')
  await other.begun
  await second.session.end()
  expect(await running).toMatchObject({ ok: false, refusal: { code: 'SESSION_ENDED' } })
  step.end.resolve('too late')
  await expect.poll(() => described(events)).toContain('tool.late succeeded')
})

it('[CAT-10, ABUSE-141] an aborted call rejects at once while a script ignores its signal, and the end waits for its grace', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { work, begun } = stuckWork()
    const runner: ScriptRunner = {
      name: 'stuck',
      isolation: { name: 'none', isolated: false, notes: [] },
      supports: () => true,
      run: work as () => Promise<never>,
    }
    const { session, events } = await open({ scripts: { runner } })
    await activate(session, 'scripted')
    const stop = new AbortController()
    const call = { id: 'script', tool: 'run_skill_script', input: { path: 'scripts/go.sh' } }
    const running = session.call(call, () => '', { signal: stop.signal })
    await begun
    stop.abort(new Error('stopped'))
    await expect(running).rejects.toThrow('stopped')
    const ending = session.end()
    await vi.advanceTimersByTimeAsync(10_000)
    await ending
    expect(described(events)).toContain('script.finished aborted')
  } finally {
    vi.useRealTimers()
  }
})

it('[CAT-10, ABUSE-141, ACT-10] an aborted call waits for a sub-agent that ignores its signal no longer than the grace', async () => {
  const { session, events } = await open()
  const { work, begun, end } = stuckWork()
  const stop = new AbortController()
  const running = activate(session, 'forked', { signal: stop.signal, fork: work })
  await begun
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const outcome = running.catch((error: unknown) => error)
  stop.abort(new Error('stopped'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await outcome).toMatchObject({ message: 'stopped' })
  await session.end()
  expect(described(events)).toContain('fork.finished aborted')
  end.resolve('too late')
})
