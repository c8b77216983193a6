import type { Row } from '../model/timeline.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { useRows } from '../parts/use-rows.ts'
import { FILTERS } from '../route.ts'
import {
  enterDetail,
  findSelected,
  found,
  navigate,
  overview,
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
  const pick = (index: number): void => void select(placeAt(shown[index]))
  return (
    <div class="view">
      <Filters />
      {shown.length === 0 ? (
        <Empty />
      ) : (
        <Rows
          id="row"
          label="Steps of the run"
          role="tree"
          count={shown.length}
          height={28}
          active={findSelected(shown)}
          render={(index) => <TimelineRow row={rowAt(index)} />}
          rowProps={(index) => {
            const kind = placeAt(shown[index])?.kind
            return { 'aria-level': kind === 'step' ? 1 : 2, 'data-kind': kind }
          }}
          onActive={pick}
          onOpen={(_, byKey) => byKey && enterDetail()}
        />
      )}
    </div>
  )
}

/** What a run can be narrowed to. */
function Filters() {
  const { filter } = route.value
  return (
    <div class="filters" role="group" aria-label="Filter">
      <span class="quiet-text">Only</span>
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
  )
}

function TimelineRow({ row }: { readonly row: Row | undefined }) {
  if (row === undefined) return <span class="lead">…</span>
  const { kind, status, lead, text, end } = row
  return (
    <>
      {kind !== 'step' && <span class="mark">{status !== undefined && <Status status={status} word={false} />}</span>}
      <span class="lead">{lead}</span>
      <span class="text">{kind === 'step' ? text : text === '' ? '' : <Foreign text={text} />}</span>
      <span class="end">{end}</span>
    </>
  )
}

function Empty() {
  const { query, filter } = route.value
  if (rows.value === undefined) return <p class="empty">Reading…</p>
  if (rows.value.kind.length === 0 && query === '') return <p class="empty">This run has no events yet.</p>
  const elsewhere = overview.value?.runs.find(({ id }) => id !== run.value?.id && (found.value?.get(id) ?? 0) > 0)
  const place = elsewhere === undefined ? 'in the log' : 'in this run'
  return (
    <div class="empty">
      <p>
        {filter === undefined ? `Nothing ${place} matches the search.` : `Nothing here is ${filter}.`}{' '}
        {filter === 'refused' && run.value?.refused === 0 && 'Try What if with another policy.'}
      </p>
      {elsewhere !== undefined && (
        <button type="button" onClick={() => navigate({ run: elsewhere.id, step: undefined, call: undefined })}>
          Show <Foreign text={elsewhere.title} />, which matches
        </button>
      )}{' '}
      <button type="button" onClick={() => navigate({ query: '', filter: undefined })}>
        Show everything
      </button>
    </div>
  )
}
