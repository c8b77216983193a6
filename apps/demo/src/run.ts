import type { AdapterDriver, WireRequest } from '@repertoire/conformance'
import type { FunctionTool, Repertoire } from '@repertoire/core'
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
  return { adapter: driver.name, requests: requests.map(received), runs, consents, ...end }

  async function converse(): Promise<{ readonly answer: string }> {
    const conversation = await driver.start({
      variant: variantOf(driver, assignment.stream),
      endpoint,
      repertoire,
      // No handler for consent: each framework asks in its own way, and is answered.
      session: { id: assignment.session, agent: 'demo', cwd: folder },
      instructions,
      tools: withRecording(assignment.tools, runs),
      maxSteps: assignment.maxSteps ?? MAX_STEPS,
    })
    try {
      let turn = await conversation.send(assignment.task)
      while (turn.status === 'asking') {
        const answers = []
        for (const request of turn.requests) {
          const answer = await assignment.decide(request)
          const { id: requestId, callId, text, skill = request.tool ?? '' } = request
          consents.push({ callId, skill, text, ...answer })
          answers.push({ requestId, ...answer })
        }
        turn = await conversation.answer(answers)
      }
      return { answer: turn.text }
    } finally {
      await conversation.end()
    }
  }
}

/** Returns the adapter's first variant, or its first one that streams. */
function variantOf({ variants }: AdapterDriver, stream: boolean): string {
  const [first] = variants
  return (stream ? (variants.find(({ name }) => /stream/i.test(name)) ?? first) : first).name
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
  return { system, tools, messages }
}
