import type { LogEvent, Shown } from './event.ts'

/** What became of a call. */
export type CallStatus = 'running' | 'ran' | 'failed' | 'refused' | 'asked' | 'aborted'

/** One call of the model's. */
export interface Call {
  /** Its place in the run's calls. */
  readonly index: number
  readonly id: string
  /** The place of its step in the run's steps. */
  readonly step: number
  readonly at: number
  tool: string
  status: CallStatus
  /** It ran, although the rules that only advise do not permit it. */
  advised: boolean
  readonly events: LogEvent[]
  /** The event that decided: the refusal, or the call's end. */
  decision: LogEvent | undefined
  /** From its first event to its last, in milliseconds. */
  ms: number
}

/** What happened between two requests to the model. */
export interface Step {
  /** As the log counts it; from 1. */
  readonly number: number
  readonly at: number
  model: string | undefined
  shown: Shown | undefined
  readonly calls: Call[]
  /** Events without a call. */
  readonly notes: LogEvent[]
  /** Calls by their places in the run, and notes by `~` of their places here, as they came. */
  readonly order: number[]
  usage: LogEvent['usage']
  /** Names of the skills that were active when it began. */
  active: readonly string[]
}

/** One session of a log. */
export interface Run {
  /** For links; the session's id, with a number where two logs have the same one. */
  readonly id: string
  readonly session: string
  readonly log: string
  parent: string | undefined
  /** Ids by session. */
  readonly forks: Map<string, string>
  readonly agent: string | undefined
  readonly models: Set<string>
  readonly steps: Step[]
  readonly calls: Call[]
  /** All of them, in order. */
  readonly events: LogEvent[]
  /** Changes with every event. */
  add(event: LogEvent): void
}

/** Creates a run from its first event, which is not added yet. */
export function createRun(id: string, log: string, first: LogEvent): Run {
  const { session, agent } = first
  const open = new Map<string, Call>()
  const run: Run = {
    id,
    session,
    log,
    parent: undefined,
    forks: new Map(),
    agent,
    models: new Set(),
    steps: [],
    calls: [],
    events: [],
    add,
  }

  function add(event: LogEvent): void {
    run.events.push(event)
    if (event.model !== undefined) run.models.add(event.model)
    const step = stepOf(event)
    if (event.type === 'model.called') {
      step.usage = event.usage
      step.model = event.model
    }
    if (event.type === 'skills.shown') return
    if (event.callId === undefined) step.order.push(~(step.notes.push(event) - 1))
    else addToCall(event, event.callId, step)
  }

  function stepOf(event: LogEvent): Step {
    const last = run.steps.at(-1)
    const { shown } = event
    if (event.type === 'skills.shown' && shown !== undefined) {
      if (last !== undefined && (last.shown?.step === shown.step || isEmpty(last))) {
        const step = last.shown === undefined ? replaceLast(shown.step, event) : last
        step.shown = shown
        return step
      }
      return addStep(shown.step, event, shown)
    }
    return last ?? addStep(1, event)
  }

  /** What was written before the first step belongs to it. */
  function replaceLast(number: number, event: LogEvent): Step {
    const last = run.steps.pop()
    const step = addStep(number, event)
    if (last !== undefined) {
      step.notes.push(...last.notes)
      step.calls.push(...last.calls)
      step.order.push(...last.order)
    }
    return step
  }

  function addStep(number: number, event: LogEvent, shown?: Shown): Step {
    const { at: time, model, skills } = event
    const active = skills.map(({ name }) => name)
    const step: Step = { number, at: time, model, shown, calls: [], notes: [], order: [], usage: undefined, active }
    run.steps.push(step)
    return step
  }

  function addToCall(event: LogEvent, callId: string, step: Step): void {
    const known = open.get(callId)
    const place = run.steps.length - 1
    const isSame = known !== undefined && (known.step === place || !isSettled(known) || !begins(event))
    const call = isSame ? known : addCall(event, callId, step, place)
    call.events.push(event)
    call.ms = Math.max(0, event.at - call.at)
    if (event.tool !== undefined && call.tool === '') call.tool = event.tool
    decide(call, event)
  }

  function addCall(event: LogEvent, callId: string, step: Step, place: number): Call {
    const call: Call = {
      index: run.calls.length,
      id: callId,
      step: place,
      at: event.at,
      tool: event.tool ?? '',
      status: 'running',
      advised: false,
      events: [],
      decision: undefined,
      ms: 0,
    }
    run.calls.push(call)
    step.calls.push(call)
    step.order.push(call.index)
    open.set(callId, call)
    return call
  }

  return run
}

