import { type ConsentHandler, openRepertoire } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { createReActLoop, openAICompatible, type OpenAICompatibleOptions } from '@repertoire/react-loop'

export async function answer(
  endpoint: OpenAICompatibleOptions, // { baseURL: 'http://127.0.0.1:11434/v1', model: 'qwen3' }
  message: string,
  ask: (question: string) => Promise<string>,
): Promise<string> {
  const repertoire = await openRepertoire({ sources: standardSources({ project: process.cwd() }) })
  const consent: ConsentHandler = async ({ text }) => (await ask(`${text}\n[y/N] `)) === 'y'
  return repertoire.runTask({ agent: 'coder', consent }, async (session) => {
    const loop = createReActLoop({
      model: openAICompatible(endpoint),
      session,
      instructions: 'You are a careful assistant.',
      tools: [
        {
          name: 'Now',
          description: 'Returns the time.',
          inputSchema: { type: 'object', properties: {} },
          execute: () => new Date().toISOString(),
        },
      ],
    })
    return (await loop.run(message)).text
  })
}
