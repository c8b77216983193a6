import { describe, expect, it } from 'vitest'
import { adapterSession, openAdapterSession, type StepCalls } from '../../src/adapter.ts'
import { type ForkRunner, createCounters, memorySource } from '../../src/index.ts'
import { caller, keeping, open, called } from './world.ts'

const GO = 'memory:memory/git/scripts/go.sh'

describe('counters', () => {
  it('[OBS-2] count failed paths, script reads, violations, script runs and tokens for each model', async () => {
    const counters = createCounters()
    const { session } = await open(counters)
    const weak = caller(session, 'weak')
    await weak.activate('git')
    await called(session, 'weak', { inputTokens: 100, outputTokens: 10 })
    await weak.call('read_skill_resource', { path: 'references/none.md' })
    await weak.call('read_skill_resource', { path: '../../etc/passwd' })
    await weak.call('read_skill_resource', { path: 'references/a.md' })
    await weak.call('read_skill_resource', { path: 'scripts/go.sh' })
    await weak.call('Read', { file_path: GO })
    await weak.call('Write', { file_path: 'x', content: '' })
    await weak.call('deactivate_skill', {})
    const strong = caller(session, 'strong')
    await strong.activate('runner')
    const script = 'memory:memory/runner/scripts/go.sh'
    await strong.call('Bash', { command: `sh ${script} a` })
    await strong.call('Bash', { command: `sh "${script}"` }, { run: () => ({ exitCode: 1 }) })
    const boom = (): never => {
      throw new Error('x')
    }
    await strong.call('Bash', { command: script }, { run: boom }).catch(() => undefined)
    await strong.call('Bash', { command: 'ls docs/scripts.md' })
    await called(session, 'strong', { inputTokens: 50, outputTokens: 5 })
    await called(session, 'strong', { inputTokens: 30 })
    await session.end()

    const [best, worst, ...others] = counters.byModel()
    expect(others).toEqual([])
    expect(worst).toEqual({
      model: 'weak',
      activations: 1,
      pathFailures: 2,
      scriptReads: 2,
      violations: 1,
      scripts: { started: 0, succeeded: 0, failed: 0 },
      tokens: { input: 100, output: 10 },
      skills: [{ name: 'git', executions: 1, tokens: { input: 100, output: 10 }, tokensPerExecution: 110 }],
    })
    expect(best).toEqual({
      model: 'strong',
      activations: 1,
      pathFailures: 0,
      scriptReads: 0,
      violations: 0,
      scripts: { started: 3, succeeded: 1, failed: 2, successRate: 1 / 3 },
      tokens: { input: 80, output: 5 },
      skills: [{ name: 'runner', executions: 1, tokens: { input: 80, output: 5 }, tokensPerExecution: 85 }],
    })
  })

  it('[OBS-2] assign the tokens of a step to every active skill, and those of an execution to its skill', async () => {
    const counters = createCounters()
    const { repertoire, session } = await open(counters)
    const { activate, call } = caller(session, 'm')
    await activate('git')
    await activate('runner')
    await called(session, 'm', { inputTokens: 10 })
    await call('deactivate_skill', {})
    await called(session, 'm', { inputTokens: 1 })
    const again = openAdapterSession(repertoire, { id: 'other', consent: () => true })
    await caller(again, 'm').activate('git')
    await called(again, 'm', { inputTokens: 5 })
    await called(again, 'm', { inputTokens: Number.NaN, outputTokens: -1 })
    expect(counters.byModel()[0]!.skills).toEqual([
      { name: 'git', executions: 2, tokens: { input: 16, output: 0 }, tokensPerExecution: 8 },
      { name: 'runner', executions: 1, tokens: { input: 10, output: 0 }, tokensPerExecution: 10 },
    ])
  })

  it('[OBS-2] count skills activated in another process, and models without a name', async () => {
    const first = await open(createCounters())
    await caller(first.session).activate('git')
    const counters = createCounters()
    const { session } = await open(counters, { saved: first.session.save() })
    await called(session, undefined, { outputTokens: 7 })
    expect(counters.byModel()).toMatchObject([{ model: '', activations: 0, skills: [{ name: 'git', executions: 1 }] }])
  })

  it('[OBS-2, ACT-10] count a fork for the model that called it', async () => {
    const counters = createCounters()
    const { session } = await open(counters)
    const step = await session.step({ tools: [], nameOf: () => 'm' })
    const call = { id: 'c', tool: 'activate_skill', input: { name: 'apart' } }
    await step.call(call, () => '', { fork: async () => 'done' })
    expect(counters.byModel()).toMatchObject([{ model: 'm', activations: 1 }])
  })

  it('[OBS-2, ACT-10] count an inherited skill once for each model that was called while it was active', async () => {
    const text = (name: string, fields = ''): string => `---\nname: ${name}\ndescription: d\n${fields}---\nBody.\n`
    const skills = {
      git: { 'SKILL.md': text('git') },
      inner: { 'SKILL.md': text('inner') },
      outer: { 'SKILL.md': text('outer', 'context: fork\n') },
      deeper: { 'SKILL.md': text('deeper', 'context: fork\n') },
    }
    const counters = createCounters()
    const sink = keeping()
    const sources = [memorySource({ layer: 'project', skills })]
    // An id of the host's may look like a fork's.
    const { session } = await open([counters, sink], { id: 'a/b' }, { sources })
    const use = (at: StepCalls, name: string, id: string, fork?: ForkRunner) =>
      at.call({ id, tool: 'activate_skill', input: { name } }, () => '', { fork })
    await use(session, 'git', 'g')
    await called(session, 'm', { inputTokens: 1 })
    const works: ForkRunner = async ({ session: child }) => {
      // Before its first step it is the model above that asks.
      await use(adapterSession(child), 'inner', 'i')
      const step = await called(adapterSession(child), 's', { inputTokens: 1 })
      await use(step, 'deeper', 'd/1', async ({ session: grandchild }) => {
        await called(adapterSession(grandchild), 's', { inputTokens: 1 })
        return 'done'
      })
      return 'done'
    }
    for (const id of ['one', 'two/2']) {
      const step = await session.step({ tools: [], nameOf: () => 'm' })
      expect(await use(step, 'outer', id, works)).toMatchObject({ ok: true })
    }
    const executions = (model: string) =>
      counters
        .byModel()
        .find((each) => each.model === model)
        ?.skills.map(({ name, executions: times, tokens }) => [name, times, tokens.input])
    expect(executions('m')).toEqual([['git', 1, 1]])
    expect(executions('s')).toEqual([
      ['deeper', 2, 2],
      ['git', 1, 4],
      ['inner', 2, 4],
      ['outer', 2, 4],
    ])
    const last = sink.events.filter(({ type }) => type === 'model.called').at(-1)!
    expect(last.skills.map(({ name, session: owner = last.session }) => [name, owner])).toEqual([
      ['git', 'a/b'],
      ['outer', 'a/b/two%2F2'],
      ['inner', 'a/b/two%2F2'],
      ['deeper', 'a/b/two%2F2/d%2F1'],
    ])
    // The next activation is the next execution.
    await session.call({ id: 'x', tool: 'deactivate_skill', input: {} }, () => '')
    await use(session, 'git', 'again')
    await called(session, 'm', { inputTokens: 1 })
    expect(executions('m')).toEqual([['git', 2, 2]])
  })

  it('[OBS-2] forget the oldest of more than ten thousand open sessions', () => {
    const counters = createCounters()
    const skills = [{ name: 'git', layer: 'project', source: 's' }] as const
    const seen = (session: string): void =>
      counters.write({
        version: 1,
        type: 'model.called',
        time: '',
        session,
        skills,
        outcome: 'succeeded',
        enforced: true,
      })
    for (let n = 0; n <= 10_000; n++) seen(`task-${n}`)
    const executions = (): number | undefined => counters.byModel()[0]?.skills[0]?.executions
    expect(executions()).toBe(10_001)
    seen('task-10000')
    expect(executions()).toBe(10_001)
    seen('task-0')
    expect(executions()).toBe(10_002)
  })

  it('[OBS-2, GATE-8] count violations that were reported but not enforced', async () => {
    const counters = createCounters()
    const { session } = await open(counters, { enforcement: 'advisory' })
    const { activate, call } = caller(session, 'm')
    await activate('git')
    await call('Read', { file_path: GO })
    await call('Bash', { command: 'rm x' })
    expect(counters.byModel()).toMatchObject([{ scriptReads: 1, violations: 1 }])
  })
})
