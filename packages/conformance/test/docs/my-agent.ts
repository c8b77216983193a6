import { join } from 'node:path'
import type { FunctionTool } from '@repertoire/core'
import { toyDriver } from '../host/toy-host.ts'

/** The options of the agent that the example judges. */
interface AgentOptions {
  readonly baseURL: string
  readonly apiKey: string
  readonly model: string
  readonly instructions: string
  readonly tools: readonly FunctionTool[]
  /** Its working folder; it finds skills in `.agents/skills` there. */
  readonly cwd: string
  readonly approve: (question: unknown) => boolean
}

/** The version of the agent. */
export const version = '1.0.0'

/** Returns an agent that loads skills by itself. */
export function createAgent({ baseURL, apiKey, model, instructions, tools, cwd, approve }: AgentOptions) {
  const folder = join(cwd, '.agents/skills')
  const endpoint = { baseURL, apiKey, model }
  const started = toyDriver().start({
    endpoint,
    folder,
    workspace: cwd,
    home: cwd,
    tools,
    instructions,
    onConsent: approve,
  })
  return {
    chat: async (text: string) => (await started).send(text),
    close: async () => (await started).end?.(),
  }
}
