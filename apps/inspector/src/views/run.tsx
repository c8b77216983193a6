import { useEffect, useRef } from 'preact/hooks'
import type { Row } from '../model/timeline.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Minimap } from '../parts/minimap.tsx'
import { Rows } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { detailOpen, folded, navigate, rows, route, run, select, selected, visibleRows } from '../state.ts'

/** The steps of a run as a timeline. */
export function RunView() {
  const shown = visibleRows.value
  const active = useActive(shown)
  if (shown.length === 0) return <Empty />
  const pick = (index: number): void => {
    const row = shown[index]
    if (row !== undefined) void select(row)
  }
  return (
    <div class="view run-view">
      <Minimap onPick={(place) => pick(shown.findIndex(({ step }) => step === place))} />
      <Rows
        id="row"
        label="Steps of the run"
        role="tree"
        count={shown.length}
        height={28}
        active={active}
        render={(index) => <TimelineRow row={shown[index]!} />}
        rowProps={(index) => propsOf(shown[index]!)}
        onActive={pick}
        onOpen={() => (detailOpen.value = true)}
        onKey={(key, index) => fold(key, shown[index])}
      />
    </div>
  )
}

/** Rows are found by their keys: their places change with filters and folds. */
function useActive(shown: readonly Row[]): number {
  const last = useRef(-1)
  const key = selected.value
  const found = key === undefined ? -1 : shown.findIndex((row) => row.key === key)
  useEffect(() => {
    last.current = found
  })
  return found
}

function propsOf(row: Row): Readonly<Record<string, string | number | boolean | undefined>> {
  return row.kind === 'step'
    ? { 'aria-level': 1, 'aria-expanded': !folded.value.has(row.step), 'data-kind': 'step' }
    : { 'aria-level': 2, 'data-kind': row.kind }
}

function fold(key: string, row: Row | undefined): boolean {
  if (row === undefined || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
  const next = new Set(folded.value)
  if (key === 'ArrowRight') next.delete(row.step)
  else if (row.kind === 'step') next.add(row.step)
  else {
    // From inside a step, the first press leads to its head.
    const head = rows.value.find(({ kind, step }) => kind === 'step' && step === row.step)
    if (head !== undefined) void select(head)
    return true
  }
  folded.value = next
  return true
}

function TimelineRow({ row }: { readonly row: Row }) {
  const { kind, status, lead, text, end, step } = row
  const isStep = kind === 'step'
  return (
    <>
      {isStep ? (
        <span
          class="fold"
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation()
            fold(folded.value.has(step) ? 'ArrowRight' : 'ArrowLeft', row)
          }}
        >
          {folded.value.has(step) ? '▸' : '▾'}
        </span>
      ) : (
        <span class="mark">{status !== undefined && <Status status={status} word={false} />}</span>
      )}
      <span class="lead">{lead}</span>
      <span class="text">{isStep ? text : text === '' ? '' : <Foreign text={text} />}</span>
      <span class="end">{end}</span>
    </>
  )
}

function Empty() {
  const { query, filter } = route.value
  if (rows.value.length === 0 && query === '') return <p class="empty">This run has no events yet.</p>
  return (
    <div class="empty">
      <p>
        {filter === undefined ? 'Nothing matches this search.' : `Nothing here is ${filter}.`}{' '}
        {filter === 'refused' && run.value?.refused === 0 && 'Try What if with another policy.'}
      </p>
      <button type="button" onClick={() => navigate({ query: '', filter: undefined })}>
        Show everything
      </button>
    </div>
  )
}
