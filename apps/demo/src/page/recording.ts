import type { AuditEvent, AuditOptions } from '@repertoire/core'

/** The audits of all adapters, for a page. */
export interface Recording {
  /** The audit of a repertoire that adapters share. */
  readonly audit: AuditOptions
  /** Names the session of an adapter. Links of the page hold this name, so it is the same in each run of the demo. */
  session(adapter: string, scene?: string): string
  /** The log of each adapter, as JSON Lines. */
  logs(): ReadonlyMap<string, string>
}

/** Creates a recording without events. */
export function createRecording(): Recording {
  const adapters = new Map<string, string>()
  const lines = new Map<string, string[]>()
  return {
    audit: {
      sink: {
        write(event: AuditEvent) {
          const [session = ''] = event.session.split('/')
          const adapter = adapters.get(session) ?? session
          const known = lines.get(adapter) ?? []
          known.push(`${JSON.stringify(event)}\n`)
          lines.set(adapter, known)
        },
      },
      inputs: 'redacted',
    },
    session(adapter, scene) {
      const session = scene === undefined ? adapter : `${adapter}-${scene}`
      adapters.set(session, adapter)
      return session
    },
    logs: () => new Map([...lines].map(([adapter, all]) => [adapter, all.join('')])),
  }
}
