import { type LogEvent, readLine } from './event.ts'
import { createRun, type Run } from './run.ts'

/** The lines of a log that the page leaves out: torn lines, and lines without an event of a known version. */
export interface LeftOut {
  readonly log: string
  readonly count: number
  /** The first of them, from 1. */
  readonly line: number
}

/** All runs of one or several logs. Events are added as they are read. */
export interface Log {
  /** In the order in which they begin; a fork comes after its parent. */
  readonly runs: ReadonlyMap<string, Run>
  /** By log. */
  readonly leftOut: ReadonlyMap<string, LeftOut>
  readonly events: number
  /** Adds a piece of a log's text, which may end within a line. `end`: it is the last. */
  addText(log: string, text: string, end: boolean): void
}

/** Creates an empty log. */
export function createLog(): Log {
  const runs = new Map<string, Run>()
  const bySession = new Map<string, Run>()
  const leftOut = new Map<string, LeftOut>()
  const readers = new Map<string, { rest: string[]; line: number }>()
  let events = 0

  function addLine(log: string, text: string, line: number): void {
    if (text === '' || text === '\r') return
    const event = readLine(text)
    if (event !== undefined) return add(log, event)
    const known = leftOut.get(log) ?? { log, line, count: 0 }
    leftOut.set(log, { ...known, count: known.count + 1 })
  }

  function add(log: string, event: LogEvent): void {
    events++
    const key = `${log}\n${event.session}`
    let run = bySession.get(key)
    if (run === undefined) {
      run = createRun(freeId(event.session), log, event)
      bySession.set(key, run)
      runs.set(run.id, run)
      const parent = parentOf(log, event.session)
      if (parent !== undefined) {
        run.parent = parent.id
        parent.forks.set(run.session, run.id)
      }
    }
    run.add(event)
  }

  /** Two logs may hold sessions of one id: links must tell them apart. */
  function freeId(session: string): string {
    let id = session
    for (let number = 2; runs.has(id); number++) id = `${session}~${number}`
    return id
  }

  /** A fork's id is its parent's with one part more. */
  function parentOf(log: string, session: string): Run | undefined {
    for (let end = session.lastIndexOf('/'); end > 0; end = session.lastIndexOf('/', end - 1)) {
      const parent = bySession.get(`${log}\n${session.slice(0, end)}`)
      if (parent !== undefined) return parent
    }
    return undefined
  }

  return {
    runs,
    leftOut,
    get events() {
      return events
    },
    addText(log, text, end) {
      let reader = readers.get(log)
      if (reader === undefined) readers.set(log, (reader = { rest: [], line: 0 }))
      let from = 0
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        const tail = text.slice(from, at)
        const line = reader.rest.length === 0 ? tail : reader.rest.join('') + tail
        reader.rest = []
        addLine(log, line, ++reader.line)
        from = at + 1
      }
      if (from < text.length) reader.rest.push(from === 0 ? text : text.slice(from))
      if (!end || reader.rest.length === 0) return
      const line = reader.rest.join('')
      reader.rest = []
      addLine(log, line, ++reader.line)
    },
  }
}
