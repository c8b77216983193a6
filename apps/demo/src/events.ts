import type { WireMessage } from '@repertoire/conformance'
import { DEFAULT_TOOL_NAMES } from '@repertoire/core'
import { jsonOrText } from './json-or-text.ts'
import type { AdapterRecord, Consent, Received } from './record.ts'

/** The events of one run, in order, reconstructed from the requests and from the tools that ran. */
export type DemoEvent = OfferEvent | SayEvent | CallEvent

/** The offered tools: at the first request, and after every change. */
export interface OfferEvent {
  readonly type: 'offer'
  /** The request, from 1. */
  readonly step: number
  readonly skills: readonly string[]
  readonly tools: readonly string[]
  /** Tools that the request before this one did not offer; at the first request none. */
  readonly shown: readonly string[]
  /** Tools that the request before this one did offer. */
  readonly hidden: readonly string[]
}

/** The model wrote a text. */
interface SayEvent {
  readonly type: 'say'
  readonly step: number
  readonly text: string
}

/** The model called a tool. */
export interface CallEvent {
  readonly type: 'call'
  readonly step: number
  readonly callId: string
  readonly tool: string
  /** As the model wrote it; a text if it is not JSON. */
  readonly input: unknown
  /** Whether the tool was offered to the model in that step. */
  readonly offered: boolean
  readonly outcome: Outcome
  /** The result that the model was shown, if any. */
  readonly shown?: string
  readonly consent?: Consent
}

/**
 * `ran`: a host tool that really ran. `done`: a skill tool that was carried out. `refused`: nothing ran, and the model
 * was told why. `lost`: nothing ran, and no refusal of ours was shown.
 */
type Outcome =
  | { readonly kind: 'ran' }
  | { readonly kind: 'done' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }

const SKILL_TOOLS: ReadonlySet<string> = new Set(Object.values(DEFAULT_TOOL_NAMES))

/** Returns the events of a run. */
export function eventsOf(record: AdapterRecord): readonly DemoEvent[] {
  const { requests } = record
  const runs = record.runs.map(({ callId }) => callId)
  const events: DemoEvent[] = []
  let before: OfferEvent | undefined
  for (const [index, request] of requests.entries()) {
    const offer = offerOf(request, index + 1, before)
    if (before === undefined || !isSameOffer(before, offer)) events.push(offer)
    before = offer
    // What the model answered is seen in the next request only; its last answer is the run's.
    const added = requests[index + 1]?.messages.slice(request.messages.length) ?? []
    for (const message of added) events.push(...eventsIn(message, added, offer, record.consents, runs))
  }
  return events
}

function eventsIn(
  { role, text, calls = [] }: WireMessage,
  added: readonly WireMessage[],
  { step, tools }: OfferEvent,
  consents: readonly Consent[],
  runs: string[],
): readonly DemoEvent[] {
  if (role !== 'assistant') return []
  const said: readonly DemoEvent[] = text.trim() === '' ? [] : [{ type: 'say', step, text }]
  const called = calls.map(({ id: callId, tool, arguments: written }): CallEvent => {
    const shown = added.find((message) => message.callId === callId)?.text
    // Some endpoints use an id again in a later step, so that each run counts once.
    const run = runs.indexOf(callId)
    if (run !== -1) runs.splice(run, 1)
    const consent = consents.find((asked) => asked.callId === callId)
    return {
      type: 'call',
      step,
      callId,
      tool,
      input: jsonOrText(written),
      offered: tools.includes(tool),
      outcome: outcomeOf(tool, shown, run !== -1),
      shown,
      consent,
    }
  })
  return [...said, ...called]
}

function outcomeOf(tool: string, shown: string | undefined, hasRun: boolean): Outcome {
  if (hasRun) return { kind: 'ran' }
  const refusal = shown === undefined ? undefined : refusalIn(shown)
  if (refusal !== undefined) return { kind: 'refused', ...refusal }
  return { kind: SKILL_TOOLS.has(tool) && shown !== undefined ? 'done' : 'lost' }
}

/** The refusal in a text that a model was shown as a result, as core words them. */
function refusalIn(shown: string): { readonly code: string; readonly reason: string } | undefined {
  const value = jsonOrText(shown)
  if (typeof value !== 'object' || value === null || !('error' in value)) return undefined
  const { error } = value
  if (typeof error !== 'object' || error === null || !('code' in error) || !('reason' in error)) return undefined
  const { code, reason } = error
  return typeof code === 'string' && typeof reason === 'string' ? { code, reason } : undefined
}

function offerOf({ system, tools }: Received, step: number, before?: OfferEvent): OfferEvent {
  const names = tools.map(({ name }) => name)
  const earlier = before?.tools ?? names
  return {
    type: 'offer',
    step,
    skills: listedSkills(system),
    tools: names,
    shown: names.filter((name) => !earlier.includes(name)),
    hidden: earlier.filter((name) => !names.includes(name)),
  }
}

function isSameOffer(before: OfferEvent, { skills, shown, hidden }: OfferEvent): boolean {
  return shown.length === 0 && hidden.length === 0 && skills.join('\n') === before.skills.join('\n')
}

/** The names in the list of skills in the system prompt. */
function listedSkills(system: string): readonly string[] {
  const [, list = ''] = /^When a task fits a skill.*\n([^]*)/m.exec(system) ?? []
  return [...list.matchAll(/^- ([^:]+): /gm)].map(([, name = '']) => name)
}
