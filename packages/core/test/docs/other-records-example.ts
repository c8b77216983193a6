import type { AuditEvent, AuditSink } from '@repertoire/core'

/** The names of another system's records, by the types of events. All other events are left out. */
const NAMES: Partial<Record<AuditEvent['type'], string>> = {
  'skill.activated': 'skill_activated',
  'skill.deactivated': 'skill_deactivated',
  'tool.finished': 'tool_execution_in_skill',
  'restriction.violated': 'tool_restriction_violated',
}

/** A sink that writes records in the words of another system. */
export function recordsOf(write: (record: Readonly<Record<string, unknown>>) => void): AuditSink {
  return {
    write(event) {
      const name = NAMES[event.type]
      const skill = event.skill ?? event.skills.at(-1)
      // A tool that ran without a skill is not a record there.
      if (name === undefined || skill === undefined) return
      write({
        event: name,
        timestamp: event.time,
        skill_name: skill.name,
        agent_id: event.agent,
        task_id: event.session,
        tenant_id: event.tenant,
        tool_name: event.tool,
        tool_allowed: event.type === 'tool.finished' ? event.outcome !== 'refused' : undefined,
        allowed_tools: event.allowedTools ?? skill.allowedTools,
        at_task_end: event.endedBy === undefined ? undefined : event.endedBy === 'task',
        duration_seconds: event.durationMs === undefined ? undefined : event.durationMs / 1000,
      })
    },
  }
}
