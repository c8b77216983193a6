import { useState } from 'preact/hooks'
import { allOf, type ComparedCell, type ComparedGroup, type ComparedRow } from '../model/compare.ts'
import { count, number } from '../model/words.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { enterDetail, navigate, overview, route } from '../state.ts'

/** Most runs that are compared before a person chooses. */
const MAX_RUNS_UNASKED = 12

/** Several runs in one column, which splits where they differ. */
export function CompareView() {
  const runs = overview.value?.runs ?? []
  const own = runs.filter(({ depth }) => depth === 0)
  const chosen = route.value.compared.filter((id) => runs.some((other) => other.id === id))
  const unasked = own.length <= MAX_RUNS_UNASKED ? own.map(({ id }) => id) : []
  const ids = route.value.compared.length === 0 ? unasked : chosen
  if (runs.length < 2) {
    return (
      <p class="empty">
        There is one run only. Open a second log, or give several: repertoire inspect one.jsonl two.jsonl
      </p>
    )
  }
  const offered = runs.filter(({ id, depth }) => depth === 0 || ids.includes(id))
  const toggle = (id: string): void => {
    const next = ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]
    navigate({ compared: runs.map((each) => each.id).filter((each) => next.includes(each)) }, 'replace')
  }
  return (
    <div class="view">
      <div class="choices" role="group" aria-label="Compared runs">
        {offered.map(({ id, title }) => (
          <button key={id} type="button" aria-pressed={ids.includes(id)} onClick={() => toggle(id)}>
            <Foreign text={title} />
          </button>
        ))}
      </div>
      {ids.length < 2 ? (
        <p class="empty">Choose at least two runs above.</p>
      ) : (
        <Compared ids={ids} names={ids.map((id) => runs.find((each) => each.id === id)?.title ?? id)} />
      )}
    </div>
  )
}

/** Heights of a row that all runs share, and of one that splits; on narrow screens its groups are below each other. */
const ROW = 28
const SPLIT_ROW = 52

interface ComparedProps {
  readonly ids: readonly string[]
  readonly names: readonly string[]
}

function Compared({ ids, names }: ComparedProps) {
  const rows = useAnswer('compare', ids)
  const [onlyDifferences, setOnlyDifferences] = useState(false)
  const [active, setActive] = useState(-1)
  if (rows === undefined) return <p class="empty">Comparing…</p>
  const differing = rows.filter(splits)
  const shown = onlyDifferences ? differing : rows
  const isNarrow = matchMedia('(max-width: 720px)').matches
  const openGroup = ({ runs: [first = 0], cell }: ComparedGroup): void => {
    if (cell !== undefined) navigate({ run: ids[first], step: cell.step, call: cell.call })
  }
  return (
    <>
      <p class="note" role="status">
        {differing.length === 0
          ? `${capital(allOf(ids.length))} runs did the same: ${count(rows.length, 'row')}, and none differs.`
          : `${number(differing.length)} of ${count(rows.length, 'row')} ${differing.length === 1 ? 'differs' : 'differ'}. `}
        {differing.length > 0 && (
          <label>
            <input
              type="checkbox"
              checked={onlyDifferences}
              onChange={({ currentTarget: { checked } }) => setOnlyDifferences(checked)}
            />{' '}
            Only these
          </label>
        )}
      </p>
      <Rows
        key={`${ids.join(' ')} ${onlyDifferences} ${rows.length}`}
        id="compared"
        label="Rows of the comparison"
        role="listbox"
        count={shown.length}
        height={(index) => heightOf(shown[index]!, isNarrow)}
        active={active}
        onActive={setActive}
        onOpen={(index, byKey) => {
          const group = shown[index]!.find(({ cell }) => cell !== undefined)
          if (!byKey || group === undefined) return
          openGroup(group)
          enterDetail()
        }}
        render={(index) => (
          <>
            <span class="place">
              {numberOf(shown[index]) === numberOf(shown[index - 1]) ? '' : numberOf(shown[index])}
            </span>
            <span class="groups">
              {shown[index]!.map((group) => (
                <Group
                  key={group.runs[0]}
                  group={group}
                  title={splits(shown[index]!) ? titleOf(group, names) : ''}
                  onOpen={() => openGroup(group)}
                />
              ))}
            </span>
          </>
        )}
        rowProps={(index) => ({ 'data-differs': splits(shown[index]!) })}
      />
    </>
  )
}

interface GroupProps {
  readonly group: ComparedGroup
  /** Empty: the group is all runs. */
  readonly title: string
  readonly onOpen: () => void
}

function Group({ group: { cell }, title, onOpen }: GroupProps) {
  return (
    <span class="group" onClick={onOpen}>
      {title !== '' && <span class="group-title">{title}</span>}
      {cell === undefined ? <span class="quiet-text">not here</span> : <Cell cell={cell} />}
    </span>
  )
}

function Cell({ cell: { status, text, code, why } }: { readonly cell: ComparedCell }) {
  return (
    <span class="cell">
      <Status status={status} />
      <span class="subject">
        <Foreign text={text} />
      </span>
      {code !== '' && <code>{code}</code>}
      {why !== '' && (
        <span class="why">
          <Foreign text={why} />
        </span>
      )}
    </span>
  )
}

function titleOf({ runs }: ComparedGroup, names: readonly string[]): string {
  return runs.map((place) => names[place]).join(', ')
}

function splits(row: ComparedRow): boolean {
  return row.length > 1
}

function heightOf(row: ComparedRow, isNarrow: boolean): number {
  if (!splits(row)) return ROW
  return isNarrow ? SPLIT_ROW * row.length : SPLIT_ROW
}

function numberOf(row: ComparedRow | undefined): number | undefined {
  return row?.find(({ cell }) => cell !== undefined)?.cell?.number
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
