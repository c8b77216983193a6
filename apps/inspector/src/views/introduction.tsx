import { Foreign } from '../parts/foreign.tsx'
import { readRoute, writeRoute } from '../route.ts'
import { introduction, navigate, route } from '../state.ts'

/** What the program that made the logs says of them. */
export function IntroductionNote() {
  if (introduction.value === undefined) return null
  const { notice, views = [], notes = [] } = introduction.value
  return (
    <div class="introduction">
      <p>{notice}</p>
      {views.length > 0 && (
        <div class="filters" role="group" aria-label="Show">
          {views.map(({ label, start }) => (
            <button
              key={start}
              type="button"
              aria-pressed={writeRoute(readRoute(start)) === writeRoute(route.value)}
              onClick={() => navigate(readRoute(start))}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {notes.map(({ title, text }) => (
        <details key={title}>
          <summary>{title}</summary>
          <Foreign text={text} block />
        </details>
      ))}
    </div>
  )
}
