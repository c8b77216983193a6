import { Foreign } from '../parts/foreign.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { PART_NAMES, PARTS, type WindowView as Window } from '../model/window.ts'
import { navigate, run } from '../state.ts'

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
      <h2>Tokens by step</h2>
      <p class="note">
        Parts are estimates. “In” and “Out” are what the provider counted.
        {view.size !== undefined && ` The window has ${view.size.toLocaleString('en-US')} tokens.`}
      </p>
      <TokenTable view={view} />
      <h2>Kept within the window</h2>
      {view.events.length === 0 ? (
        <p class="note">No message was summarised, and no section was left out.</p>
      ) : (
        <ul class="plain">
          {view.events.map(({ step, number, lead, text, end }, index) => (
            <li key={index}>
              <button type="button" class="link" onClick={() => navigate({ step, call: undefined })}>
                step {number}
              </button>{' '}
              <strong>{lead}</strong> {end} {text !== '' && <Foreign text={text} />}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function shown(tokens: number | null | undefined): string {
  return typeof tokens === 'number' ? tokens.toLocaleString('en-US') : ''
}

/** A bar for each step, with its parts, and what the provider counted. */
function TokenTable({ view }: { readonly view: Window }) {
  const every = Math.ceil(view.steps.length / MAX_TABLE_ROWS)
  const places = view.steps.map((_, place) => place).filter((place) => place % every === 0)
  const totals = view.steps.map((_, place) => PARTS.reduce((sum, part) => sum + (view.parts[part][place] ?? 0), 0))
  const most = totals.reduce((max, total) => Math.max(max, total), view.size ?? 1)
  return (
    <>
      <div class="legend">
        {PARTS.map((part) => (
          <span key={part} class={`key ${part}`}>
            {PART_NAMES[part]}
          </span>
        ))}
      </div>
      {every > 1 && <p class="note">Every {every}th step is shown.</p>}
      <table class="tokens">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Estimate by part</th>
            <th scope="col" class="number">
              Estimate
            </th>
            <th scope="col" class="number">
              In
            </th>
            <th scope="col" class="number">
              Out
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <tr key={place}>
              <th scope="row">
                <button type="button" class="link" onClick={() => navigate({ step: place, call: undefined })}>
                  {view.steps[place]}
                </button>
              </th>
              <td>
                <span class="bar" role="img" aria-label={barLabel(view, place)} title={barLabel(view, place)}>
                  {PARTS.map((part) => (
                    <span
                      key={part}
                      class={`key ${part}`}
                      style={{ width: `${((view.parts[part][place] ?? 0) / most) * 100}%` }}
                    />
                  ))}
                </span>
              </td>
              <td class="number">{shown(totals[place] === 0 ? null : totals[place])}</td>
              <td class="number">{shown(view.input[place])}</td>
              <td class="number">{shown(view.output[place])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function barLabel(view: Window, place: number): string {
  return PARTS.map((part) => `${PART_NAMES[part]} ${shown(view.parts[part][place]) || 'not recorded'}`).join(', ')
}
