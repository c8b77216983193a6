import { query } from '@anthropic-ai/claude-agent-sdk'
import { queryOptions } from '@repertoire/claude-agent'
import type { Repertoire } from '@repertoire/core'

export function review(repertoire: Repertoire, prompt: string): Promise<string | undefined> {
  return repertoire.runTask({ consent: () => true }, async (session) => {
    const options = queryOptions(session, {
      options: { tools: ['Read', 'Bash'] },
      subagents: { reviewer: { instructions: 'You review code.', options: { tools: ['Read'], maxTurns: 30 } } },
      resolveModel: (name) => (name === 'strong' ? 'opus' : undefined),
    })
    for await (const message of query({ prompt, options })) {
      if (message.type === 'result' && message.subtype === 'success') return message.result
    }
    return undefined
  })
}
