import type { AdapterDriver, Capabilities, Variant, WireRequest } from '@repertoire/conformance'
import type { ConsentAnswer, ConsentRequest, FunctionTool, Repertoire } from '@repertoire/core'
import { failureText } from '@repertoire/core/adapter'
import type { Decide } from './consent.ts'
import type { AdapterRecord, Consent, Received, Run } from './record.ts'

/** The task of one adapter, and what it works with. */
export interface Assignment {
  readonly driver: AdapterDriver
  /** Uses the adapter's streaming. */
  readonly stream: boolean
  readonly endpoint: { readonly baseURL: string; readonly apiKey: string; readonly model: string }
  /** The requests to that endpoint: grows while the adapter works. */
  readonly requests: readonly WireRequest[]
  readonly repertoire: Repertoire
  readonly tools: readonly FunctionTool[]
  /** The session's id. Default: random. */
  readonly session?: string
  /** The folder that relative paths of the tools start from. */
  readonly folder: string
  readonly instructions: string
  readonly task: string
  readonly decide: Decide
  /** Aborts the run if the adapter's model cannot be reached. */
  readonly signal?: AbortSignal
  /** Model calls. Default 30. */
  readonly maxSteps?: number
}

const MAX_STEPS = 30

/** Runs one adapter on a task. Never rejects: errors are in the record. */
export async function runAdapter(assignment: Assignment): Promise<AdapterRecord> {
  const { driver, endpoint, requests, repertoire, folder, instructions } = assignment
  const runs: Run[] = []
  const consents: Consent[] = []
  const end = await converse().catch((error: unknown) => ({
    failure: failureText(error) || 'The adapter failed, and does not say why.',
  }))
  return {
    adapter: driver.name,
    ...(lacks(driver, 'hiding') && { hidesTools: false }),
    requests: requests.map(received),
    runs,
    consents,
    ...end,
  }

  async function answer(request: ConsentRequest): Promise<ConsentAnswer> {
    const decision = await assignment.decide(request)
    const { id: requestId, callId, text, skill = request.tool ?? '' } = request
    consents.push({ callId, skill, text, ...decision })
    return { requestId, ...decision }
  }

  async function converse(): Promise<{ readonly answer: string }> {
    const conversation = await driver.start({
      variant: variantOf(driver, assignment.stream).name,
      endpoint,
      repertoire,
      session: {
        id: assignment.session,
        agent: 'demo',
        cwd: folder,
        // Frameworks that can wait for an answer ask in their own way.
        ...(lacks(driver, 'suspend') && { consent: answer }),
      },
      instructions,
      tools: withRecording(assignment.tools, runs),
      maxSteps: assignment.maxSteps ?? MAX_STEPS,
    })
    try {
      let turn = await conversation.send(assignment.task)
      while (turn.status === 'asking') {
        const answers = []
        for (const request of turn.requests) answers.push(await answer(request))
        turn = await conversation.answer(answers)
      }
      return { answer: turn.text }
    } finally {
      await conversation.end()
    }
  }
}

function lacks({ capabilities }: AdapterDriver, name: keyof Capabilities): boolean {
  const declared = capabilities[name]
  return declared !== true && 'absent' in declared
}

/** Returns the adapter's first variant, or its first one that streams. */
export function variantOf({ variants }: AdapterDriver, stream: boolean): Variant {
  const [first] = variants
  return stream ? (variants.find(({ name }) => /stream/i.test(name)) ?? first) : first
}

function withRecording(tools: readonly FunctionTool[], runs: Run[]): readonly FunctionTool[] {
  return tools.map((tool) => ({
    ...tool,
    execute(input, options) {
      runs.push({ callId: options.callId, tool: tool.name, input: structuredClone(input) })
      return tool.execute(input, options)
    },
  }))
}

function received({ system, tools, messages }: WireRequest): Received {
  return { system, tools, messages: inOrderOfCalls(messages) }
}

/** Frameworks that run the calls of one message side by side may send the results as they came. */
function inOrderOfCalls(messages: WireRequest['messages']): WireRequest['messages'] {
  const places = new Map<string | undefined, number>()
  const placed = messages.map((message, index) => {
    for (const [at, { id }] of (message.calls ?? []).entries()) places.set(id, index + at + 1)
    return { message, place: (message.role === 'tool' ? places.get(message.callId) : undefined) ?? index }
  })
  return placed.toSorted((one, other) => one.place - other.place).map(({ message }) => message)
}
