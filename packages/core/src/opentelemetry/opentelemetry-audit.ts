import { type Meter, metrics, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import { text, withMethods, checkOptions, type OptionTable } from '@repertoire/skill-md/internal'
import { COUNTED } from '../audit/counters.ts'
import type { AuditEvent, AuditSink } from '../audit/events.ts'
import { errorType, metricAttributes, type Operation, skillAttributes, spanAttributes } from './attributes.ts'

/** Options of `otelAudit`. */
export interface OtelAuditOptions {
  /** Makes the spans. Default: the global provider's tracer "@repertoire/core". */
  readonly tracer?: Tracer | undefined
  /** Makes the metrics. Default: the global provider's meter "@repertoire/core". */
  readonly meter?: Meter | undefined
  /** `gen_ai.provider.name`: `openai`, `anthropic`, `gcp.gemini`, … Default: none, since sessions do not know it. */
  readonly provider?: string | undefined
}

const OPEN_TELEMETRY_OPTIONS: OptionTable<OtelAuditOptions> = {
  tracer: withMethods("a tracer, as from `trace.getTracer('…')`", 'startSpan'),
  meter: withMethods("a meter, as from `metrics.getMeter('…')`", 'createHistogram', 'createCounter'),
  provider: text,
}

const SCOPE = '@repertoire/core'

// By the conventions, as these metrics SHOULD have them.
const DURATION_BUCKETS_S = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const TOKEN_BUCKETS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]

/**
 * Creates a sink that makes events into OpenTelemetry's spans and metrics.
 *
 * Spans: `execute_tool {tool}` for every call, of skill tools too, refused or carried out, and for every script and
 * skill that it executes; `invoke_agent {skill}` for a fork; `repertoire.{event}` for what no call requested. A span is
 * a child of the one that is active where the session is called, and is made when its call ends. A model call has none:
 * the program that calls the model makes it.
 *
 * Metrics: `gen_ai.client.operation.duration`, `gen_ai.client.token.usage`, and the counters
 * `repertoire.skill.activations`, `.violations`, `.script_reads`, `.path_failures` and `.script_runs`.
 */
export function otelAudit(options: OtelAuditOptions = {}): AuditSink {
  checkOptions('otelAudit', OPEN_TELEMETRY_OPTIONS, options)
  const { tracer = trace.getTracer(SCOPE), meter = metrics.getMeter(SCOPE), provider } = options
  const duration = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'GenAI operation duration.',
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BUCKETS_S },
  })
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: TOKEN_BUCKETS },
  })
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(`repertoire.skill.${name}`, { unit, description })
  const counters = {
    activations: counter('activations', '{activation}', 'Activations of skills, and those that were refused.'),
    violations: counter('violations', '{call}', 'Calls that the rules in force do not permit.'),
    scriptReads: counter('script_reads', '{call}', 'Attempts to read a script instead of running it.'),
    pathFailures: counter(
      'path_failures',
      '{call}',
      'Reads of a file of a skill that does not exist or is not available.',
    ),
    scriptRuns: counter('script_runs', '{call}', 'Runs of scripts of skills.'),
  }
  function makeSpan(event: AuditEvent, operation: Operation | undefined): void {
    const { time, durationMs = 0 } = event
    const end = new Date(time)
    const span = tracer.startSpan(spanName(event, operation), {
      kind: SpanKind.INTERNAL,
      startTime: new Date(end.getTime() - durationMs),
      attributes: spanAttributes(event, operation, provider),
    })
    const error = errorType(event)
    if (error !== undefined)
      span.setStatus({ code: SpanStatusCode.ERROR, message: event.error ?? event.reason ?? error })
    span.end(end)
    if (operation !== undefined && event.durationMs !== undefined)
      duration.record(durationMs / 1000, metricAttributes(event, operation, provider))
  }

  function recordTokens(event: AuditEvent): void {
    const attributes = metricAttributes(event, 'chat', provider)
    const { inputTokens, outputTokens } = event.usage ?? {}
    for (const [type, count] of Object.entries({ input: inputTokens, output: outputTokens }))
      if (count !== undefined) tokens.record(count, { ...attributes, 'gen_ai.token.type': type })
  }

  return {
    write(event) {
      const { type, script, enforced } = event
      if (type === 'model.called') return recordTokens(event)
      // The event of the activation, or of its refusal, always follows and holds the same.
      if (type === 'skill.activating') return
      const counted = type === 'skill.denied' ? 'activations' : COUNTED.get(type)
      if (counted !== undefined) counters[counted].add(1, skillAttributes(event))
      if (type.endsWith('.finished') && script !== undefined) counters.scriptRuns.add(1, skillAttributes(event))
      // Where rules only advise, the call's own span follows; and what begins has its span when it ends.
      if (enforced && !type.endsWith('.started')) makeSpan(event, operationOf(event))
    },
  }
}

function operationOf({ type, tool }: AuditEvent): Operation | undefined {
  if (type.startsWith('fork.')) return 'invoke_agent'
  return tool === undefined || type.startsWith('consent.') ? undefined : 'execute_tool'
}

function spanName({ type, tool, skill, agent }: AuditEvent, operation: Operation | undefined): string {
  if (operation === 'execute_tool') return `execute_tool ${tool}`
  if (operation === 'invoke_agent') return `invoke_agent ${skill?.name ?? agent ?? ''}`.trim()
  return `repertoire.${type}`
}