/** What was shown last before a step. */
export function shownBefore({ steps }: Pick<Run, 'steps'>, place: number): Shown | undefined {
  for (let at = place - 1; at >= 0; at--) if (steps[at]?.shown !== undefined) return steps[at]?.shown
  return undefined
}

function isEmpty(step: Step): boolean {
  return step.shown === undefined && step.usage === undefined
}

function isSettled(call: Call): boolean {
  return call.status !== 'running' && call.status !== 'asked'
}

/** Whether an event can be the first of a call. */
function begins({ type, outcome }: LogEvent): boolean {
  return outcome === 'started' || outcome === 'refused' || type === 'consent.asked'
}

/** Events beside the call itself: they do not say how it ended. */
const BESIDE = /^(?:hook|model|window)\.|^tool\.late$|^skills\.matched$/

function decide(call: Call, event: LogEvent): void {
  const { type, outcome } = event
  if (BESIDE.test(type)) return
  if (type === 'consent.asked') {
    call.status = 'asked'
    return
  }
  if (type === 'consent.answered') {
    // An adapter whose framework drops a denied call writes nothing else about it.
    call.status = event.consent?.answer === 'yes' ? 'running' : event.consent?.answer === 'no' ? 'refused' : 'aborted'
    if (call.status !== 'running') call.decision = event
    return
  }
  const status = STATUS.get(outcome)
  if (status === undefined) return
  if (outcome === 'allowed') {
    call.advised = true
    return
  }
  call.status = status
  if (outcome !== 'started') call.decision = event
}

const STATUS: ReadonlyMap<string, CallStatus> = new Map([
  ['started', 'running'],
  ['succeeded', 'ran'],
  ['failed', 'failed'],
  ['refused', 'refused'],
  ['aborted', 'aborted'],
  ['suspended', 'asked'],
  ['allowed', 'running'],
])

/** The code of a call's refusal. An answer that refuses it has no code. */
export function codeOf({ status, decision }: Call): string {
  if (status !== 'refused' || decision === undefined) return ''
  const { code, consent } = decision
  return code ?? (consent?.about === 'call' ? 'CALL_DENIED' : consent === undefined ? '' : 'CONSENT_DENIED')
}

/** Counts calls by how they ended. Every view and the demo count like this. */
export function countCalls({ calls }: Pick<Run, 'calls'>): Record<'ran' | 'refused' | 'failed' | 'asked', number> {
  const counted = (is: (call: Call) => boolean): number => calls.filter(is).length
  return {
    ran: counted(({ status }) => status === 'ran'),
    refused: counted(({ status }) => status === 'refused'),
    failed: counted(({ status }) => status === 'failed' || status === 'aborted'),
    asked: counted(wasAsked),
  }
}

/** Whether a person was asked about a call. */
export function wasAsked({ events }: Call): boolean {
  return events.some(({ type, outcome }) => type === 'consent.asked' || outcome === 'suspended')
}

/** The questions of a call, with the answer to each. */
export interface Question {
  readonly asked: LogEvent | undefined
  readonly answered: LogEvent | undefined
}

/** Pairs the questions of some events with their answers. A request that is asked again after its answer is new. */
export function questionsOf(events: readonly LogEvent[]): readonly Question[] {
  const questions: { asked: LogEvent | undefined; answered: LogEvent | undefined }[] = []
  const latest = new Map<string, (typeof questions)[number]>()
  for (const event of events) {
    if (event.consent === undefined) continue
    const { request } = event.consent
    let question = latest.get(request)
    if (question === undefined || question.answered !== undefined) {
      question = { asked: undefined, answered: undefined }
      questions.push(question)
      latest.set(request, question)
    }
    if (event.type === 'consent.answered') question.answered = event
    else question.asked = event
  }
  return questions
}
