import { posix } from 'node:path'
import { tool } from '@langchain/core/tools'
import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import type { HostDriver } from '@repertoire/conformance/host'
import { createDeepAgent, FilesystemBackend } from 'deepagents'
import { versionOf } from '../version.ts'

/** deepagents over a folder. The model loads skills and their files with the general tool `read_file`. */
export const deepagents: HostDriver = {
  name: 'deepagents',
  version: versionOf('deepagents'),
  documentation: 'https://docs.langchain.com/oss/javascript/deepagents/skills',
  async start({ endpoint: { baseURL, apiKey, model }, workspace, tools, instructions }) {
    const agent = createDeepAgent({
      model: new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0, useResponsesApi: false }),
      backend: new FilesystemBackend({ rootDir: workspace, virtualMode: true }),
      skills: ['/skills/'],
      systemPrompt: instructions,
      checkpointer: new MemorySaver(),
      tools: tools.map(({ name, description, inputSchema, ...own }) =>
        tool((input, config) => own.execute(input, { callId: config.toolCall.id }), {
          name,
          description,
          schema: inputSchema,
        }),
      ),
    })
    const config = { configurable: { thread_id: 'conversation' }, recursionLimit: 200 }
    return { send: (text) => agent.invoke({ messages: [{ role: 'user', content: text }] }, config) }
  },
  activates: 'file tool',
  activate: (skill) => ({ tool: 'read_file', input: { file_path: posix.join('/skills', skill, 'SKILL.md') } }),
  reads: 'file tool',
  read: (skill, path) => ({ tool: 'read_file', input: { file_path: posix.join('/skills', skill, path) } }),
}
