import { join } from 'node:path'
import {
  AuthStorage,
  createAgentSession,
  DefaultResourceLoader,
  ModelRegistry,
  SessionManager,
  SettingsManager,
} from '@mariozechner/pi-coding-agent'
import type { HostDriver } from '@repertoire/conformance/host'
import { versionOf } from '../version.ts'

const LENIENT =
  '"Pi implements the Agent Skills standard, warning about violations but remaining lenient" (docs/skills.md).'

/** The coding agent pi. The model loads skills and their files with the general tool `read`. */
export const pi: HostDriver = {
  name: 'pi',
  version: versionOf('@mariozechner/pi-coding-agent'),
  documentation: 'https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/skills.md',
  place: '.pi/skills',
  async start({ endpoint: { baseURL, apiKey, model }, workspace, home, tools, instructions }) {
    const agentDir = join(home, '.pi/agent')
    const authStorage = AuthStorage.inMemory()
    const modelRegistry = ModelRegistry.inMemory(authStorage)
    const limits = { reasoning: false, input: ['text'], contextWindow: 200_000, maxTokens: 8000 }
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
    const models = [{ id: model, name: model, ...limits, cost }] as never
    modelRegistry.registerProvider('host', { baseUrl: baseURL, apiKey, api: 'openai-completions', models })
    const settingsManager = SettingsManager.inMemory({ retry: { enabled: false } })
    const resourceLoader = new DefaultResourceLoader({
      cwd: workspace,
      agentDir,
      settingsManager,
      systemPrompt: instructions,
    })
    await resourceLoader.reload()
    const { session } = await createAgentSession({
      cwd: workspace,
      agentDir,
      authStorage,
      modelRegistry,
      settingsManager,
      resourceLoader,
      sessionManager: SessionManager.inMemory(workspace),
      model: modelRegistry.find('host', model)!,
      customTools: tools.map(({ name, description, inputSchema, ...own }) => ({
        name,
        label: name,
        description,
        parameters: inputSchema as never,
        execute: async (callId, input) => ({
          content: [{ type: 'text', text: String(await own.execute(input, { callId })) }],
          details: {},
        }),
      })),
    })
    return { send: (text) => session.prompt(text), end: async () => session.dispose() }
  },
  activates: 'file tool',
  activate: (skill, { folder }) => ({ tool: 'read', input: { path: join(folder, skill, 'SKILL.md') } }),
  reads: 'file tool',
  read: (skill, path, { folder }) => ({ tool: 'read', input: { path: join(folder, skill, path) } }),
  documented: { 'listing-bom': LENIENT, 'listing-unquoted-colon': LENIENT },
}
