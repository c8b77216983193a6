import type { Row } from '../model/timeline.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { detailOpen, navigate, route, rows, run, select, selected } from '../state.ts'

/** All calls of a run. */
export function CallsView() {
  const { filter, query } = route.value
  const calls = rows.value.filter(
    ({ kind, tags }) => kind === 'call' && (filter === undefined || tags.includes(filter)),
  )
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
  const pick = (index: number): void => {
    const row = calls[index]
    if (row !== undefined) void select(row)
  }
  return (
    <div class="view">
      <Rows
        id="call"
        label={`Calls of ${run.value?.agent ?? 'the run'}`}
        role="listbox"
        count={calls.length}
        height={28}
        active={calls.findIndex(({ key }) => key === selected.value)}
        render={(index) => <CallRow row={calls[index]!} />}
        onActive={pick}
        onOpen={() => (detailOpen.value = true)}
      />
    </div>
  )
}

function CallRow({ row: { step, status, lead, text, end } }: { readonly row: Row }) {
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
