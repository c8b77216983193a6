import type { Play } from '@repertoire/conformance'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

/** A skill that allows little. */
export const CAREFUL = '---\nname: careful\ndescription: Is careful.\nallowed-tools: Read\n---\nLOOK FIRST.\n'

/** The configuration of an agent whose tools note their runs. */
export function configOf({ baseURL: url, apiKey, model: modelId }: Pick<Play, 'baseURL' | 'apiKey' | 'model'>) {
  const runs: string[] = []
  const tools = Object.fromEntries(
    ['Read', 'Write'].map((id) => [
      id,
      createTool({
        id,
        description: `The tool ${id}.`,
        inputSchema: z.looseObject({}),
        execute: async () => {
          runs.push(id)
          return `${id} ran`
        },
      }),
    ]),
  )
  const model = { providerId: 'loopback', modelId, url, apiKey }
  return { runs, config: { id: 'assistant', name: 'Assistant', instructions: 'Be brief.', model, tools } }
}
