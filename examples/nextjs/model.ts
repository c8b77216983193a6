import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type LanguageModel, simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL = 'gpt-5-mini' } = process.env
const baseURL = OPENAI_BASE_URL ?? 'https://api.openai.com/v1'

/** The model of `OPENAI_API_KEY`, or a scripted one. */
export const model: LanguageModel =
  OPENAI_API_KEY === undefined && OPENAI_BASE_URL === undefined
    ? new MockLanguageModelV4({ doStream: async ({ prompt }) => stream(nextStep(prompt)) })
    : createOpenAICompatible({ name: 'openai', baseURL, apiKey: OPENAI_API_KEY })(OPENAI_MODEL)

type Step = string | { tool: string; input: object }

/** What the scripted model does after these messages. */
function nextStep(prompt: readonly { role: string; content: unknown }[]): Step {
  const last = JSON.stringify(prompt.at(-1))
  if (/denied|not activated/i.test(last)) return 'Then I cannot help with that.'
  if (last.includes('40 euros')) return 'You get 40 euros back.'
  if (last.includes('TOOL_NOT_ALLOWED')) return 'I may not pay it out myself. A colleague will.'
  if (last.includes('skill_content')) return { tool: 'Order', input: { id: '7' } }
  if (prompt.at(-1)?.role === 'tool') return 'Done.'
  if (last.includes('money')) return { tool: 'activate_skill', input: { name: 'refunds' } }
  if (last.includes('Pay')) return { tool: 'Pay', input: { id: '7' } }
  return 'This is a long story about tea. '.repeat(200)
}

function stream(step: Step) {
  const isText = typeof step === 'string'
  const parts = isText
    ? [
        { type: 'text-start', id: 'text' },
        ...step.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: 'text', delta })),
        { type: 'text-end', id: 'text' },
      ]
    : [{ type: 'tool-call', toolCallId: crypto.randomUUID(), toolName: step.tool, input: JSON.stringify(step.input) }]
  const usage = { inputTokens: {}, outputTokens: {} }
  const finishReason = { unified: isText ? 'stop' : 'tool-calls' }
  const chunks = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }]
  return { stream: simulateReadableStream({ chunks: chunks as never[], chunkDelayInMs: 20 }) }
}
