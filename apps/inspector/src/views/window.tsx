import { Chart } from '../parts/chart.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { PARTS, type WindowView as Window } from '../model/window.ts'
import { open, run } from '../state.ts'

/** Steps that the table shows; of more, every n-th. */
const MAX_TABLE_ROWS = 200

/** What fills the model's window, step by step. */
export function WindowView() {
  const view = useAnswer('window', run.value?.id ?? '')
  if (view === undefined) return <p class="empty">Reading…</p>
  const hasParts = view.parts.system.some((tokens) => tokens !== null)
  const hasUsage = view.input.some((tokens) => tokens !== null)
  if (!hasParts && !hasUsage) {
    return (
      <div class="empty">
        <p>This log records no tokens. Record the provider's count after each model call:</p>
        <pre>step.recordUsage({'{ inputTokens, outputTokens }'})</pre>
      </div>
    )
  }
  return (
    <div class="view scrolling" tabIndex={0} role="region" aria-label="Window">
      <Chart view={view} />
      {view.size !== undefined && <p class="note">The window has {view.size.toLocaleString('en-US')} tokens.</p>}
      <h2>What was done to keep it</h2>
      {view.events.length === 0 ? (
        <p class="note">Nothing: no message was summarised, and no section was left out.</p>
      ) : (
        <ul class="plain">
          {view.events.map((event, index) => (
            <li key={index}>
              <button type="button" class="link" onClick={() => open(event.step)}>
                step {event.number}
              </button>{' '}
              <strong>{event.what}</strong> {event.detail} {event.foreign !== '' && <Foreign text={event.foreign} />}
            </li>
          ))}
        </ul>
      )}
      <h2>Tokens by step</h2>
      <TokenTable view={view} />
    </div>
  )
}

function shown(tokens: number | null | undefined): string {
  return typeof tokens === 'number' ? tokens.toLocaleString('en-US') : ''
}

function TokenTable({ view }: { readonly view: Window }) {
  const every = Math.ceil(view.steps.length / MAX_TABLE_ROWS)
  const places = view.steps.map((_, place) => place).filter((place) => place % every === 0)
  return (
    <>
      {every > 1 && <p class="note">Every {every}th step is shown.</p>}
      <table class="tokens">
        <thead>
          <tr>
            <th scope="col">Step</th>
            {PARTS.map((part) => (
              <th key={part} scope="col" class="number">
                {part}
              </th>
            ))}
            <th scope="col" class="number">
              in, as counted
            </th>
            <th scope="col" class="number">
              out
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <tr key={place}>
              <th scope="row">
                <button type="button" class="link" onClick={() => open(place)}>
                  {view.steps[place]}
                </button>
              </th>
              {PARTS.map((part) => (
                <td key={part} class="number">
                  {shown(view.parts[part][place])}
                </td>
              ))}
              <td class="number">{shown(view.input[place])}</td>
              <td class="number">{shown(view.output[place])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
