import type { HostDriver } from '@repertoire/conformance/host'
import { Agent, tool } from '@strands-agents/sdk'
import { OpenAIModel } from '@strands-agents/sdk/models/openai'
import { AgentSkills } from '@strands-agents/sdk/vended-plugins/skills'
import { versionOf } from '../version.ts'

const CALLS = '"runs all tool calls from a single turn in parallel" (`ToolExecutorStrategy`).'

/** The plugin `AgentSkills` of Strands. */
export const strands: HostDriver = {
  name: 'Strands',
  version: versionOf('@strands-agents/sdk'),
  documentation: 'https://strandsagents.com/docs/user-guide/concepts/plugins/skills/',
  async start({ endpoint: { baseURL, apiKey, model }, folder, tools, instructions }) {
    const agent = new Agent({
      model: new OpenAIModel({ api: 'chat', modelId: model, apiKey, clientConfig: { baseURL, maxRetries: 0 } }),
      systemPrompt: instructions,
      plugins: [new AgentSkills({ skills: [folder] })],
      printer: false,
      tools: tools.map(({ name, description, inputSchema, ...own }) =>
        tool({
          name,
          description,
          inputSchema: inputSchema as never,
          callback: (input, context) => own.execute(input, { callId: context?.toolUse.toolUseId ?? '' }) as never,
        }),
      ),
    })
    return { send: (text) => agent.invoke(text) }
  },
  activate: (skill) => ({ tool: 'skills', input: { skill_name: skill } }),
  read: { absent: 'The plugin has no tool that reads files of a skill; hosts add a general one of their own.' },
  documented: {
    'listing-nothing-to-list': '"A `skills` tool that allows the agent to activate skills on demand" (`AgentSkills`).',
    'activation-two-in-one-message': CALLS,
    'history-own-results': CALLS,
    'history-parallel-results': CALLS,
    'history-wire-valid': CALLS,
  },
}
