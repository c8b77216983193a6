import { openModelEndpoint, type ScriptStep } from '@repertoire/conformance'
import { type Model, openAICompatible } from '@repertoire/react-loop'

/** What the scripted model does. */
const script: readonly ScriptStep[] = [
  { calls: [{ tool: 'activate_skill', input: { name: 'refunds' } }] },
  { calls: [{ tool: 'read_skill_resource', input: { path: 'references/limits.md' } }] },
  { calls: [{ tool: 'Refund', input: { order: '7', amount: 40 } }] },
  { text: 'Order 7 is refunded: 40 euros.' },
  { calls: [{ tool: 'activate_skill', input: { name: 'refunds' } }] },
  { text: 'I may not use the skill "refunds" at the moment.' },
]

/** Returns the model of `OPENAI_API_KEY`, or a scripted one on this machine. `close` stops the scripted one. */
export async function openModel(): Promise<{ model: Model; close: () => Promise<void> }> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL = 'gpt-5-mini' } = process.env
  if (OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined) {
    const baseURL = OPENAI_BASE_URL ?? 'https://api.openai.com/v1'
    return {
      model: openAICompatible({ baseURL, apiKey: OPENAI_API_KEY, model: OPENAI_MODEL }),
      close: async () => {},
    }
  }
  const endpoint = await openModelEndpoint()
  const { model, apiKey, baseURL } = endpoint.play(script)
  return { model: openAICompatible({ baseURL, apiKey, model }), close: () => endpoint.close() }
}
