import { OpenAIProvider, Runner } from '@openai/agents'
import { openModelEndpoint, type ScriptStep } from '@repertoire/conformance'

/** What the scripted model does: as the first agent, then as the agent that takes over, and again as the first. */
const script: readonly ScriptStep[] = [
  { calls: [{ tool: 'activate_skill', input: { name: 'refunds' } }] },
  { calls: [{ tool: 'transfer_to_Billing', input: {} }] },
  { calls: [{ tool: 'Cancel', input: { order: '7' } }] },
  { calls: [{ tool: 'Order', input: { order: '7' } }] },
  { calls: [{ tool: 'Refund', input: { order: '7', euros: 40 } }] },
  { text: 'You get 40 euros back.' },
  { calls: [{ tool: 'transfer_to_Front_desk', input: {} }] },
  { calls: [{ tool: 'Cancel', input: { order: '7' } }] },
  { text: 'I may not cancel an order while I handle a refund.' },
]

const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL = 'gpt-5-mini' } = process.env

/** Returns a runner with the model of `OPENAI_API_KEY`, or with a scripted one on this machine, which `close` stops. */
export async function openModel(): Promise<{ runner: Runner; model: string; close: () => Promise<void> }> {
  if (OPENAI_API_KEY || OPENAI_BASE_URL) return { runner: new Runner(), model: OPENAI_MODEL, close: async () => {} }
  const endpoint = await openModelEndpoint()
  const { model, apiKey, baseURL } = endpoint.play(script, { protocol: 'openai-responses' })
  const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey, baseURL }), tracingDisabled: true })
  return { runner, model, close: () => endpoint.close() }
}
