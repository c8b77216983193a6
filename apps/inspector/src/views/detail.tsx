import type { CallDetail } from '../model/detail.ts'
import type { LogEvent } from '../model/event.ts'
import { jsonText } from '../model/words.ts'
import { Asked, clock, Digest, EventLine, Fact, iso, Section } from '../parts/facts.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { Status } from '../parts/status.tsx'
import { closeDetail, detail, navigate } from '../state.ts'
import { StepPanel } from './step-detail.tsx'

/** All that is known of a step or a call. */
export function Detail() {
  const shown = detail.value
  return (
    <aside class="detail" aria-label="Detail" tabIndex={-1} hidden={shown === undefined}>
      <button type="button" class="close" onClick={closeDetail}>
        Close
      </button>
      {shown?.kind === 'call' && <CallPanel call={shown.call} place={shown.place} />}
      {shown?.kind === 'step' && <StepPanel step={shown.step} />}
    </aside>
  )
}

function CallPanel({ call, place }: { readonly call: CallDetail; readonly place: number }) {
  const { tool, subject, status, advised, refusal, questions, standsFor, active, events, fork } = call
  return (
    <>
      <h2>
        <Foreign text={subject === '' ? tool : subject} />
      </h2>
      <p class="facts">
        <Status status={advised ? 'against the rules' : status} />
        <button type="button" class="link" onClick={() => navigate({ step: place, call: undefined })}>
          step {call.step}
        </button>
        {call.ms > 0 && <span>{call.ms.toLocaleString('en-US')} ms</span>}
        <time dateTime={iso(call.at)}>{clock(call.at)}</time>
      </p>
      {refusal !== undefined && <Refusal event={refusal} active={active} />}
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
          <Foreign text={jsonText(call.input, 2)} block />
        )}
        {call.inputDigest !== undefined && <Digest text={call.inputDigest} />}
      </Section>
      {standsFor !== undefined && (
        <Section title="Rules take it for">
          <Foreign text={standsFor} />
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
            <EventLine key={index} event={event === refusal ? { ...event, reason: undefined } : event} />
          ))}
        </ul>
      </Section>
    </>
  )
}

function Refusal({ event, active }: { readonly event: LogEvent; readonly active: CallDetail['active'] }) {
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
      </dl>
      {reason !== undefined && <Foreign text={reason} block />}
      {allowedTools !== undefined && (
        <p>Allowed: {allowedTools.length === 0 ? 'nothing' : <Foreign text={allowedTools.join(', ')} />}</p>
      )}
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
