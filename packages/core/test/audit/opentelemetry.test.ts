import { context, metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { TracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEvent } from '../../src/index.ts'
import { otelAudit } from '../../src/opentelemetry/index.ts'
import { call as executed, openExecution, typed } from '../session/execution/execution-world.ts'
import { openScripts, processRunner, run, use } from '../session/scripts/script-world.ts'
import { longTask, openWindow } from '../session/window/window-world.ts'
import { send as sendStep } from './shown-world.ts'
import { caller, open, ticking, called } from './world.ts'

let spans: InMemorySpanExporter
let exporter: InMemoryMetricExporter
let tracers: TracerProvider
let meters: MeterProvider

beforeEach(() => {
  spans = new InMemorySpanExporter()
  tracers = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] })
  exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
})

afterEach(async () => {
  await meters.shutdown()
  await tracers.shutdown()
  for (const api of [context, trace, metrics]) api.disable()
})

const sinkOf = () => otelAudit({ tracer: tracers.getTracer('t'), meter: meters.getMeter('m'), provider: 'openai' })

/** The spans but those of questions for consent. */
const finished = () => spans.getFinishedSpans().filter(({ name }) => !name.startsWith('repertoire.consent.'))

/** Every point of every metric, as its name, attributes and value. */
async function points(): Promise<readonly { name: string; attributes: Record<string, unknown>; value: unknown }[]> {
  await meters.forceFlush()
  const last = exporter.getMetrics().at(-1)
  return (last?.scopeMetrics ?? []).flatMap(({ metrics: all }) =>
    all.flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, attributes, value })),
    ),
  )
}

