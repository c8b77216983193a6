import { withSkills } from '@repertoire/ai-sdk'
import { generateText, isStepCount, jsonSchema, tool, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { type Agent, type AgentParts, INSTRUCTIONS, planOf, type PlannedCall, TASK } from './agent.ts'

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
    async run(calls: readonly PlannedCall[]) {
      const plan = planOf(calls)
      const model = new MockLanguageModelV4({
        doGenerate: async () => {
          const call = plan.next()
          if (call === undefined)
            return {
              content: [{ type: 'text', text: 'Done.' }],
              finishReason: finish('stop'),
              usage: USAGE,
              warnings: [],
            }
          const { id: toolCallId, tool: toolName, input } = call
          return {
            content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }],
            finishReason: finish('tool-calls'),
            usage: USAGE,
            warnings: [],
          }
        },
      })
      const stopWhen = isStepCount(calls.length + 1)
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

function finish(unified: 'stop' | 'tool-calls') {
  return { unified, raw: undefined }
}
