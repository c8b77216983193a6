import type { LeftOut } from '../model/log.ts'
import type { RunSummary } from '../model/overview.ts'
import { count } from '../model/words.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { FILTERS } from '../route.ts'
import { found, navigate, overview, route, run, runsOpen, selected } from '../state.ts'

/** The runs, with forks below their parents, and the filters. */
export function Sidebar() {
  const runs = overview.value?.runs ?? []
  const { filter } = route.value
  return (
    <nav class={`sidebar ${runsOpen.value ? 'open' : ''}`} aria-label="Runs">
      <h2>
        Runs <span class="quiet-text">{runs.length}</span>
      </h2>
      <Rows
        id="run"
        label="Runs"
        role="tree"
        count={runs.length}
        height={44}
        active={runs.findIndex(({ id }) => id === run.value?.id)}
        onActive={(index) => choose(runs[index])}
        onOpen={() => (runsOpen.value = false)}
        render={(index) => <RunRow summary={runs[index]!} />}
        rowProps={(index) => ({ 'aria-level': runs[index]!.depth + 1 })}
      />
      <h2>Filter</h2>
      <div class="filters">
        {FILTERS.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={filter === name}
            onClick={() => navigate({ filter: filter === name ? undefined : name }, 'replace')}
          >
            {name}
          </button>
        ))}
      </div>
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
  const { id, depth, agent, session, steps, refused } = summary
  const rows = found.value?.get(id)
  const own = depth === 0 ? session : session.slice(session.lastIndexOf('/') + 1)
  return (
    <span class="run-row" style={{ paddingInlineStart: `${Math.min(depth, MAX_INDENT) * 12}px` }}>
      <span class="run-name">
        {depth > 0 && <span aria-hidden="true">└ </span>}
        <Foreign text={own} />
      </span>
      <span class="quiet-text">
        {agent !== undefined && depth === 0 ? `${agent} · ` : ''}
        {count(steps, 'step')}
        {rows === undefined ? refused > 0 ? ` · ✗ ${refused}` : '' : <strong> · {rows} found</strong>}
      </span>
    </span>
  )
}

const LEFT_OUT: Readonly<Record<LeftOut['kind'], (lines: LeftOut) => string>> = {
  torn: (lines) => place('torn or no event', lines),
  version: (lines) => place('of a version that this page does not know', lines),
  shape: (lines) => place('not an event', lines),
}

function place(what: string, { count: lines, line }: LeftOut): string {
  return `${count(lines, 'line')} ${what}, from line ${line} of`
}

function LeftOutNote() {
  const leftOut = overview.value?.leftOut ?? []
  if (leftOut.length === 0) return null
  return (
    <div class="left-out" role="note">
      <h2>Left out</h2>
      <ul class="plain">
        {leftOut.map((lines, index) => (
          <li key={index}>
            {LEFT_OUT[lines.kind](lines)} <Foreign text={lines.log} />
          </li>
        ))}
      </ul>
    </div>
  )
}
