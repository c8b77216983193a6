import { type ModelEndpoint, openModelEndpoint, type Play } from '@repertoire/conformance'
import { memorySource, openRepertoire, type Repertoire, type RepertoireOptions } from '@repertoire/core'
import { Agent, type FunctionTool, OpenAIProvider, Runner, tool } from '@openai/agents'
import OpenAI from 'openai'
import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'

export { activate, call, lastResult as resultOf } from '@repertoire/conformance'

/** A skill that allows little. */
export const CAREFUL = skill('careful', 'allowed-tools: Read Bash(git:*) Review', 'LOOK FIRST.')
/** A skill that restricts nothing. */
export const FREE = skill('free', '', 'DO AS YOU LIKE.')

export function skill(name: string, fields: string, body: string) {
  return { [name]: { 'SKILL.md': `---\nname: ${name}\ndescription: Is ${name}.\n${fields}\n---\n${body}\n` } }
}

/** A model endpoint for the tests of a file. */
export function useEndpoint(): () => ModelEndpoint {
  let endpoint: ModelEndpoint
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint.close())
  return () => endpoint
}

export function openSkills(options: Partial<RepertoireOptions> = {}): Promise<Repertoire> {
  return openRepertoire({ sources: [memorySource({ layer: 'project', skills: { ...CAREFUL, ...FREE } })], ...options })
}

/** A runner whose models are on an endpoint on loopback. */
export function runnerOf({ baseURL, apiKey }: Play, useResponses = false): Runner {
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
  { model }: Play,
  settings: Partial<ConstructorParameters<typeof Agent>[0]> = {},
): Agent<any, any> {
  return new Agent({ name: 'Assistant', instructions: 'Be brief.', model, ...settings })
}
