import { useRef, useState } from 'preact/hooks'
import { openFiles } from '../load.ts'
import { count } from '../model/words.ts'
import { Foreign } from '../parts/foreign.tsx'
import { saveCopy } from '../save.ts'
import { found, helpOpen, live, navigate, problem, route, run, runsOpen } from '../state.ts'

/** The line at the top: which run, a summary of it, the search. */
export function Header() {
  const summary = run.value
  return (
    <header>
      {summary !== undefined && (
        <button
          type="button"
          class="runs-button"
          aria-expanded={runsOpen.value}
          onClick={() => (runsOpen.value = !runsOpen.value)}
        >
          Runs
        </button>
      )}
      <h1>
        <span class="brand">Repertoire</span>
        {summary !== undefined && (
          <>
            <span aria-hidden="true" class="quiet-text">
              ▸
            </span>
            {summary.agent !== undefined && <Foreign text={summary.agent} />}
            <Foreign text={summary.title} />
          </>
        )}
      </h1>
      {summary !== undefined && (
        <p class="summary">
          {summary.models.map((model) => (
            <Foreign key={model} text={model} />
          ))}
          <span>{count(summary.steps, 'step')}</span>
          <span class="good">✓ {summary.ran} ran</span>
          {summary.refused > 0 && <span class="warn">✗ {summary.refused} refused</span>}
          {summary.failed > 0 && <span class="bad">! {summary.failed} failed</span>}
        </p>
      )}
      {live.value !== undefined && <Live isConnected={live.value} />}
      <div class="toolbar">
        {summary !== undefined && <Search />}
        <OpenButton />
        {summary !== undefined && <ExportButton />}
        <button type="button" aria-label="Help" onClick={() => (helpOpen.value = true)}>
          ?
        </button>
      </div>
    </header>
  )
}

/** Searches all runs for rows. The list of runs says how many each has. */
function Search() {
  const runs = [...(found.value?.values() ?? [])].filter((rows) => rows > 0)
  const rows = runs.reduce((sum, each) => sum + each, 0)
  return (
    <>
      {found.value !== undefined && (
        <span class="found quiet-text" role="status">
          {count(rows, 'row')} in {count(runs.length, 'run')}
        </span>
      )}
      <input
        id="search"
        type="search"
        placeholder="Search all runs  /"
        aria-label="Search all runs"
        value={route.value.query}
        onInput={({ currentTarget }) => navigate({ query: currentTarget.value, view: 'run' }, 'replace')}
      />
    </>
  )
}

function Live({ isConnected }: { readonly isConnected: boolean }) {
  return (
    <span class={`live ${isConnected ? 'good' : 'warn'}`} role="status">
      {isConnected ? '● live' : '○ not connected'}
    </span>
  )
}

/** Opens logs that a person chooses. */
export function OpenButton() {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        Open…
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Open logs"
        onChange={({ currentTarget }) => {
          void openFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

function ExportButton() {
  const [isBusy, setBusy] = useState(false)
  return (
    <button
      type="button"
      disabled={isBusy}
      onClick={() => {
        setBusy(true)
        saveCopy()
          .catch((error: unknown) => (problem.value = error instanceof Error ? error.message : String(error)))
          .finally(() => setBusy(false))
      }}
    >
      {isBusy ? 'Exporting…' : 'Export'}
    </button>
  )
}
