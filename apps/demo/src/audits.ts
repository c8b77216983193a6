import type { AuditEvent, AuditOptions } from '@repertoire/core'
import { createLog } from '@repertoire/inspector/log'
import type { Run } from '@repertoire/inspector/run'

/** The audits of all adapters. The terminal and the page read the same logs. */
export interface Audits {
  /** The audit of a repertoire that the adapters share. Each adapter's session has its name. */
  readonly audit: AuditOptions
  /** The log of an adapter, as JSON Lines. */
  logOf(adapter: string): string
  /** What the inspector reads in this log. */
  runOf(adapter: string): Pick<Run, 'steps' | 'calls'>
}

/** Creates audits without events. */
export function createAudits(): Audits {
  const lines = new Map<string, string[]>()
  const logOf = (adapter: string): string => (lines.get(adapter) ?? []).join('')
  return {
    audit: {
      sink: {
        write(event: AuditEvent) {
          const [adapter = ''] = event.session.split('/')
          const known = lines.get(adapter) ?? []
          known.push(`${JSON.stringify(event)}\n`)
          lines.set(adapter, known)
        },
      },
      inputs: 'redacted',
    },
    logOf,
    runOf(adapter) {
      const log = createLog()
      log.addText(adapter, logOf(adapter), true)
      return log.runs.get(adapter) ?? { steps: [], calls: [] }
    },
  }
}
