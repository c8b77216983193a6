import { memorySource, openRepertoire } from '@repertoire/core'
import { generateText, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { withSkills } from '../src/index.ts'

test('[ABUSE-119, GATE-8] tells a tool of the input of a call that may run, and not of one that is refused', async () => {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })
  const session = repertoire.openSession({ policy: { deny: ['Bash(rm:*)'] } })
  const told: string[] = []
  const Bash = tool({
    description: 'Runs a command.',
    inputSchema: z.object({ command: z.string() }),
    onInputAvailable: ({ input }) => void told.push(input.command),
    execute: ({ command }) => `ran: ${command}`,
  })
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  }
  const model = new MockLanguageModelV4({
    doGenerate: {
      content: ['ls', 'rm a'].map((command, index) => ({
        type: 'tool-call' as const,
        toolCallId: `call_${index}`,
        toolName: 'Bash',
        input: JSON.stringify({ command }),
      })),
      finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
      usage,
      warnings: [],
    },
  })
  await generateText({ model, prompt: 'Hello', ...withSkills(session, { tools: { Bash } }) })
  expect(told).toEqual(['ls'])
})
