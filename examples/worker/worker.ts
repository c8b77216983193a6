import { type FunctionTool, memorySource, openRepertoire } from '@repertoire/core'
import { createReActLoop, openAICompatible } from '@repertoire/react-loop'
// `npm start` writes this module with `embedSkills`: a Worker has no file system.
import { BUNDLED_SKILLS } from './generated/skills.ts'

interface Env {
  readonly OPENAI_BASE_URL: string
  readonly OPENAI_API_KEY: string
  readonly OPENAI_MODEL: string
}

const tools: readonly FunctionTool[] = [
  {
    name: 'Price',
    description: 'Returns the price of a product.',
    inputSchema: { type: 'object', properties: { product: { type: 'string' } }, required: ['product'] },
    execute: () => '12.50',
  },
  {
    name: 'Refund',
    description: 'Refunds an order.',
    inputSchema: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    execute: () => 'This never runs: the skill does not allow it.',
  },
]

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    await using repertoire = await openRepertoire({
      sources: [memorySource({ layer: 'bundled', id: 'worker', skills: BUNDLED_SKILLS })],
    })
    const loop = createReActLoop({
      model: openAICompatible({
        baseURL: env.OPENAI_BASE_URL,
        apiKey: env.OPENAI_API_KEY,
        model: env.OPENAI_MODEL,
      }),
      tools,
      repertoire,
      // These skills are part of the bundle and were reviewed with the code, so no one has to be asked.
      session: { consent: () => true },
    })
    const { text, messages } = await loop.run(await request.text(), { signal: request.signal })
    return Response.json({ text, results: messages.filter(({ role }) => role === 'tool') })
  },
}
