import { anthropic, gemini, type Model } from '@repertoire/react-loop'

export function models(apiKey: string, baseURL?: string): readonly Model[] {
  const common = { apiKey, ...(baseURL !== undefined && { baseURL }) }
  return [
    anthropic({ ...common, model: 'claude-sonnet-5-5', body: { thinking: { type: 'adaptive' } } }),
    gemini({ ...common, model: 'gemini-3-flash', body: { generationConfig: { temperature: 0 } } }),
  ]
}
