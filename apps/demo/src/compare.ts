import { type ComparedRow, compareRuns } from '@repertoire/inspector/compare'
import type { AdapterRecord, Received } from './record.ts'

/** Whether adapters did the same, and where they did not. */
export interface Agreement {
  readonly agreed: boolean
  /** The rows of the inspector. */
  readonly rows: readonly ComparedRow[]
  /** What else is not the same: words that the model was shown, tools that ran, files on disk, the answer. */
  readonly differences: readonly Difference[]
}

/** One thing that is not the same in all adapters. */
interface Difference {
  /** `request 4: messages`. */
  readonly where: string
  /** The adapters, in groups with the same value. */
  readonly groups: readonly (readonly string[])[]
}

/** Compares whole runs: the audits row by row, and everything else word for word. */
export function compareRecords(records: readonly AdapterRecord[]): Agreement {
  const rows = compareAudits(records)
  const facts = records.map((record) => ({ ...record, values: factsOf(record) }))
  const places = new Set(facts.flatMap(({ values }) => [...values.keys()]))
  const differences = [...places].flatMap((where) => {
    const compared = facts.filter(({ hidesTools }) => hidesTools !== false || !where.endsWith(': tools'))
    const groups = [...Map.groupBy(compared, ({ values }) => values.get(where)).values()]
    return groups.length <= 1 ? [] : [{ where, groups: groups.map((group) => group.map(({ adapter }) => adapter)) }]
  })
  return {
    agreed: differences.length === 0 && rows.every((row) => row.length === 1),
    rows,
    differences,
  }
}

/** Compares the audits alone. If a framework cannot hide tools, no list of tools is compared. */
export function compareAudits(records: readonly AdapterRecord[]): readonly ComparedRow[] {
  const areOffersCompared = records.every(({ hidesTools }) => hidesTools !== false)
  const runs = records.map(({ run }) =>
    areOffersCompared
      ? run
      : {
          steps: run.steps.map((step) => ({
            ...step,
            shown: step.shown && { ...step.shown, tools: [], withheld: [] },
          })),
        },
  )
  return compareRuns(runs)
}

/** Values by their places. Of a request, only what the request before it did not have. */
function factsOf({ requests, toolRuns, files = {}, answer }: AdapterRecord): ReadonlyMap<string, string> {
  const facts: [string, unknown][] = [
    ['tools that ran', toolRuns.toSorted((one, other) => (one.callId < other.callId ? -1 : 1))],
    ['answer', answer],
    ...Object.entries(files).map(([path, content]): [string, unknown] => [`file ${path}`, content]),
    ...requests.flatMap(({ system, tools, messages }, index): [string, unknown][] => [
      [`request ${index + 1}: system prompt`, system],
      [`request ${index + 1}: tools`, tools.map(plainTool)],
      [`request ${index + 1}: messages`, messages.slice(requests[index - 1]?.messages.length ?? 0).map(plainMessage)],
    ]),
  ]
  return new Map(facts.map(([where, value]) => [where, JSON.stringify(value, keysInOrder) ?? '']))
}

/** Some frameworks add the dialect of JSON Schema. */
function plainTool({ name, description, inputSchema }: Received['tools'][number]): object {
  return { name, description, inputSchema: { ...inputSchema, $schema: undefined } }
}

/** Frameworks parse and serialise arguments: only their values are compared. */
function plainMessage({ calls = [], ...message }: Received['messages'][number]): object {
  return { ...message, calls: calls.map((call) => ({ ...call, arguments: jsonOrText(call.arguments) })) }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function keysInOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
