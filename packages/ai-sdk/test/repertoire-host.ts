import { readFileSync } from 'node:fs'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { HostDriver } from '@repertoire/conformance/host'
import { memorySessions, openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { jsonSchema, type ModelMessage, tool } from 'ai'
import { skillsAgent } from '../src/index.ts'

const MAX_STEPS = 40

/** Judges this adapter as a host, next to other systems that load skills. `npm run hosts` judges it last. */
export const repertoireHost: HostDriver = {
  name: 'Repertoire (AI SDK)',
  version: versionOf(new URL('../package.json', import.meta.url)),
  documentation: 'https://github.com/repertoire-skills/repertoire/blob/main/docs/ai-sdk.md',
  async start({ endpoint: { baseURL, apiKey, model }, folder, tools, instructions, onConsent }) {
    const repertoire = await openRepertoire({ sources: [directorySource({ root: folder })] })
    const agent = skillsAgent({
      model: createOpenAICompatible({ name: 'host', baseURL, apiKey })(model),
      repertoire,
      instructions,
      sessions: memorySessions(),
      session: { consent: (question) => onConsent(question), onProblem: () => {} },
      stopWhen: ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= MAX_STEPS,
      maxRetries: 0,
      tools: Object.fromEntries(
        tools.map((given) => [
          given.name,
          tool({
            description: given.description,
            inputSchema: jsonSchema(given.inputSchema),
            execute: (input, { toolCallId: callId }) => given.execute(input, { callId }),
          }),
        ]),
      ),
    })
    const messages: ModelMessage[] = []
    return {
      async send(text) {
        messages.push({ role: 'user', content: text })
        const { responseMessages } = await agent.generate({ messages, options: { session: 'conversation' } })
        messages.push(...responseMessages)
      },
      end: () => repertoire.close(),
    }
  },
  activate: (skill) => ({ tool: 'activate_skill', input: { name: skill } }),
  read: (skill, path) => ({ tool: 'read_skill_resource', input: { skill, path } }),
}

function versionOf(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string }).version
}