describe('the audit for OpenTelemetry', () => {
  it('[OBS-3] [OBS-2] creates one span for a script run, with its runner and how it ended', async () => {
    const { session } = await openScripts({ audit: sinkOf() })
    await use(session, 'tool')
    await run(session, 'scripts/args.sh')
    await run(session, 'scripts/fail.sh')
    const scripts = spans.getFinishedSpans().filter(({ name }) => name === 'execute_tool run_skill_script')
    expect(scripts.map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.ERROR])
    expect(scripts.map(({ attributes }) => attributes)).toMatchObject([
      {
        'repertoire.script.path': 'scripts/args.sh',
        'repertoire.run.interpreter': 'sh',
        'repertoire.run.runner': 'process',
        'repertoire.run.isolated': false,
        'repertoire.run.exit_code': 0,
      },
      { 'repertoire.run.exit_code': 3 },
    ])
    const runs = (await points()).filter(({ name }) => name === 'repertoire.skill.script_runs')
    expect(runs.map(({ attributes, value }) => [attributes['repertoire.outcome'], value])).toEqual([
      ['succeeded', 1],
      ['failed', 1],
    ])
  })

  it('[OBS-3] [OBS-2] creates one span for an executed skill, and one for each of its steps', async () => {
    const skills = {
      hello: typed('hello', 'script', 'echo hello', '', 'sh'),
      plan: typed('plan', 'composite', 'steps:\n  - tool: Read\n  - tool: skill_hello', '', 'yaml'),
    }
    const { session } = await openExecution(
      skills,
      { runStep: () => 'read' },
      { audit: sinkOf(), scripts: { runner: processRunner() } },
    )
    await executed(session, 'plan')
    const hello = finished()[1]
    expect(finished().map(({ name }) => name)).toEqual([
      'execute_tool Read',
      'execute_tool skill_hello',
      'execute_tool activate_skill',
    ])
    expect(hello?.attributes).toMatchObject({ 'repertoire.run.runner': 'process', 'repertoire.run.exit_code': 0 })
    const runs = (await points()).filter(({ name }) => name === 'repertoire.skill.script_runs')
    expect(runs.map(({ value }) => value)).toEqual([1])
  })

  it('[OBS-6] creates a span for what a step shows, with the names that Langfuse reads', async () => {
    const { session } = await open({ sink: sinkOf() }, { policy: { deny: ['Write'] } })
    await sendStep(session, { own: 'Mine.' })
    const shown = spans.getFinishedSpans().find(({ name }) => name === 'repertoire.skills.shown')
    const skills = ['apart', 'git', 'hooked', 'runner']
    expect(shown?.status.code).toBe(SpanStatusCode.UNSET)
    expect(shown?.attributes).toMatchObject({
      'langfuse.observation.skills_available': skills,
      'repertoire.shown.step': 1,
      'repertoire.shown.skills': skills,
      'repertoire.shown.left': [],
      'repertoire.shown.tools': ['Bash', 'Read', 'activate_skill'],
      'repertoire.shown.withheld': ['Write'],
      'repertoire.shown.tokens.bodies': 0,
      'repertoire.shown.tokens.messages': 0,
      'repertoire.shown.digest': expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
    expect(shown!.attributes).not.toHaveProperty('gen_ai.skill.name')
  })

  it('[OBS-8] creates a span for a question and one for its answer, apart from that of the call', async () => {
    const { session } = await open({ sink: sinkOf() }, { consent: () => false })
    await caller(session).activate('git')
    expect(spans.getFinishedSpans().map(({ name, status }) => [name, status.code])).toEqual([
      ['repertoire.consent.asked', SpanStatusCode.UNSET],
      ['repertoire.consent.answered', SpanStatusCode.ERROR],
      ['execute_tool activate_skill', SpanStatusCode.ERROR],
    ])
    expect(spans.getFinishedSpans()[1]?.attributes).toMatchObject({
      'repertoire.consent.about': 'skill',
      'repertoire.consent.answer': 'no',
      'repertoire.consent.by': 'handler',
      'repertoire.consent.request': spans.getFinishedSpans()[0]?.attributes['repertoire.consent.request'],
    })
  })

  it('[OBS-6] names the skill and the file as the drafts of the GenAI conventions do, where a call is about one', async () => {
    const { session } = await open({ sink: sinkOf() })
    const { call, activate } = caller(session)
    await activate('git')
    await call('read_skill_resource', { path: 'references/a.md' })
    await call('Bash', { command: 'git log' })
    await call('Write', { file_path: 'a', content: '' })
    const names = finished().map(({ attributes }) => [
      attributes['gen_ai.tool.name'],
      attributes['gen_ai.skill.name'],
      attributes['gen_ai.skill.resource.name'],
    ])
    expect(names).toEqual([
      ['activate_skill', 'git', undefined],
      ['read_skill_resource', 'git', 'references/a.md'],
      ['Bash', undefined, undefined],
      ['Write', undefined, undefined],
    ])
  })

  it('[OBS-3] creates a span for every call, by the GenAI conventions', async () => {
    const { session } = await open(
      { sink: sinkOf(), now: ticking() },
      { agent: 'coder', tenant: 'acme', correlationId: 'req-1' },
    )
    const { call, activate } = caller(session, 'gpt-x')
    await activate('git')
    await call('Bash', { command: 'git log' })
    await call('Write', { file_path: 'a', content: '' })
    await session.end()

    const [activation, bash, write, left] = finished()
    expect(finished().map(({ name }) => name)).toEqual([
      'execute_tool activate_skill',
      'execute_tool Bash',
      'execute_tool Write',
      'repertoire.skill.deactivated',
    ])
    expect(activation!.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'activate_skill',
      'gen_ai.tool.call.id': 'c1',
      'repertoire.skill.name': 'git',
      'repertoire.skill.layer': 'project',
      'repertoire.skill.source': 'memory',
      'repertoire.skill.digest': expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    })
    expect(bash!.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': 'task',
      'gen_ai.agent.name': 'coder',
      'gen_ai.request.model': 'gpt-x',
      'gen_ai.tool.name': 'Bash',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'c2',
      'repertoire.correlation_id': 'req-1',
      'repertoire.tenant': 'acme',
      'repertoire.skills': ['git'],
      'repertoire.outcome': 'succeeded',
    })
    expect(bash!.attributes).not.toHaveProperty('repertoire.skill.name')
    expect(bash!.status.code).toBe(SpanStatusCode.UNSET)
    expect(bash!.attributes).not.toHaveProperty('error.type')
    // By the clock of the audit: two seconds between its events.
    expect(bash!.endTime[0] - bash!.startTime[0]).toBe(2)
    expect(write!.attributes).toMatchObject({
      'error.type': 'TOOL_NOT_ALLOWED',
      'repertoire.refused_by.skill': 'git',
      'repertoire.type': 'restriction.violated',
      'repertoire.skill.name': 'git',
    })
    expect(write!.status.code).toBe(SpanStatusCode.ERROR)
    expect(left!.attributes).toMatchObject({ 'repertoire.skill.name': 'git' })
    expect(left!.endTime[0]).toBeGreaterThan(left!.startTime[0])
  })

  it('[OBS-1, OBS-3] creates spans for summaries and evictions with their tokens, and for requests that do not fit', async () => {
    const { send } = await openWindow({ audit: sinkOf() })
    await send(longTask(13, 60))
    await send(longTask(13, 60), { system: 'Be careful. '.repeat(600) })
    const all = spans.getFinishedSpans().filter(({ name }) => name !== 'repertoire.skills.shown')
    expect(all.map(({ name }) => name)).toEqual([
      'repertoire.window.summarized',
      'repertoire.window.summarized',
      'repertoire.window.exceeded',
    ])
    const { attributes, status } = all[0]!
    expect(status.code).toBe(SpanStatusCode.UNSET)
    expect(attributes).toMatchObject({
      'repertoire.outcome': 'succeeded',
      'repertoire.window.size': 1_000,
      'repertoire.window.messages': 16,
      'repertoire.window.by': 'summarizer',
    })
    expect(attributes['repertoire.window.tokens_before']).toBeGreaterThan(800)
    expect(attributes['repertoire.window.tokens']).toBeLessThan(800)
    expect(all[2]!.attributes['repertoire.window.tokens']).toBeGreaterThan(1_000)
  })

  it('[OBS-1, OBS-3, MATCH-1] records what a message and a search of the model found', async () => {
    const listing = { search: 'always', style: 'matched' } as const
    const { session } = await open(sinkOf(), { turns: { match: {} } }, { listing })
    await session.beginTurn('git, please')
    await caller(session).call('search_skills', { queries: ['git'] })
    await session.end()
    const found = spans.getFinishedSpans().map(({ name, attributes }) => [name, attributes['repertoire.found']])
    expect(found).toEqual([
      ['repertoire.skills.matched', ['git']],
      ['execute_tool search_skills', ['git']],
    ])
  })

  it('[OBS-3] marks failures, and holds no input by default', async () => {
    for (const inputs of ['none', 'redacted'] as const) {
      const { session } = await open({ sink: sinkOf(), inputs })
      const boom = (): never => {
        throw new TypeError('no such file')
      }
      const call = caller(session).call('Bash', { command: 'cat x', password: 'hunter2' }, { run: boom })
      await expect(call).rejects.toThrow('no such file')
    }
    const [none, redacted] = spans.getFinishedSpans()
    expect(none!.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no such file' })
    expect(none!.attributes['error.type']).toBe('_OTHER')
    expect(none!.attributes).not.toHaveProperty('gen_ai.tool.call.arguments')
    expect(redacted!.attributes['gen_ai.tool.call.arguments']).toBe('{"command":"cat x","password":"[redacted]"}')
  })

  it('[OBS-3] puts its spans below the caller’s active span, also behind a slow sink', async () => {
    const sink = sinkOf()
    const slow = {
      async write(event: AuditEvent) {
        await new Promise((resolve) => setImmediate(resolve))
        await sink.write(event)
      },
    }
    const { session } = await open({ sink: slow, required: true })
    await session.step({ tools: ['Bash'] })
    const tracer = tracers.getTracer('host')
    await Promise.all(
      ['a', 'b'].map((name) =>
        tracer.startActiveSpan(name, async (span) => {
          await session.call({ id: name, tool: 'Bash', input: { command: name } }, () => 'ok')
          span.end()
        }),
      ),
    )
    const of = (name: string) => spans.getFinishedSpans().find((span) => span.name === name)!
    const calls = spans.getFinishedSpans().filter(({ name }) => name === 'execute_tool Bash')
    expect(calls).toHaveLength(2)
    for (const span of calls) {
      const parent = of(String(span.attributes['gen_ai.tool.call.id']))
      expect(span.parentSpanContext?.spanId).toBe(parent.spanContext().spanId)
    }
  })

  it('[OBS-3] creates a span for a fork, and for its calls', async () => {
    const { session } = await open(sinkOf())
    await session.step({ tools: ['Bash'] })
    await session.call({ id: 'f', tool: 'activate_skill', input: { name: 'apart' } }, () => undefined, {
      fork: async ({ session: child }) => {
        await child.call({ id: 'b', tool: 'Bash', input: { command: 'a' } }, () => 'ok')
        return 'result'
      },
    })
    const names = spans.getFinishedSpans().map(({ name, attributes }) => [name, attributes['gen_ai.conversation.id']])
    expect(names).toContainEqual(['invoke_agent apart', 'task'])
    expect(names).toContainEqual(['execute_tool Bash', 'task/f'])
  })

  it('[OBS-3] measures durations and tokens, and counts activations, violations, script reads, failed paths and runs', async () => {
    const { session } = await open({ sink: sinkOf(), now: ticking() })
    const { call, activate } = caller(session, 'gpt-x')
    await activate('runner')
    await called(session, 'gpt-x', { inputTokens: 120, outputTokens: 7 })
    await call('Bash', { command: 'sh memory:memory/runner/scripts/go.sh' })
    await call('Write', { file_path: 'a', content: '' })
    await call('read_skill_resource', { path: 'scripts/go.sh' })
    await call('read_skill_resource', { path: 'none.md' })

    const all = await points()
    const common = { 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-x' }
    const find = (name: string, attributes: Record<string, unknown> = {}) =>
      all.find((point) => {
        const wanted = Object.entries(attributes)
        return point.name === name && wanted.every(([key, value]) => point.attributes[key] === value)
      })
    expect(
      find('gen_ai.client.operation.duration', { ...common, 'gen_ai.operation.name': 'execute_tool' }),
    ).toMatchObject({
      value: { count: 2, sum: 3 },
    })
    const tokens = { ...common, 'gen_ai.operation.name': 'chat' }
    expect(find('gen_ai.client.token.usage', { ...tokens, 'gen_ai.token.type': 'input' })).toMatchObject({
      value: { sum: 120 },
    })
    expect(find('gen_ai.client.token.usage', { ...tokens, 'gen_ai.token.type': 'output' })).toMatchObject({
      value: { sum: 7 },
    })
    const runner = { 'repertoire.skill.name': 'runner', 'gen_ai.request.model': 'gpt-x' }
    for (const name of ['activations', 'violations', 'script_reads', 'script_runs'])
      expect(find(`repertoire.skill.${name}`, runner)).toMatchObject({ value: 1 })
    // The path named no skill, and no event is given one that is only active.
    const failed = find('repertoire.skill.path_failures')
    expect(failed).toMatchObject({ value: 1 })
    expect(failed!.attributes).not.toHaveProperty('repertoire.skill.name')
  })

  it('[OBS-3] uses the global providers by default', async () => {
    trace.setGlobalTracerProvider(tracers)
    metrics.setGlobalMeterProvider(meters)
    const { session } = await open(otelAudit())
    await caller(session).call('Bash', { command: 'a' })
    expect(spans.getFinishedSpans().map(({ instrumentationScope }) => instrumentationScope.name)).toEqual([
      '@repertoire/core',
    ])
  })
})
