import { withSkills } from '@repertoire/ai-sdk'
import { generateText, isStepCount, jsonSchema, tool, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import type { ToolCall } from '@repertoire/core'
import { type Agent, type AgentParts, INSTRUCTIONS, planOf, TASK } from './agent.ts'

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

export function prepareAgent({ tools: given, repertoire }: AgentParts): Agent {
  const tools: ToolSet = Object.fromEntries(
    given.map((each) => [
      each.name,
      tool({
        description: each.description,
        inputSchema: jsonSchema(each.inputSchema),
        execute: (input, { toolCallId }) => each.execute(input as never, { callId: toolCallId }),
      }),
    ]),
  )
  return {
    async run(calls) {
      const plan = planOf(calls)
      const model = new MockLanguageModelV4({ doGenerate: async () => answerOf(plan.next()) })
      const stopWhen = isStepCount(calls + 1)
      if (repertoire === undefined)
        await generateText({ model, prompt: TASK, instructions: INSTRUCTIONS, tools, stopWhen })
      else
        await repertoire.runTask({ consent: () => true }, (session) =>
          generateText({
            model,
            prompt: TASK,
            stopWhen,
            ...withSkills(session, { instructions: INSTRUCTIONS, tools }),
          }),
        )
      return plan.steps()
    },
  }
}

/** Returns a model's answer: a call, or nothing more to do. */
export function answerOf(call: ToolCall | undefined) {
  if (call === undefined) return answer('stop', { type: 'text', text: 'Done.' })
  const { id: toolCallId, tool: toolName, input } = call
  return answer('tool-calls', { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) })
}

function answer<const C>(unified: 'stop' | 'tool-calls', content: C) {
  return { content: [content], finishReason: { unified, raw: undefined }, usage: USAGE, warnings: [] }
}
