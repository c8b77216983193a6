import { join } from 'node:path'
import type { HostDriver } from '@repertoire/conformance/host'
import { Agent, tool } from '@strands-agents/sdk'
import { OpenAIModel } from '@strands-agents/sdk/models/openai'
import { AgentSkills } from '@strands-agents/sdk/vended-plugins/skills'
import { bash } from '@strands-agents/sdk/vended-tools/bash'
import { fileEditor } from '@strands-agents/sdk/vended-tools/file-editor'
import { versionOf } from '../version.ts'

/** The plugin `AgentSkills` of Strands, with `bash` and `fileEditor`, which its documentation adds for files. */
export const strands: HostDriver = {
  name: 'Strands',
  version: versionOf('@strands-agents/sdk'),
  documentation: 'https://strandsagents.com/docs/user-guide/concepts/plugins/skills/',
  // The default of `OpenAIModel`. Over chat completions the first of two calls is lost: findings/strands.md.
  protocol: 'openai-responses',
  async start({ endpoint: { baseURL, apiKey, model }, folder, tools, instructions }) {
    const agent = new Agent({
      model: new OpenAIModel({ modelId: model, apiKey, clientConfig: { baseURL, maxRetries: 0 } }),
      systemPrompt: instructions,
      plugins: [new AgentSkills({ skills: [folder] })],
      printer: false,
      tools: [
        bash,
        fileEditor,
        ...tools.map(({ name, description, inputSchema, ...own }) =>
          tool({
            name,
            description,
            inputSchema: inputSchema as never,
            callback: (input, context) => own.execute(input, { callId: context?.toolUse.toolUseId ?? '' }) as never,
          }),
        ),
      ],
    })
    return { send: (text) => agent.invoke(text) }
  },
  activate: (skill) => ({ tool: 'skills', input: { skill_name: skill } }),
  reads: 'shell',
  read: (skill, path, { folder }) => ({
    tool: 'bash',
    input: { mode: 'execute', command: `cat '${join(folder, skill, path)}'` },
  }),
  documented: {
    'listing-nothing-to-list': '"A `skills` tool that allows the agent to activate skills on demand" (`AgentSkills`).',
  },
}
