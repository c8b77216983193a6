import type { RunSummary } from '../model/overview.ts'
import { count } from '../model/words.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { found, missed, navigate, overview, run, runsOpen, selected } from '../state.ts'

/** Longest title that fits into a line. Of others, two are shown. */
const MAX_LINE_CHARS = 26

/** The runs, with forks below their parents. */
export function Sidebar() {
  const runs = overview.value?.runs ?? []
  return (
    <nav class={`sidebar ${runsOpen.value ? 'open' : ''}`} aria-label="Runs">
      <button type="button" class="close" onClick={() => (runsOpen.value = false)}>
        Close
      </button>
      <h2>
        Runs <span class="quiet-text">{runs.length}</span>
      </h2>
      <Rows
        id="run"
        label="Runs"
        role="tree"
        count={runs.length}
        height={(index) => (runs[index]!.title.length > MAX_LINE_CHARS ? 62 : 44)}
        active={runs.findIndex(({ id }) => id === run.value?.id)}
        onActive={(index) => choose(runs[index])}
        onOpen={() => (runsOpen.value = false)}
        render={(index) => <RunRow summary={runs[index]!} />}
        rowProps={(index) => ({ 'aria-level': runs[index]!.depth + 1 })}
      />
      <LeftOutNote />
    </nav>
  )
}

function choose(summary: RunSummary | undefined): void {
  if (summary === undefined || summary.id === run.value?.id) return
  selected.value = undefined
  navigate({ run: summary.id, step: undefined, call: undefined })
}

/** How far forks are indented at most: deeper ones are still in order. */
const MAX_INDENT = 6

function RunRow({ summary }: { readonly summary: RunSummary }) {
  const { id, depth, agent, title, steps, refused } = summary
  const rows = found.value?.get(id)
  return (
    <span class="run-row" style={{ paddingInlineStart: `${Math.min(depth, MAX_INDENT) * 12}px` }}>
      <span class="run-name">
        {depth > 0 && <span aria-hidden="true">└ </span>}
        <Foreign text={title} />
      </span>
      <span class="quiet-text">
        {depth > 0 ? 'sub-agent · ' : agent === undefined ? '' : `${agent} · `}
        {count(steps, 'step')}
        {rows === undefined ? refused > 0 ? ` · ✗ ${refused}` : '' : <strong> · {rows} found</strong>}
      </span>
    </span>
  )
}

function LeftOutNote() {
  const leftOut = overview.value?.leftOut ?? []
  if (leftOut.length === 0 && missed.value === 0) return null
  return (
    <div class="left-out" role="note">
      <h2>Left out</h2>
      <ul class="plain">
        {missed.value > 0 && <li>{count(missed.value, 'event')} of running agents: only the newest are kept</li>}
        {leftOut.map(({ log, count: lines, line }) => (
          <li key={log}>
            {count(lines, 'line')} of <Foreign text={log} />, the first in line {line}: torn, or no event that this page
            knows
          </li>
        ))}
      </ul>
    </div>
  )
}
