import type { AdapterDriver, Capabilities, WireRequest } from '@repertoire/conformance'
import type { ConsentAnswer, ConsentRequest, FunctionTool, Repertoire } from '@repertoire/core'
import { failureText } from '@repertoire/core/adapter'
import type { AdapterRecord, Received } from './record.ts'

/** Answers a consent request. */
export type Decide = (request: ConsentRequest) => { readonly approved: boolean; readonly reason?: string }

/** The task of one adapter, and what it works with. */
export interface Assignment {
  readonly driver: AdapterDriver
  readonly endpoint: { readonly baseURL: string; readonly apiKey: string; readonly model: string }
  readonly repertoire: Repertoire
  readonly tools: readonly FunctionTool[]
  /** The folder that relative paths of the tools start from. */
  readonly folder: string
  readonly task: string
  readonly decide: Decide
}

/** The host's own system prompt, the same in every adapter. */
const INSTRUCTIONS = 'You are a careful assistant. Paths are relative to the working folder.'
const MAX_STEPS = 30

/** Runs one adapter on a task. Never rejects: an error is the record's failure. */
export async function runAdapter({
  driver,
  endpoint,
  repertoire,
  tools,
  folder,
  task,
  decide,
}: Assignment): Promise<Omit<AdapterRecord, 'requests' | 'run'>> {
  const toolRuns: AdapterRecord['toolRuns'][number][] = []
  const end = await converse().catch((error: unknown) => ({
    failure: failureText(error) || 'The adapter failed, and does not say why.',
  }))
  return { adapter: driver.name, ...(lacks(driver, 'hiding') && { hidesTools: false }), toolRuns, ...end }

  async function answer(request: ConsentRequest): Promise<ConsentAnswer> {
    return { requestId: request.id, ...decide(request) }
  }

  async function converse(): Promise<{ readonly answer: string }> {
    const conversation = await driver.start({
      variant: driver.variants[0].name,
      endpoint,
      repertoire,
      session: {
        id: driver.name,
        agent: 'demo',
        cwd: folder,
        // Frameworks that can wait for an answer ask in their own way.
        ...(lacks(driver, 'suspend') && { consent: answer }),
      },
      instructions: INSTRUCTIONS,
      tools: tools.map((tool) => ({
        ...tool,
        execute(input, options) {
          toolRuns.push({ callId: options.callId, tool: tool.name, input: structuredClone(input) })
          return tool.execute(input, options)
        },
      })),
      maxSteps: MAX_STEPS,
    })
    try {
      let turn = await conversation.send(task)
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

/** What a request shows. Frameworks may send results as they came: they are put in the order of their calls. */
export function received({ system, tools, messages }: WireRequest): Received {
  const places = new Map<string | undefined, number>()
  const placed = messages.map((message, index) => {
    for (const [at, { id }] of (message.calls ?? []).entries()) places.set(id, index + at + 1)
    return { message, place: (message.role === 'tool' ? places.get(message.callId) : undefined) ?? index }
  })
  return {
    system,
    tools,
    messages: placed.toSorted((one, other) => one.place - other.place).map((each) => each.message),
  }
}
