import {
  Agent as SdkAgent,
  type AgentOutputItem,
  type Model,
  run,
  Runner,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents'
import { skillsRunner } from '@repertoire/openai-agents'
import { type Agent, type AgentParts, INSTRUCTIONS, type Plan, planOf, TASK } from './agent.ts'

export function prepareAgent({ tools: given, repertoire }: AgentParts): Agent {
  setTracingDisabled(true)
  const tools = given.map(({ name, description, inputSchema, ...each }) =>
    tool({
      name,
      description,
      parameters: inputSchema as never,
      strict: false,
      execute: (input, _, details) => each.execute(input, { callId: details?.toolCall?.callId ?? '' }),
    }),
  )
  const runner = new Runner({ tracingDisabled: true })
  return {
    async run(calls) {
      const plan = planOf(calls)
      const agent = new SdkAgent({ name: 'Agent', instructions: INSTRUCTIONS, tools, model: modelOf(plan) })
      const options = { maxTurns: calls + 1 }
      if (repertoire === undefined) await run(agent, TASK, options)
      else await skillsRunner({ repertoire, runner, session: { consent: () => true } }).run(agent, TASK, options)
      return plan.steps()
    },
  }
}

function modelOf(plan: Plan): Model {
  return {
    getResponse: async () => ({ usage: new Usage(), output: [answerOf(plan)] }),
    getStreamedResponse: () => {
      throw new Error('It is not streamed.')
    },
  }
}

function answerOf(plan: Plan): AgentOutputItem {
  const call = plan.next()
  if (call === undefined) {
    return {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Done.' }],
    }
  }
  const { id: callId, tool: name, input } = call
  return { type: 'function_call', callId, name, arguments: JSON.stringify(input), status: 'completed' }
}
