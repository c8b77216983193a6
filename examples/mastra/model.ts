import { openModelEndpoint, type ScriptStep } from '@repertoire/conformance'

const script: readonly ScriptStep[] = [
  { calls: [{ tool: 'activate_skill', input: { name: 'refunds' } }] },
  { calls: [{ tool: 'Cancel', input: { order: '7' } }] },
  { calls: [{ tool: 'Order', input: { order: '7' } }] },
  { calls: [{ tool: 'Refund', input: { order: '7', euros: 40 } }] },
  { text: 'You get 40 euros back.' },
]

const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: url, OPENAI_MODEL: modelId = 'gpt-5-mini' } = process.env

/** Returns the model of `OPENAI_API_KEY`, or a scripted one on this machine, which `close` stops. */
export async function openModel() {
  if (apiKey) return { model: { providerId: 'openai', modelId, apiKey, ...(url && { url }) }, close: async () => {} }
  const endpoint = await openModelEndpoint()
  const play = endpoint.play(script)
  const model = { providerId: 'script', modelId: play.model, apiKey: play.apiKey, url: play.baseURL }
  return { model, close: () => endpoint.close() }
}
