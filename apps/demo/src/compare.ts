import type { WireMessage } from '@repertoire/conformance'
import { DEFAULT_TOOL_NAMES } from '@repertoire/core'
import { eventsOf } from './events.ts'
import { jsonOrText } from './json-or-text.ts'
import type { AdapterRecord, Received } from './record.ts'
import { markOf } from './render/words.ts'

/** Whether some adapters agree, and on what. */
export interface Agreement {
  readonly agreed: boolean
  /** Counts of the first adapter, which are those of all adapters if they agree. */
  readonly counts: Counts
  readonly differences: readonly Difference[]
}

/** Requests, and the calls by the mark that the timeline shows for them. */
interface Counts {
  readonly requests: number
  /** Calls marked `✓ ran`: host tools and skill scripts. */
  readonly ran: number
  /** Calls marked `✗ refused`. */
  readonly refused: number
  /** Calls marked `✗ denied`: the answer to a consent request was no. */
  readonly denied: number
}

/** One thing that is not the same in all adapters. */
export interface Difference {
  /** `request 4: result of call_3_1`. */
  readonly where: string
  /** Adapters with the same value; the value is absent if there is nothing. */
  readonly groups: readonly { readonly adapters: readonly string[]; readonly value?: string }[]
}

/** Compares whole runs: everything that a model was shown, every tool that ran, and the files that are left. */
export function compareRuns(records: readonly AdapterRecord[]): Agreement {
  return agreement(records, (record) => [
    ...changesOf(record),
    ...record.runs.map(({ callId, tool, input }): Fact => [`run of ${tool} (${callId})`, input]),
    ...record.consents.map(({ callId, ...consent }): Fact => [`consent for ${callId}`, consent]),
    ...Object.entries(record.files ?? {}).map(([path, content]): Fact => [`file ${path}`, content]),
    ['answer', record.answer],
  ])
}

/** Compares what was listed and offered in the first request: a live model decides differently each time after that. */
export function compareListings(records: readonly AdapterRecord[]): Agreement {
  return agreement(records, ({ requests, ...record }) => changesOf({ ...record, requests: requests.slice(0, 1) }))
}

/** Compares runs in a sandbox, and what scripts printed there with what they printed in the story. */
export function compareSandbox(records: readonly AdapterRecord[], story: readonly AdapterRecord[]): Agreement {
  const compared = compareRuns(records)
  const inSandbox = [...new Set(records.flatMap(scriptOutputs))]
  const inStory = [...new Set(story.flatMap(scriptOutputs))]
  if (inSandbox.length === 1 && inSandbox[0] === inStory[0]) return compared
  const where = 'what the script printed'
  const groups = [
    { adapters: ['in the sandbox'], value: inSandbox.join('\n') },
    { adapters: ['in the story'], value: inStory.join('\n') },
  ]
  return { ...compared, agreed: false, differences: [...compared.differences, { where, groups }] }
}

/** What the model was shown of the scripts of skills that ran. */
function scriptOutputs(record: AdapterRecord): readonly string[] {
  return eventsOf(record).flatMap((event) =>
    event.type === 'call' && event.tool === DEFAULT_TOOL_NAMES.runScript && event.outcome.kind === 'done'
      ? (event.shown ?? [])
      : [],
  )
}

/** A value and its position. Undefined: nothing. */
type Fact = readonly [where: string, value: unknown]

function agreement(records: readonly AdapterRecord[], factsOf: (record: AdapterRecord) => readonly Fact[]): Agreement {
  const [first] = records
  if (first === undefined) throw new TypeError('There is no record to compare.')
  const facts = records.map((record) => ({ ...record, values: new Map(factsOf(record).map(asText)) }))
  const places = new Set(facts.flatMap(({ values }) => [...values.keys()]))
  const differences = [...places].flatMap((where) => {
    const groups = new Map<string | undefined, string[]>()
    for (const { adapter, values, hidesTools } of facts) {
      if (hidesTools === false && isOffer(where)) continue
      const value = values.get(where)
      groups.set(value, [...(groups.get(value) ?? []), adapter])
    }
    if (groups.size <= 1) return []
    return [{ where, groups: [...groups].map(([value, adapters]) => ({ adapters, value })) }]
  })
  const marks = eventsOf(first).flatMap((event) => (event.type === 'call' ? markOf(event).text : []))
  const marked = (text: string): number => marks.filter((mark) => mark === text).length
  return {
    agreed: differences.length === 0,
    counts: {
      requests: first.requests.length,
      ran: marked('✓ ran'),
      refused: marked('✗ refused'),
      denied: marked('✗ denied'),
    },
    differences,
  }
}

/** Texts are compared as they are; otherwise the order of keys does not matter. */
function asText([where, value]: Fact): [string, string | undefined] {
  if (typeof value === 'string' || value === undefined) return [where, value]
  return [where, JSON.stringify(value, keysInOrder)]
}

function keysInOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function changesOf({ requests, hidesTools }: AdapterRecord): readonly Fact[] {
  const facts = requests.flatMap((request, index) => changesIn(request, requests[index - 1], index + 1))
  return hidesTools === false ? facts.filter(([where]) => !isOffer(where)) : facts
}

/** Whether a fact is about the tools that a request offers. */
function isOffer(where: string): boolean {
  return /^request \d+: tools?(?: |$)/.test(where)
}

/**
 * What a request shows that the one before it did not. That is enough, since runs with the same news throughout have
 * the same requests; and a deviation is reported once, where it began.
 */
function changesIn(request: Received, before: Received | undefined, number: number): readonly Fact[] {
  const old = new Map(before === undefined ? [] : factsIn(before).map(asText))
  const now = factsIn(request)
  const gone = [...old.keys()].filter((where) => !now.some(([other]) => other === where))
  const changed = now.filter((fact) => old.get(fact[0]) !== asText(fact)[1])
  return [...changed, ...gone.map((where): Fact => [where, 'gone'])].map(([where, value]) => [
    `request ${number}: ${where}`,
    value,
  ])
}

function factsIn({ system, tools, messages }: Received): readonly Fact[] {
  const called = new Map(messages.flatMap(({ calls = [] }) => calls.map(({ id, tool }) => [id, tool])))
  return [
    ['system prompt', system],
    ['tools', tools.map(({ name }) => name)],
    ...tools.map(({ name, description, inputSchema }): Fact => {
      // Some frameworks add the dialect of JSON Schema.
      const { $schema: _, ...schema } = inputSchema
      return [`tool ${name}`, { description, inputSchema: schema }]
    }),
    ...messages.map((message, index): Fact => [titleOf(message, index + 1, called), contentOf(message)]),
  ]
}

function titleOf({ role, callId }: WireMessage, number: number, called: ReadonlyMap<string, string>): string {
  if (callId === undefined) return `message ${number}, of the ${role}`
  return `message ${number}, result of ${called.get(callId) ?? 'nothing'} (${callId})`
}

/** Frameworks parse and serialise arguments: only their values are compared. */
function contentOf({ text, calls }: WireMessage): unknown {
  if (calls === undefined) return text
  return { text, calls: calls.map((call) => ({ ...call, arguments: jsonOrText(call.arguments) })) }
}
