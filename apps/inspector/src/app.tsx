import { useEffect } from 'preact/hooks'
import { openFiles } from './load.ts'
import { VIEW_NAMES, VIEWS, type View } from './route.ts'
import { closeDetail, helpOpen, problem, route, run, runsOpen, show } from './state.ts'
import { CompareView } from './views/compare.tsx'
import { Detail } from './views/detail.tsx'
import { Nothing } from './views/empty.tsx'
import { Header } from './views/header.tsx'
import { Help } from './views/help.tsx'
import { IntroductionNote } from './views/introduction.tsx'
import { RunView } from './views/run.tsx'
import { Sidebar } from './views/sidebar.tsx'
import { SkillsView } from './views/skills.tsx'
import { WhatIfView } from './views/what-if.tsx'
import { WindowView } from './views/window.tsx'

/** The whole page. */
export function App() {
  useEffect(() => {
    addEventListener('keydown', onKey)
    addEventListener('dragover', (event) => event.preventDefault())
    addEventListener('drop', (event) => {
      event.preventDefault()
      void openFiles([...(event.dataTransfer?.files ?? [])])
    })
  }, [])
  const { view } = route.value
  return (
    <>
      <Header />
      {problem.value !== undefined && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <IntroductionNote />
      {run.value === undefined ? (
        <main>
          <Nothing />
        </main>
      ) : (
        <div class="columns">
          <Sidebar />
          <main>
            <Tabs view={view} />
            <div class="panel" role="tabpanel" id="panel" aria-labelledby={`tab-${view}`}>
              <Current view={view} />
            </div>
          </main>
          <Detail />
        </div>
      )}
      <Help />
    </>
  )
}

function Tabs({ view }: { readonly view: View }) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    const next = VIEWS[(VIEWS.indexOf(view) + by + VIEWS.length) % VIEWS.length]!
    show(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
      {VIEWS.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={view === name}
          aria-controls="panel"
          tabIndex={view === name ? 0 : -1}
          onClick={() => show(name)}
        >
          {VIEW_NAMES[name]}
        </button>
      ))}
    </div>
  )
}

function Current({ view }: { readonly view: View }) {
  switch (view) {
    case 'skills':
      return <SkillsView />
    case 'window':
      return <WindowView />
    case 'compare':
      return <CompareView />
    case 'what-if':
      return <WhatIfView />
    default:
      return <RunView />
  }
}

function onKey(event: KeyboardEvent): void {
  const { target, key } = event
  const isTyping =
    target instanceof HTMLElement && target.closest('input:not([type="checkbox"]), textarea, select') !== null
  if (key === 'Escape') {
    if (isTyping) target.blur()
    else closeTop()
    return
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || helpOpen.value) return
  const view = VIEWS[Number(key) - 1]
  if (key === '/') {
    event.preventDefault()
    document.getElementById('search')?.focus()
  } else if (key === '?') helpOpen.value = true
  else if (view !== undefined) show(view)
  else if (/^(?:Arrow(?:Up|Down|Left|Right)|Home|End|Page(?:Up|Down)|Enter)$/.test(key) && target === document.body) {
    document.querySelector<HTMLElement>('main [data-list]')?.focus()
  }
}

function closeTop(): void {
  if (runsOpen.value) runsOpen.value = false
  else closeDetail()
}
