import type { Play } from '@repertoire/conformance'
import { Agent, type FunctionTool, OpenAIProvider, Runner, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'

/** A runner whose models are on an endpoint on loopback. */
export function runnerOf({ baseURL, apiKey }: Pick<Play, 'baseURL' | 'apiKey'>, useResponses = false): Runner {
  const openAIClient = new OpenAI({ baseURL, apiKey, maxRetries: 0 }) as never
  return new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses }), tracingDisabled: true })
}

/** Tools that note their runs. */
export function notingTools(): { readonly runs: string[]; readonly tools: FunctionTool<any, any, any>[] } {
  const runs: string[] = []
  const tools = ['Bash', 'Read', 'Write'].map((name) =>
    tool({
      name,
      description: `The tool ${name}.`,
      parameters: z.looseObject({}),
      execute: (input) => {
        runs.push(`${name} ${JSON.stringify(input)}`)
        return `${name} ran`
      },
    }),
  )
  return { runs, tools }
}

export function agentOf(
  { model }: Pick<Play, 'model'>,
  settings: Partial<ConstructorParameters<typeof Agent>[0]> = {},
): Agent<any, any> {
  return new Agent({ name: 'Assistant', instructions: 'Be brief.', model, ...settings })
}
