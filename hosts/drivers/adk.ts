import { FunctionTool, Gemini, InMemoryRunner, LlmAgent, loadAllSkillsInDir, SkillToolset } from '@google/adk'
import type { HostDriver } from '@repertoire/conformance/host'
import { z } from 'zod'
import { versionOf } from '../version.ts'

const START = '"SKILL.md must start with YAML frontmatter (---)", says its error.'

/** The `SkillToolset` of ADK for TypeScript. The model lists skills by a tool. */
export const adk: HostDriver = {
  name: 'ADK',
  version: versionOf('@google/adk'),
  documentation: 'https://google.github.io/adk-docs/skills',
  protocol: 'gemini',
  async start({ endpoint: { baseURL, apiKey, model }, folder, tools, instructions }) {
    const gemini = new Gemini({ model, apiKey })
    process.env['GOOGLE_GEMINI_BASE_URL'] = baseURL
    // The client reads the address when it is made, which is at its first use.
    void gemini.apiClient
    const agent = new LlmAgent({
      name: 'host',
      model: gemini,
      instruction: instructions,
      tools: [
        new SkillToolset(await loadAllSkillsInDir(folder)),
        ...tools.map(
          ({ name, description, inputSchema, ...own }) =>
            new FunctionTool({
              name,
              description,
              parameters: z.fromJSONSchema(inputSchema as never) as z.ZodObject,
              execute: (input, context) => own.execute(input, { callId: context?.functionCallId ?? '' }),
            }),
        ),
      ],
    })
    const runner = new InMemoryRunner({ agent, appName: 'host' })
    const { id: sessionId } = await runner.sessionService.createSession({ appName: 'host', userId: 'user' })
    return {
      async send(text) {
        const newMessage = { role: 'user', parts: [{ text }] }
        for await (const event of runner.runAsync({ userId: 'user', sessionId, newMessage }))
          if (event.errorCode) throw new Error(`${event.errorCode}: ${event.errorMessage}`)
      },
    }
  },
  list: () => ({ tool: 'list_skills', input: {} }),
  activate: (skill) => ({ tool: 'load_skill', input: { name: skill } }),
  read: (skill, path) => ({ tool: 'load_skill_resource', input: { skill_name: skill, path } }),
  documented: {
    'listing-bom': START,
    'activation-bom': START,
    'resources-beside':
      '"Loads a resource file (from references/, assets/, or scripts/) from within a skill", says the tool.',
  },
}
