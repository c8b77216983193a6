import { anthropic, gemini, type Model, openAIResponses } from '@repertoire/react-loop'

export function models(apiKey: string, baseURL?: string): readonly Model[] {
  const common = { apiKey, ...(baseURL !== undefined && { baseURL }) }
  return [
    anthropic({ ...common, model: 'claude-sonnet-5-5', body: { thinking: { type: 'adaptive' } } }),
    gemini({ ...common, model: 'gemini-3-flash', body: { generationConfig: { temperature: 0 } } }),
    openAIResponses({ ...common, model: 'gpt-5', body: { reasoning: { effort: 'low' } } }),
  ]
}
