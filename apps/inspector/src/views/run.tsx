import type { Row, RowPlace } from '../model/timeline.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { useRows } from '../parts/use-rows.ts'
import {
  findSelected,
  folded,
  found,
  navigate,
  openDetail,
  placeAt,
  rows,
  route,
  run,
  select,
  visibleRows,
} from '../state.ts'

/** The steps of a run as a timeline. */
export function RunView() {
  const shown = visibleRows.value
  const rowAt = useRows(shown)
  if (shown.length === 0) return <Empty />
  const pick = (index: number): void => void select(placeAt(shown[index]))
  return (
    <div class="view">
      <Rows
        id="row"
        label="Steps of the run"
        role="tree"
        count={shown.length}
        height={28}
        active={findSelected(shown)}
        render={(index) => <TimelineRow row={rowAt(index)} />}
        rowProps={(index) => propsOf(placeAt(shown[index]))}
        onActive={pick}
        onOpen={(_, byKey) => openDetail(byKey)}
        onKey={(key, index) => fold(key, placeAt(shown[index]))}
      />
    </div>
  )
}

function propsOf(place: RowPlace | undefined): Readonly<Record<string, string | number | boolean | undefined>> {
  return place?.kind === 'step'
    ? { 'aria-level': 1, 'aria-expanded': !folded.value.has(place.step), 'data-kind': 'step' }
    : { 'aria-level': 2, 'data-kind': place?.kind }
}

function fold(key: string, row: RowPlace | undefined): boolean {
  if (row === undefined || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return false
  // From inside a step, the first press leads to its head.
  if (key === 'ArrowLeft' && row.kind !== 'step') {
    void select({ kind: 'step', step: row.step, item: 0 })
    return true
  }
  const next = new Set(folded.value)
  if (key === 'ArrowRight') next.delete(row.step)
  else next.add(row.step)
  folded.value = next
  return true
}

function TimelineRow({ row }: { readonly row: Row | undefined }) {
  if (row === undefined) return <span class="lead">…</span>
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
  if (rows.value === undefined) return <p class="empty">Reading…</p>
  if (rows.value.kind.length === 0 && query === '') return <p class="empty">This run has no events yet.</p>
  const elsewhere = [...(found.value ?? [])].find(([id, count]) => count > 0 && id !== run.value?.id)
  return (
    <div class="empty">
      <p>
        {filter === undefined ? 'Nothing in this run matches the search.' : `Nothing here is ${filter}.`}{' '}
        {filter === 'refused' && run.value?.refused === 0 && 'Try What if with another policy.'}
      </p>
      {elsewhere !== undefined && (
        <button type="button" onClick={() => navigate({ run: elsewhere[0], step: undefined, call: undefined })}>
          Show <Foreign text={elsewhere[0]} />, which matches
        </button>
      )}{' '}
      <button type="button" onClick={() => navigate({ query: '', filter: undefined })}>
        Show everything
      </button>
    </div>
  )
}
