import { claudeAgent } from '@repertoire/claude-agent'
import { memorySessions, type Repertoire } from '@repertoire/core'

export function coder(repertoire: Repertoire, ask: (question: string) => Promise<string>) {
  return claudeAgent({
    repertoire,
    sessions: memorySessions(),
    session: { agent: 'coder', consent: async ({ text }) => (await ask(`${text}\n[y/N] `)) === 'y' },
    options: {
      systemPrompt: 'You are a careful assistant.',
      tools: ['Read', 'Grep', 'Edit'],
      allowedTools: ['Read', 'Grep'],
    },
    functions: [
      {
        name: 'Now',
        description: 'Returns the time.',
        inputSchema: { type: 'object', properties: {} },
        execute: () => new Date().toISOString(),
      },
    ],
  })
}

/** Answers a message, and returns the text with the id that continues the conversation. */
export async function answer(agent: ReturnType<typeof coder>, message: string, resume?: string) {
  for await (const each of agent.query(message, resume === undefined ? {} : { resume })) {
    if (each.type !== 'result') continue
    if (each.subtype !== 'success') throw new Error(each.errors.join(' '))
    return { text: each.result, id: each.session_id }
  }
  throw new Error('Claude Code ended without a result.')
}
