import type { ComponentChildren } from 'preact'
import type { Changes } from '../model/changes.ts'
import type { CallDetail, PromptLine, StepDetail } from '../model/detail.ts'
import type { LogEvent, Shown } from '../model/event.ts'
import { failingPart } from '../model/failing-part.ts'
import type { Question } from '../model/run.ts'
import { Copy } from '../parts/copy.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Status } from '../parts/status.tsx'
import { detail, detailOpen, linkTo, navigate, open } from '../state.ts'

/** All that is known of a step or a call. */
export function Detail() {
  const shown = detail.value
  return (
    <aside class={`detail ${detailOpen.value ? 'open' : ''}`} aria-label="Detail" tabIndex={-1}>
      <button type="button" class="close" onClick={() => (detailOpen.value = false)}>
        Close
      </button>
      {shown === undefined ? (
        <p class="empty">Choose a step or a call to see all that the log says of it.</p>
      ) : shown.kind === 'call' ? (
        <CallPanel call={shown.call} place={shown.place} />
      ) : (
        <StepPanel step={shown.step} />
      )}
    </aside>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function CallPanel({ call, place }: { readonly call: CallDetail; readonly place: number }) {
  const { tool, subject, status, advised, refusal, questions, standsFor, active, events, fork } = call
  const reason = refusal?.reason ?? call.decision?.reason ?? ''
  const mark = failingPart(reason, call.input)
  return (
    <>
      <h2>
        <Foreign text={subject === '' ? tool : subject} />
      </h2>
      <p class="facts">
        <Status status={advised ? 'against the rules' : status} />
        <button type="button" class="link" onClick={() => open(place)}>
          step {call.step}
        </button>
        {call.ms > 0 && <span>{call.ms.toLocaleString('en-US')} ms</span>}
        <time dateTime={iso(call.at)}>{clock(call.at)}</time>
      </p>
      {refusal !== undefined && <Refusal event={refusal} active={active} mark={mark} />}
      {call.decision?.error !== undefined && (
        <Section title="Error">
          <Foreign text={call.decision.error} block />
        </Section>
      )}
      {questions.map((question, index) => (
        <Asked key={index} question={question} />
      ))}
      <Section title="Input">
        {call.input === undefined ? (
          <p>
            Not recorded. An audit records it with <code>inputs: 'redacted'</code>.
          </p>
        ) : (
          <Foreign
            text={pretty(call.input)}
            mark={mark === undefined ? undefined : JSON.stringify(mark).slice(1, -1)}
            block
          />
        )}
        {call.inputDigest !== undefined && <Digest text={call.inputDigest} />}
      </Section>
      {standsFor.length > 0 && (
        <Section title="Rules take it for">
          <Foreign text={standsFor.join(', ')} />
        </Section>
      )}
      <Section title="Active skills">
        {active.length === 0 ? <p>None: no skill restricted this call.</p> : <ActiveSkills skills={active} />}
      </Section>
      {fork !== undefined && (
        <Section title="Sub-agent">
          <button type="button" onClick={() => navigate({ run: fork, step: undefined, call: undefined, view: 'run' })}>
            Show its run
          </button>
        </Section>
      )}
      <Section title="Events">
        <ul class="plain">
          {events.map((event, index) => (
            <EventLine key={index} event={event} />
          ))}
        </ul>
      </Section>
      <p class="actions">
        <Copy text={linkTo} label="Copy link" />
        <button type="button" onClick={() => navigate({ view: 'what-if' })}>
          What if…
        </button>
      </p>
    </>
  )
}

function Refusal({
  event,
  active,
  mark,
}: {
  readonly event: LogEvent
  readonly active: CallDetail['active']
  readonly mark: string | undefined
}) {
  const { refusedBy, code, reason, allowedTools, enforced } = event
  const skill =
    active.find(({ name }) => name === refusedBy?.skill) ??
    (event.skill?.name === refusedBy?.skill ? event.skill : undefined)
  return (
    <Section title={enforced ? 'Refused' : 'Advised against'}>
      <dl>
        {code !== undefined && <Fact name="code">{<code>{code}</code>}</Fact>}
        {refusedBy !== undefined && (
          <Fact name="by">
            <code>{refusedBy.by}</code>
          </Fact>
        )}
        {refusedBy?.rule !== undefined && (
          <Fact name="rule">
            <Foreign text={refusedBy.rule} />
          </Fact>
        )}
        {refusedBy?.skill !== undefined && (
          <Fact name="skill">
            <Foreign text={refusedBy.skill} />
            {skill?.digest !== undefined && <Digest text={skill.digest} />}
          </Fact>
        )}
        {mark !== undefined && (
          <Fact name="failed at">
            <mark>
              <Foreign text={mark} />
            </mark>
          </Fact>
        )}
      </dl>
      {reason !== undefined && <Foreign text={reason} mark={mark} block />}
      {allowedTools !== undefined && (
        <p>Allowed: {allowedTools.length === 0 ? 'nothing' : <Foreign text={allowedTools.join(', ')} />}</p>
      )}
    </Section>
  )
}

function Asked({ question: { asked, answered } }: { readonly question: Question }) {
  const consent = asked?.consent ?? answered?.consent
  const answer = answered?.consent
  return (
    <Section title="Question">
      {consent?.text === undefined ? <p>Its text is not recorded.</p> : <Foreign text={consent.text} block />}
      <dl>
        {consent?.about !== undefined && <Fact name="about">{<Foreign text={consent.about} />}</Fact>}
        <Fact name="answer">
          {answer?.answer === undefined ? (
            'none yet'
          ) : (
            <>
              <Foreign text={answer.answer} />
              {answer.by !== undefined && (
                <>
                  {' '}
                  by <Foreign text={answer.by} />
                </>
              )}
            </>
          )}
        </Fact>
        {answer?.reason !== undefined && (
          <Fact name="reason">
            <Foreign text={answer.reason} />
          </Fact>
        )}
        {consent?.digest !== undefined && (
          <Fact name="digest">
            <Digest text={consent.digest} />
          </Fact>
        )}
      </dl>
    </Section>
  )
}

function ActiveSkills({ skills }: { readonly skills: CallDetail['active'] }) {
  return (
    <ul class="plain">
      {skills.map(({ name, digest, layer, allowedTools }, index) => (
        <li key={index}>
          <Foreign text={name} /> <span class="quiet-text">{layer}</span>{' '}
          {digest !== undefined && <Digest text={digest} />}
          <div>
            {allowedTools === undefined ? (
              'restricts nothing'
            ) : (
              <Foreign text={allowedTools.join(' ') || 'allows nothing'} />
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

function StepPanel({ step }: { readonly step: StepDetail }) {
  const { number, at, model, active, shown, usage, changes, prompt, notes, questions } = step
  return (
    <>
      <h2>Step {number}</h2>
      <p class="facts">
        {model !== undefined && <Foreign text={model} />}
        <time dateTime={iso(at)}>{clock(at)}</time>
        {usage?.inputTokens !== undefined && (
          <span>
            {usage.inputTokens.toLocaleString('en-US')} tokens in, {(usage.outputTokens ?? 0).toLocaleString('en-US')}{' '}
            out
          </span>
        )}
      </p>
      {shown === undefined ? (
        <p>This log does not record what was shown in this step.</p>
      ) : (
        <ShownPanel shown={shown} active={active} />
      )}
      {changes !== undefined && <ChangesPanel changes={changes} />}
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
      <p class="actions">
        <Copy text={linkTo} label="Copy link" />
      </p>
    </>
  )
}

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
                {as}, {tokens} tokens
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
            <Foreign text={tool} /> is withheld by{' '}
            {skill === undefined ? "the host's policy" : <Foreign text={skill} />}
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
          {Object.entries(shown.tokens).map(([part, tokens]) => (
            <Fact key={part} name={part}>
              {String(tokens)}
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

function ChangesPanel({ changes }: { readonly changes: Changes }) {
  const lines = [
    ...changes.toolsAdded.map((name) => ['+ tool', name] as const),
    ...changes.toolsRemoved.map(
      ({ tool, skill }) => ['− tool', skill === undefined ? tool : `${tool} (by ${skill})`] as const,
    ),
    ...changes.skillsAdded.map((name) => ['+ skill', name] as const),
    ...changes.skillsRemoved.map(
      ({ name, why }) => ['− skill', why === undefined ? name : `${name} (${why})`] as const,
    ),
    ...changes.skillsChanged.map(({ name, from, to }) => ['skill', `${name}: ${from} → ${to}`] as const),
  ]
  return (
    <Section title="Changed since the step before">
      {lines.length === 0 && !changes.promptChanged && <p>Nothing.</p>}
      <ul class="plain">
        {lines.map(([what, text], index) => (
          <li key={index}>
            {what} <Foreign text={text} />
          </li>
        ))}
        {changes.promptChanged && <li>The prompt is another one.</li>}
      </ul>
    </Section>
  )
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

function EventLine({
  event: { type, outcome, at, code, reason, error, hook, durationMs },
}: {
  readonly event: LogEvent
}) {
  const said = reason ?? error ?? hook
  return (
    <li>
      <time dateTime={iso(at)}>{clock(at)}</time> <Foreign text={type} />{' '}
      <span class="quiet-text">
        {[outcome, code, durationMs === undefined ? undefined : `${durationMs} ms`].filter(Boolean).join(' · ')}
      </span>
      {said !== undefined && (
        <div>
          <Foreign text={said} />
        </div>
      )}
    </li>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Digest({ text }: { readonly text: string }) {
  return (
    <code class="digest" title={text}>
      sha256 {text.slice(0, 12)}
      {text.length > 12 ? '…' : ''}
    </code>
  )
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? ''
}

const LAST_TIME = 8.64e15

function iso(at: number): string {
  return new Date(Math.min(Math.max(at, -LAST_TIME), LAST_TIME)).toISOString()
}

function clock(at: number): string {
  return at === 0 ? 'no time' : iso(at).slice(11, 23)
}
