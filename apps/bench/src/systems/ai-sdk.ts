import { generateText } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { answerOf } from '../adapters/ai-sdk.ts'
import { INSTRUCTIONS, TASK } from '../adapters/agent.ts'
import type { Shown } from './system.ts'

type Settings = Omit<Parameters<typeof generateText>[0], 'model' | 'prompt' | 'messages'>

/** Returns what the AI SDK passes to a model in the first step of an agent. */
export async function shownInAiSdk(settings: Settings): Promise<Shown> {
  let shown: Shown | undefined
  const model = new MockLanguageModelV4({
    async doGenerate({ prompt, tools: offered }) {
      shown ??= { prompt, tools: offered }
      return answerOf(undefined)
    },
  })
  await generateText({ instructions: INSTRUCTIONS, ...settings, model, prompt: TASK })
  if (shown === undefined) throw new Error('The model was not called.')
  return shown
}
