import type { PromptLine, StepDetail } from '../model/detail.ts'
import type { Shown } from '../model/event.ts'
import { PART_NAMES, PARTS } from '../model/window.ts'
import { count } from '../model/words.ts'
import { Asked, clock, Digest, EventLine, Fact, iso, Section } from '../parts/facts.tsx'
import { Foreign } from '../parts/foreign.tsx'

/** All that is known of a step. */
export function StepPanel({ step }: { readonly step: StepDetail }) {
  const { number, at, model, active, shown, usage, prompt, notes, questions } = step
  return (
    <>
      <h2>Step {number}</h2>
      <p class="facts">
        {model !== undefined && <Foreign text={model} />}
        <time dateTime={iso(at)}>{clock(at)}</time>
        {usage?.inputTokens !== undefined && (
          <span>
            {usage.inputTokens.toLocaleString('en-US')} tokens in
            {usage.outputTokens !== undefined && `, ${usage.outputTokens.toLocaleString('en-US')} out`}
          </span>
        )}
      </p>
      {shown === undefined ? (
        <p>This log does not record what was shown in this step.</p>
      ) : (
        <ShownPanel shown={shown} active={active} />
      )}
      {prompt.length > 0 && (
        <Section title="Prompt, with the difference to the step before">
          <Prompt lines={prompt} />
        </Section>
      )}
      {questions.map((question, index) => (
        <Asked key={index} question={question} />
      ))}
      {notes.length > 0 && (
        <Section title="Events">
          <ul class="plain">
            {notes.map((event, index) => (
              <EventLine key={index} event={event} />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/** How much of a skill's description the list has. */
const AS: ReadonlyMap<string, string> = new Map([
  ['whole', 'whole description'],
  ['shortened', 'shortened description'],
  ['name', 'name alone'],
])

function ShownPanel({ shown, active }: { readonly shown: Shown; readonly active: readonly string[] }) {
  return (
    <>
      <Section title={`Skills in the list (${sizeOf(shown, 'skills')})`}>
        <ul class="plain">
          {shown.skills.map(({ name, as, tokens }, index) => (
            <li key={index}>
              <Foreign text={name} />{' '}
              <span class="quiet-text">
                {active.includes(name) ? 'active, ' : ''}
                {AS.get(as) ?? as}, {count(tokens, 'token')}
              </span>
            </li>
          ))}
        </ul>
      </Section>
      {shown.left.length > 0 && (
        <Section title={`Not in the list (${sizeOf(shown, 'left')})`}>
          <ul class="plain">
            {shown.left.map(({ name, why, reason }, index) => (
              <li key={index}>
                <Foreign text={name} /> <strong>{why}</strong> <Foreign text={reason} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={`Tools (${sizeOf(shown, 'tools')})`}>
        <p>{shown.tools.length === 0 ? 'None.' : <Foreign text={shown.tools.join(', ')} />}</p>
        {(shown.withheld ?? []).map(({ tool, skill, reason }, index) => (
          <p key={index}>
            <Foreign text={tool} /> is withheld
            {skill !== undefined && (
              <>
                {' '}
                by <Foreign text={skill} />
              </>
            )}
            {reason !== undefined && (
              <>
                : <Foreign text={reason} />
              </>
            )}
          </p>
        ))}
      </Section>
      <Section title="Tokens">
        <dl>
          {PARTS.map((part) => (
            <Fact key={part} name={PART_NAMES[part]}>
              {shown.tokens[part]?.toLocaleString('en-US') ?? 'not recorded'}
            </Fact>
          ))}
        </dl>
        <p>
          Prompt <Digest text={shown.digest} />
        </p>
      </Section>
    </>
  )
}

/** The length of a list; of a long one the log has only the beginning. */
function sizeOf(shown: Shown, list: 'skills' | 'left' | 'tools'): string {
  const { length } = shown[list]
  const more = shown.more?.[list] ?? 0
  return more === 0 ? String(length) : `the first ${length} of ${length + more}`
}

/** Equal lines beside a change that are shown with it. */
const CONTEXT = 2

function Prompt({ lines }: { readonly lines: readonly PromptLine[] }) {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ change }) => change !== 'same'),
  )
  const hasChange = isNear.includes(true)
  return (
    <div class="foreign block diff">
      {lines.map(({ change, text }, index) => {
        if (hasChange && isNear[index] === false)
          return isNear[index - 1] === false ? null : (
            <div key={index} class="fold-mark">
              ⋯
            </div>
          )
        const sign = change === 'added' ? '+' : change === 'removed' ? '−' : ' '
        return (
          <div key={index} class={change}>
            <span aria-hidden={change === 'same'}>{sign} </span>
            <Foreign text={text} />
          </div>
        )
      })}
    </div>
  )
}
