import type { Row } from '../model/timeline.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { useRows } from '../parts/use-rows.ts'
import { findSelected, navigate, openDetail, placeAt, route, run, select, visibleCalls } from '../state.ts'

/** All calls of a run. */
export function CallsView() {
  const { filter, query } = route.value
  const calls = visibleCalls.value
  const rowAt = useRows(calls)
  if (calls.length === 0) {
    return (
      <div class="empty">
        <p>
          {filter === undefined && query === ''
            ? 'The model has not called a tool in this run.'
            : filter === 'refused'
              ? 'No refusals. Try What if with another policy.'
              : 'No call matches.'}
        </p>
        {(filter !== undefined || query !== '') && (
          <button type="button" onClick={() => navigate({ filter: undefined, query: '' })}>
            Show all calls
          </button>
        )}
      </div>
    )
  }
  const pick = (index: number): void => void select(placeAt(calls[index]))
  return (
    <div class="view">
      <Rows
        id="call"
        label={`Calls of ${run.value?.agent ?? 'the run'}`}
        role="listbox"
        count={calls.length}
        height={28}
        active={findSelected(calls)}
        render={(index) => <CallRow row={rowAt(index)} />}
        onActive={pick}
        onOpen={(_, byKey) => openDetail(byKey)}
      />
    </div>
  )
}

function CallRow({ row }: { readonly row: Row | undefined }) {
  if (row === undefined) return <span class="lead">…</span>
  const { step, status, lead, text, end } = row
  return (
    <>
      <span class="place">{step + 1}</span>
      <span class="outcome">{status !== undefined && <Status status={status} />}</span>
      <span class="lead">{lead}</span>
      <span class="text">
        <Foreign text={text} />
      </span>
      <span class="end">{end}</span>
    </>
  )
}
