import type { AuditEvent, AuditSink, RepertoireOptions } from '@repertoire/core'

/** Which skills the end of a run deactivated, as the audit has it. */
export interface EndedSkills {
  readonly audit: NonNullable<RepertoireOptions['audit']>
  readonly sink: AuditSink
  /** Forgets what earlier runs deactivated. */
  begin(): void
  /** The names of the skills, the top of the stack last. */
  names(): readonly string[]
}

/**
 * Watches the sessions of a repertoire.
 * @param audit the sinks of the check itself, which still get every event
 */
export function watchEnds(audit: RepertoireOptions['audit']): EndedSkills {
  let names: string[] = []
  const sink: AuditSink = {
    write({ type, endedBy, session, skill }: AuditEvent) {
      // The id of a sub-agent's session has that of its parent before a slash.
      if (type === 'skill.deactivated' && endedBy === 'task' && !session.includes('/')) names.unshift(skill?.name ?? '')
    },
  }
  return {
    audit: withSink(audit, sink),
    sink,
    begin: () => void (names = []),
    names: () => names,
  }
}

function withSink(audit: RepertoireOptions['audit'], sink: AuditSink): NonNullable<RepertoireOptions['audit']> {
  if (audit === undefined) return sink
  if ('sink' in audit) return { ...audit, sink: [audit.sink, sink].flat() }
  return [audit, sink].flat()
}
