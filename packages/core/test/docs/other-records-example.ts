import type { AuditEvent, AuditSink, ModelCounters } from '@repertoire/core'

/** The names of another system's records, by the types of events. All other events are left out. */
const NAMES: Partial<Record<AuditEvent['type'], string>> = {
  'skill.activated': 'skill_activated',
  'skill.deactivated': 'skill_deactivated',
  'tool.finished': 'tool_execution_in_skill',
  'script.finished': 'tool_execution_in_skill',
  'restriction.violated': 'tool_restriction_violated',
  'script_read.blocked': 'tool_restriction_violated',
}

/** A sink that writes records in the words of another system. */
export function recordsOf(write: (record: Readonly<Record<string, unknown>>) => void): AuditSink {
  return {
    write(event) {
      const name = NAMES[event.type]
      const isViolation = name === 'tool_restriction_violated'
      // The host's policy refuses without a skill. A tool that ran without one is not a record there.
      const skill = event.skill ?? (isViolation ? undefined : event.skills.at(-1))
      if (name === undefined || (skill === undefined && !isViolation)) return
      const isCall = isViolation || name === 'tool_execution_in_skill'
      write({
        event: name,
        timestamp: event.time,
        skill_name: skill?.name,
        skill_digest: skill?.digest,
        skill_layer: skill?.layer,
        agent_id: event.agent,
        task_id: event.session,
        tenant_id: event.tenant,
        correlation_id: event.correlationId,
        tool_name: event.tool,
        tool_allowed: isCall ? event.outcome !== 'refused' : undefined,
        allowed_tools: event.allowedTools ?? skill?.allowedTools,
        refused_by: event.refusedBy?.by,
        refused_by_rule: event.refusedBy?.rule,
        error: event.error ?? errorOf(event),
        at_task_end: event.endedBy === undefined ? undefined : event.endedBy === 'task',
        duration_seconds: event.durationMs === undefined ? undefined : event.durationMs / 1000,
      })
    },
  }
}

/** Why an event is an error. A normal end has a reason too, and is none. */
function errorOf({ outcome, reason }: AuditEvent): string | undefined {
  if (outcome === 'failed') return reason ?? 'The tool reported a failure.'
  return outcome === 'refused' || outcome === 'allowed' ? reason : undefined
}

/** The figures of a model in the words of another system. Pass each of `createCounters().byModel()`. */
export function metricsOf({ model, pathFailures, scriptReads, violations, scripts, skills }: ModelCounters) {
  return {
    model,
    path_resolution_failures: pathFailures,
    script_reads_attempted: scriptReads,
    tool_restriction_violations: violations,
    script_success_rate_percent: scripts.successRate === undefined ? undefined : scripts.successRate * 100,
    tokens_per_skill_execution: Object.fromEntries(skills.map((skill) => [skill.name, skill.tokensPerExecution])),
  }
}
