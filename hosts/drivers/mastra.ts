import type { HostDriver } from '@repertoire/conformance/host'
import { Agent } from '@mastra/core/agent'
import type { MessageInput } from '@mastra/core/agent/message-list'
import { createTool } from '@mastra/core/tools'
import { LocalFilesystem, Workspace } from '@mastra/core/workspace'
import { aiSdkModel } from '../ai-sdk.ts'
import { versionOf } from '../version.ts'

/** Skills of a Mastra workspace. */
export const mastra: HostDriver = {
  name: 'Mastra',
  version: versionOf('@mastra/core'),
  documentation: 'https://mastra.ai/docs/sandbox/skills',
  async start({ endpoint, workspace, tools, instructions }) {
    const agent = new Agent({
      id: 'host',
      name: 'host',
      instructions,
      model: aiSdkModel(endpoint),
      workspace: new Workspace({ filesystem: new LocalFilesystem({ basePath: workspace }), skills: ['skills'] }),
      tools: Object.fromEntries(
        tools.map(({ name, description, inputSchema, ...own }) => [
          name,
          createTool({
            id: name,
            description,
            inputSchema,
            execute: async (input, { agent: call }) => own.execute(input, { callId: call?.toolCallId ?? '' }),
          }),
        ]),
      ),
    })
    const messages: MessageInput[] = []
    return {
      async send(text) {
        messages.push({ role: 'user', content: text })
        const { response, error } = await agent.generate(messages, { maxSteps: 40 })
        if (error) throw error
        messages.push(...(response.messages ?? []))
      },
    }
  },
  activate: (skill) => ({ tool: 'skill', input: { name: skill } }),
  read: (skill, path) => ({ tool: 'skill_read', input: { skillName: skill, path } }),
  documented: {
    'listing-unquoted-colon': '"The YAML frontmatter requires `name` and `description`" (the linked page).',
    'listing-nothing-to-list': '"When skills are configured", Mastra "gives the agent three tools" (the linked page).',
  },
}
