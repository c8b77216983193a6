import type { Repertoire } from '@repertoire/core'
import { chatModel, INSTRUCTIONS, languageModel, type Plan, TASK } from './models.ts'

/**
 * Makes an agent, with skills if there is a repertoire.
 * @param name its one tool, which `execute` carries out
 * @returns runs a task by a plan of its model
 */
type Framework = (
  name: string,
  execute: () => Promise<string>,
  repertoire?: Repertoire,
) => Promise<(plan: Plan, maxSteps: number) => Promise<unknown>>

const description = 'Does what its name says.'
const inputSchema = { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] } as const
const session = { consent: () => true }

export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  async 'ai-sdk'(name, execute, repertoire) {
    const { generateText, isStepCount, jsonSchema, tool } = await import('ai')
    const { withSkills } = await import('@repertoire/ai-sdk')
    const tools = { [name]: tool({ description, inputSchema: jsonSchema<object>(inputSchema as never), execute }) }
    return (plan, maxSteps) => {
      const settings = { model: languageModel(plan), prompt: TASK, stopWhen: isStepCount(maxSteps) }
      if (repertoire === undefined) return generateText({ ...settings, instructions: INSTRUCTIONS, tools })
      return repertoire.runTask(session, (opened) =>
        generateText({ ...settings, ...withSkills(opened, { instructions: INSTRUCTIONS, tools }) }),
      )
    }
  },

  async langchain(name, execute, repertoire) {
    const { createAgent, createMiddleware } = await import('langchain')
    const { tool } = await import('@langchain/core/tools')
    const { skillsMiddleware } = await import('@repertoire/langchain')
    // The hooks that ours has, with nothing in them: to have any costs a step of the graph something.
    const empty = createMiddleware({
      name: 'empty',
      beforeAgent: () => undefined,
      wrapModelCall: (request, handler) => handler(request),
      wrapToolCall: (request, handler) => handler(request),
    })
    const tools = [tool(execute, { name, description, schema: inputSchema as never })]
    const middleware = [repertoire === undefined ? empty : skillsMiddleware(repertoire, session)]
    return async (plan, maxSteps) => {
      const agent = createAgent({ model: await chatModel(plan), tools, middleware, systemPrompt: INSTRUCTIONS })
      // Each step takes several nodes of the graph.
      const limits = { recursionLimit: 8 * (maxSteps + 1) }
      return agent.invoke({ messages: [{ role: 'user', content: TASK }] }, limits)
    }
  },

  async mastra(name, execute, repertoire) {
    const { Agent } = await import('@mastra/core/agent')
    const { createTool } = await import('@mastra/core/tools')
    const { skillsAgent } = await import('@repertoire/mastra')
    const tools = { [name]: createTool({ id: name, description, inputSchema: inputSchema as never, execute }) }
    return (plan, maxSteps) => {
      const model = languageModel(plan, 'v3')
      const config = { id: 'agent', name: 'Agent', instructions: INSTRUCTIONS, tools, model }
      const agent = repertoire === undefined ? new Agent(config) : skillsAgent(config, { repertoire, session })
      return agent.generate(TASK, { maxSteps })
    }
  },

  async 'openai-agents'(name, execute, repertoire) {
    const { Agent, Runner, setTracingDisabled, tool, Usage } = await import('@openai/agents')
    const { skillsRunner } = await import('@repertoire/openai-agents')
    setTracingDisabled(true)
    const tools = [tool({ name, description, parameters: inputSchema as never, strict: false, execute })]
    const bare = new Runner({ tracingDisabled: true })
    return (plan, maxTurns) => {
      const answer = () => {
        const call = plan({})
        if (call !== undefined) {
          const planned = { callId: call.id, name: call.tool, arguments: JSON.stringify(call.input) }
          return { type: 'function_call' as const, ...planned, status: 'completed' as const }
        }
        const content = [{ type: 'output_text' as const, text: 'Done.' }]
        return { type: 'message' as const, role: 'assistant' as const, status: 'completed' as const, content }
      }
      const getResponse = async () => ({ usage: new Usage(), output: [answer()] })
      const model = { getResponse, getStreamedResponse: undefined as never }
      const agent = new Agent({ name: 'Agent', instructions: INSTRUCTIONS, tools, model })
      const runner = repertoire === undefined ? bare : skillsRunner({ repertoire, runner: bare, session })
      return runner.run(agent, TASK, { maxTurns })
    }
  },

  /** The loop has no life without a session: without skills, it has one over an empty catalog. */
  async 'react-loop'(name, execute, repertoire) {
    const { openRepertoire } = await import('@repertoire/core')
    const { createReActLoop } = await import('@repertoire/react-loop')
    const opened = repertoire ?? (await openRepertoire({ sources: [] }))
    return (plan, maxSteps) => {
      const complete = async () => {
        const call = plan({})
        const calls = call === undefined ? [] : [{ ...call, input: { ...call.input } }]
        return { text: call === undefined ? 'Done.' : '', calls, finishReason: 'stop' as const }
      }
      const model = {
        complete,
        async *stream() {
          yield { type: 'answer' as const, answer: await complete() }
        },
      }
      const options = {
        model,
        tools: [{ name, description, inputSchema, execute }],
        instructions: INSTRUCTIONS,
        maxSteps,
      }
      return opened.runTask(session, (each) => createReActLoop({ ...options, session: each }).run(TASK))
    }
  },
}
