import type { ConsentHandler, Repertoire, Session, SessionProblem } from '@repertoire/core'
import { readAudit } from '@repertoire/core/node'
import type { AdapterSession, Step } from '@repertoire/core/adapter'

type Log = (...values: readonly unknown[]) => void

export function whyNotShown(repertoire: Repertoire, log: Log): void {
  log(repertoire.explain('pdf-forms', { viewer: { agent: 'coder' } }).text)
}

export function whatIsWrong(repertoire: Repertoire, log: Log): void {
  for (const { code, path, line, message, hint } of repertoire.catalog.diagnostics) {
    log(`${path}:${line ?? 1} ${code} ${message} ${hint ?? ''}`)
  }
}

export async function whatWasCut(session: AdapterSession, log: Log): Promise<void> {
  const { cuts } = await session.step({ tools: ['Read', 'Bash'] })
  log(cuts.dropped, cuts.withoutDescription, `${cuts.tokens} of ${cuts.budget} tokens`)
}

export async function whyNotActivated(session: Session, log: Log): Promise<void> {
  const outcome = await session.activate('pdf-forms', { args: '' })
  if (!outcome.ok) log(outcome.refusal.code, outcome.refusal.reason)
}

export async function whyRefused(session: AdapterSession, log: Log): Promise<void> {
  const { refusal: refused } = await session.preview({ id: 'try', tool: 'Bash', input: { command: 'git push' } })
  log(refused?.refusal.code, refused?.refusal.reason, refused?.refusal.allowedTools)
}

export function whatIsActive(session: AdapterSession, log: Log): void {
  const { active, granted, open } = session.state
  log(
    active.map(({ name, rules }) => ({ name, rules })),
    granted,
    open,
  )
}

export async function whatWasRefused(log: Log, path = 'audit.jsonl'): Promise<void> {
  for await (const { session, outcome, tool, code, reason } of readAudit(path)) {
    if (outcome === 'refused') log(session, tool, code, reason)
  }
}

export function whyAskedAgain(session: () => AdapterSession, log: Log): ConsentHandler {
  return (request) => {
    const earlier = session().state.granted.filter(({ skill }) => skill === request.skill)
    log(request.skill, { now: request.digest, earlier: earlier.map(({ digest }) => digest) })
    return true
  }
}

export async function whatIsLost(step: Step, sent: string, log: Log): Promise<void> {
  const lost = await step.reminder((text) => sent.includes(text))
  log(lost === undefined ? 'everything is there' : lost)
}

export function openLogged(repertoire: Repertoire, log: Log): Session {
  const onProblem = ({ code, skill, message }: SessionProblem): void => log(code, skill, message)
  return repertoire.openSession({ consent: () => true, onProblem })
}
