import type { CanUseTool } from '@anthropic-ai/claude-agent-sdk'
import { claudeAgent } from '@repertoire/claude-agent'
import type { Repertoire } from '@repertoire/core'

/** Asks about skills and about tools by one function. */
export function asking(repertoire: Repertoire, ask: (question: string) => Promise<string>) {
  const canUseTool: CanUseTool = async (tool, input, { title }) => {
    const answer = await ask(`${title ?? `${tool} ${JSON.stringify(input)}`}\n[y/N] `)
    return answer === 'y' ? { behavior: 'allow' } : { behavior: 'deny', message: 'The person said no.' }
  }
  return claudeAgent({ repertoire, options: { canUseTool } })
}
