import { lastResult, type ModelEndpoint, openModelEndpoint, type Play, type ScriptStep } from '@repertoire/conformance'
import {
  type AuditEvent,
  type FunctionTool,
  memorySource,
  openRepertoire,
  type Repertoire,
  type RepertoireOptions,
  type Session,
  type SessionOptions,
} from '@repertoire/core'
import { afterAll, beforeAll } from 'vitest'
import { textDialect } from '../src/conformance/dialect.ts'
import {
  createReActLoop,
  type LoopEvent,
  type LoopResult,
  type Message,
  openAICompatible,
  type ReActLoop,
  type ReActLoopOptions,
  type RunOptions,
} from '../src/index.ts'

export { activate, call } from '@repertoire/conformance'

/** One way of using the loop. */
export interface Way {
  readonly protocol: 'native' | 'text'
  readonly streamed: boolean
}

/** Every way of using the loop, for `describe.each`. */
export const ways: readonly (readonly [string, Way])[] = (['native', 'text'] as const).flatMap((protocol) =>
  [false, true].map((streamed) => [`${protocol}${streamed ? ', streamed' : ''}`, { protocol, streamed }] as const),
)

const skill = (name: string, body: string, allowed?: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: About ${name}.\n${allowed === undefined ? '' : `allowed-tools: ${allowed}\n`}---\n${body}\n`,
})

/** Two skills: `reading` allows `Read` alone, `free` restricts nothing. */
const skills = memorySource({
  layer: 'project',
  skills: { reading: skill('reading', 'Read slowly.', 'Read'), free: skill('free', 'Do as you like.') },
})

/** A tool that notes its inputs and answers with `execute`, by default with its name. */
export function tool(name: string, execute?: FunctionTool['execute']): FunctionTool & { readonly inputs: unknown[] } {
  const inputs: unknown[] = []
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: {} },
    inputs,
    execute(input, options) {
      inputs.push(input)
      return execute === undefined ? `${name} ran` : execute(input, options)
    },
  }
}

/** An agent with a scripted model. */
export interface Agent {
  readonly play: Play
  readonly repertoire: Repertoire
  readonly session: Session
  readonly loop: ReActLoop
  /** Runs it in its way, and collects what happened. */
  run(input: string | readonly Message[], options?: RunOptions): Promise<LoopResult>
  readonly events: LoopEvent[]
  readonly audit: readonly AuditEvent[]
  /** What the model was shown as the result of a call. */
  resultOf(callId: string): string
}

export interface AgentOptions extends Omit<Partial<ReActLoopOptions>, 'protocol' | 'model' | 'session'> {
  readonly script: readonly ScriptStep[]
  /** Default: says yes to everything. `undefined`: none. */
  readonly consent?: SessionOptions['consent']
  readonly sessionOptions?: SessionOptions
  /** Default: the two skills of this file. */
  readonly settings?: Partial<RepertoireOptions>
}

/** The options of a client for a scripted model. */
export function endpointOf({ baseURL, apiKey, model }: Pick<Play, 'baseURL' | 'apiKey' | 'model'>) {
  return { baseURL, apiKey, model, maxRetries: 0 }
}

/** A model endpoint for the tests of one file. */
export function useEndpoint(): (way: Way, options: AgentOptions) => Promise<Agent> {
  let endpoint: ModelEndpoint
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint.close())

  return async (way, options) => {
    const { script, sessionOptions, settings, consent, ...rest } = { consent: () => true, ...options }
    const play = endpoint.play(script, way.protocol === 'text' ? { dialect: textDialect } : {})
    const audit: AuditEvent[] = []
    const write = (event: AuditEvent): void => void audit.push(event)
    const repertoire = await openRepertoire({ sources: [skills], audit: { write }, ...settings })
    const session = repertoire.openSession({ consent, ...sessionOptions })
    const loop = createReActLoop({
      model: openAICompatible(endpointOf(play)),
      session,
      protocol: way.protocol,
      ...rest,
    })
    const events: LoopEvent[] = []
    return {
      play,
      repertoire,
      session,
      loop,
      events,
      audit,
      async run(input, runOptions) {
        if (!way.streamed) return loop.run(input, runOptions)
        let result: LoopResult | undefined
        for await (const event of loop.stream(input, runOptions)) {
          events.push(event)
          if (event.type === 'finish') ({ result } = event)
        }
        if (result === undefined) throw new Error('The stream ended without a result.')
        return result
      },
      resultOf: (callId) => lastResult(play, callId),
    }
  }
}

/** The files of a skill, with further fields of its frontmatter, each ended by a line break. */
export function manifest(name: string, fields: string, body: string): Readonly<Record<string, string>> {
  return { 'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\n${body}\n` }
}

/** The code of a refusal, and its reason. */
export function refusal(text: string): { readonly code: string; readonly reason: string } {
  return (JSON.parse(text) as { error: { code: string; reason: string } }).error
}
