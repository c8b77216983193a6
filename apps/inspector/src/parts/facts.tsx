import type { ComponentChildren } from 'preact'
import type { LogEvent } from '../model/event.ts'
import type { Question } from '../model/run.ts'
import { Foreign } from './foreign.tsx'

/** A part of the panel. */
export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

/** A question for consent, and its answer. */
export function Asked({ question: { asked, answered } }: { readonly question: Question }) {
  const consent = asked?.consent ?? answered?.consent
  const answer = answered?.consent
  return (
    <Section title="Question">
      {consent?.text === undefined ? <p>Its text is not recorded.</p> : <Foreign text={consent.text} block />}
      <dl>
        {consent?.about !== undefined && <Fact name="about">{<Foreign text={consent.about} />}</Fact>}
        <Fact name="answer">
          {answer?.answer === undefined ? (
            noAnswer(answer)
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

function noAnswer(answer: LogEvent['consent']): string {
  return answer === undefined ? 'none yet' : 'none: the run went on or ended without it'
}

/** An event in one line. */
export function EventLine({
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

/** A name and what it has, inside `dl`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** A digest, shortened. */
export function Digest({ text }: { readonly text: string }) {
  return (
    <code class="digest" title={text}>
      sha256 {text.slice(0, 12)}
      {text.length > 12 ? '…' : ''}
    </code>
  )
}

const LAST_TIME = 8.64e15

/** A time as machines read it. */
export function iso(at: number): string {
  return new Date(Math.min(Math.max(at, -LAST_TIME), LAST_TIME)).toISOString()
}

/** A time as people read it. */
export function clock(at: number): string {
  return at === 0 ? 'no time' : iso(at).slice(11, 23)
}
