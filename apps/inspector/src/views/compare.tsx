import { useState } from 'preact/hooks'
import type { ComparedCell, ComparedRow } from '../model/compare.ts'
import type { RunSummary } from '../model/overview.ts'
import { number } from '../model/words.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { navigate, overview, route, run } from '../state.ts'

/** Most runs that stand side by side. */
const MAX_RUNS = 3

/** Most runs that are offered at once. */
const MAX_CHOICES = 20

/** Runs of rows that are equal are folded where they are longer than this. */
const MIN_FOLD = 3

/** Two runs or three side by side. */
export function CompareView() {
  const runs = overview.value?.runs ?? []
  const first = run.value
  const others = route.value.others.filter((id) => id !== first?.id && runs.some((other) => other.id === id))
  const [wanted, setWanted] = useState('')
  const choices = runs.filter(({ id }) => id !== first?.id)
  const found = choices.filter(({ id, log, agent = '' }) => `${id} ${log} ${agent}`.includes(wanted))
  const near = new Set(found.slice(0, MAX_CHOICES))
  const offered = choices.filter((choice) => near.has(choice) || others.includes(choice.id))
  if (runs.length < 2) {
    return (
      <p class="empty">
        There is one run only. Open a second log, or give several: repertoire inspect one.jsonl two.jsonl
      </p>
    )
  }
  return (
    <div class="view">
      <fieldset class="choices">
        <legend>Compare with</legend>
        {choices.length > MAX_CHOICES && (
          <input
            type="search"
            placeholder={`Find among ${number(choices.length)} runs`}
            aria-label="Find a run"
            value={wanted}
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
        )}
        {offered.map((other) => (
          <label key={other.id}>
            <input
              type="checkbox"
              checked={others.includes(other.id)}
              disabled={!others.includes(other.id) && others.length >= MAX_RUNS - 1}
              onChange={({ currentTarget: { checked } }) =>
                navigate(
                  { others: checked ? [...others, other.id] : others.filter((id) => id !== other.id) },
                  'replace',
                )
              }
            />
            <Foreign text={titleOf(other, runs)} />
          </label>
        ))}
      </fieldset>
      {others.length === 0 ? (
        <p class="empty">Choose one run or two to compare with this one.</p>
      ) : (
        <Compared
          ids={[first!.id, ...others]}
          titles={[first!, ...others.map((id) => runs.find((other) => other.id === id)!)].map((each) =>
            titleOf(each, runs),
          )}
        />
      )}
    </div>
  )
}

/** A run by what tells it from the others. */
function titleOf({ agent, session, log }: RunSummary, runs: readonly RunSummary[]): string {
  const isSameAgent = runs.every((other) => other.agent === agent)
  const isOnlySession = runs.filter((other) => other.session === session).length === 1
  return [...(agent === undefined || isSameAgent ? [] : [agent]), session, ...(isOnlySession ? [] : [log])].join(' · ')
}

type Item = { readonly row: ComparedRow } | { readonly equal: readonly ComparedRow[]; readonly key: number }

function Compared({ ids, titles }: { readonly ids: readonly string[]; readonly titles: readonly string[] }) {
  const compared = useAnswer('compare', ids)
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const [active, setActive] = useState(-1)
  if (compared === undefined) return <p class="empty">Comparing…</p>
  const { rows, cut, isAligned } = compared
  const items = foldEqual(rows, unfolded)
  const differences = rows.filter(({ equal }) => !equal).length
  const unfold = (index: number): void => {
    const item = items[index]
    if (item !== undefined && 'equal' in item) setUnfolded(new Set([...unfolded, item.key]))
  }
  return (
    <>
      <p class="note" role="status">
        {differences === 0
          ? `These runs are equal${cut === 0 ? '' : ' as far as they are compared'}.`
          : `${number(differences)} of ${number(rows.length)} rows differ.`}
        {isAligned ? '' : ' The runs differ too much to line up equal rows: rows stand in their order.'}
        {cut === 0 ? '' : ` ${number(cut)} rows at the end are not compared.`}
      </p>
      <div class="compared-head" style={{ '--columns': ids.length }}>
        {titles.map((title, index) => (
          <Foreign key={index} text={title} />
        ))}
      </div>
      <Rows
        id="compared"
        label="Rows of the comparison"
        role="listbox"
        count={items.length}
        height={28}
        active={active}
        onActive={setActive}
        onOpen={unfold}
        render={(index) => <CompareRow item={items[index]!} columns={ids.length} />}
        rowProps={(index) => ({ 'data-differs': 'row' in items[index]! && !items[index].row.equal })}
      />
    </>
  )
}

function foldEqual(rows: readonly ComparedRow[], unfolded: ReadonlySet<number>): readonly Item[] {
  const items: Item[] = []
  for (let from = 0; from < rows.length;) {
    let to = from
    while (to < rows.length && rows[to]!.equal) to++
    if (to - from >= MIN_FOLD && !unfolded.has(from)) items.push({ equal: rows.slice(from, to), key: from })
    else for (let at = from; at < to; at++) items.push({ row: rows[at]! })
    if (to < rows.length) items.push({ row: rows[to]! })
    from = to + 1
  }
  return items
}

function CompareRow({ item, columns }: { readonly item: Item; readonly columns: number }) {
  if ('equal' in item) return <span class="equal-rows">▸ {item.equal.length.toLocaleString('en-US')} equal rows</span>
  return (
    <span class="compared" style={{ '--columns': columns }}>
      {item.row.cells.map((cell, index) => (
        <Cell key={index} cell={cell} />
      ))}
    </span>
  )
}

function Cell({ cell }: { readonly cell: ComparedCell | undefined }) {
  if (cell === undefined) return <span class="cell missing">not here</span>
  return (
    <span class="cell">
      <Status status={cell.status} word={cell.kind === 'call'} /> <Foreign text={cell.text} />
    </span>
  )
}
