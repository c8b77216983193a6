import { live, logs, overview, reading } from '../state.ts'
import { count } from '../model/words.ts'
import { Foreign } from '../parts/foreign.tsx'
import { OpenButton } from './header.tsx'

const PROGRAM = `import { jsonLinesAudit, openSkills } from '@repertoire/core/node'

const repertoire = await openSkills('.agents/skills', {
  audit: jsonLinesAudit({ path: 'audit.jsonl' }),
})`

/** What is missing if there is no run to show, and how to connect one. */
export function Nothing() {
  const { events = 0, leftOut = [] } = overview.value ?? {}
  const lines = leftOut.reduce((sum, each) => sum + each.count, 0)
  if (reading.value === 'locked') return <Locked />
  if (live.value !== undefined) return <Waiting />
  if (reading.value === 'reading') return <p class="empty">Reading… {events.toLocaleString('en-US')}</p>
  if (reading.value === 'none')
    return (
      <div class="empty">
        <h2>No log is open</h2>
        <p>Open an audit log: a file of JSON Lines. It stays on this machine. This program writes one:</p>
        <pre>{PROGRAM}</pre>
        <OpenButton />
      </div>
    )
  return (
    <div class="empty">
      <h2>{lines > 0 ? 'This file is no audit log' : 'The log is empty'}</h2>
      <p>
        <Foreign text={logs.value.join(', ')} />{' '}
        {lines > 0
          ? `has ${count(lines, 'line')}, and none is an event. An audit log has one JSON object in each line, as this program writes it:`
          : 'has no event yet. An agent writes the first one when a session begins. Check that your program opens its skills with an audit, and that the path is the same:'}
      </p>
      <pre>{PROGRAM}</pre>
      <OpenButton />
    </div>
  )
}

function Locked() {
  return (
    <div class="empty">
      <h2>The key is missing</h2>
      <p>
        This page shows logs only with the key of the command that serves them. Open the whole address that "repertoire
        inspect" printed last, with <code>#key=…</code> at its end.
      </p>
    </div>
  )
}

function Waiting() {
  return (
    <div class="empty">
      <h2>{live.value === true ? 'Waiting for an agent' : 'The command has ended'}</h2>
      <p>
        {live.value === true
          ? 'The page is connected to the command, and no agent has sent an event. Give your agent the address that the command printed, and start it:'
          : 'Start "repertoire inspect --live" again, and open the address that it prints. Your agent needs the same address:'}
      </p>
      <pre>{`import { inspectorSink, openSkills } from '@repertoire/core/node'

const repertoire = await openSkills('.agents/skills', {
  audit: inspectorSink({ url: 'http://127.0.0.1:…/#key=…' }),
})`}</pre>
    </div>
  )
}
