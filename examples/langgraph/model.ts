import { ChatOpenAI } from '@langchain/openai'
import { openModelEndpoint, type ScriptStep } from '@repertoire/conformance'

/** What the scripted model does: it activates two skills in one message, breaks a rule, and then works by the rules. */
const script: readonly ScriptStep[] = [
  {
    text: 'I need two skills.',
    calls: [
      { tool: 'activate_skill', input: { name: 'release-notes' } },
      { tool: 'activate_skill', input: { name: 'house-style' } },
    ],
  },
  { calls: [{ tool: 'Bash', input: { command: 'git log' } }] },
  { calls: [{ tool: 'Read', input: { file_path: 'CHANGES.md' } }] },
  { text: 'Version 2.0 exports tables as CSV. It opens large files twice as fast.' },
  { text: 'You are welcome.' },
]

/** Returns the model of `OPENAI_API_KEY`, or a scripted one on this machine. `close` stops the scripted one. */
export async function openModel(): Promise<{ model: ChatOpenAI; close: () => Promise<void> }> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL = 'gpt-5-mini' } = process.env
  if (OPENAI_API_KEY || OPENAI_BASE_URL) {
    // `ChatOpenAI` reads OPENAI_API_KEY and OPENAI_BASE_URL itself.
    return { model: new ChatOpenAI({ model: OPENAI_MODEL }), close: async () => {} }
  }
  const endpoint = await openModelEndpoint()
  const { model, apiKey, baseURL } = endpoint.play(script)
  return {
    model: new ChatOpenAI({ model, apiKey, configuration: { baseURL } }),
    close: () => endpoint.close(),
  }
}
