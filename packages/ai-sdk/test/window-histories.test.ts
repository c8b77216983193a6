import process from 'node:process'
import { adapterSession } from '@repertoire/core/adapter'
import { generateText, type ModelMessage, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openTask, useEndpoint } from './task.ts'
import { withSkills } from '../src/index.ts'

const endpoint = useEndpoint()

type Part = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number]
type Result = Extract<Extract<ModelMessage, { role: 'tool' }>['content'][number], { type: 'tool-result' }>

type Prompt = MockLanguageModelV4['doGenerateCalls'][number]['prompt']

const BYTES = 'QUJD'.repeat(5_000)
const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: BYTES } } as const

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('person', 'picture', 'calls', 'calls', 'says', 'server', 'late', 'approved'),
    calls: fc.integer({ min: 1, max: 3 }),
    size: fc.integer({ min: 0, max: 300 }),
    /** Whether its calls have the ids of other steps, each of its results is a message, and reasoning comes first. */
    again: fc.boolean(),
    split: fc.boolean(),
    thinks: fc.boolean(),
  }),
  { minLength: 4, maxLength: 30 },
)

type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never

/** The messages of one step; what a provider gives later is the result of its call in its own message. */
function messagesOf({ kind, calls, size, again, split, thinks }: Step, index: number): ModelMessage[] {
  const text = 'word '.repeat(size)
  const signature = { loopback: { signature: `${index}-${BYTES.slice(0, 120)}` } }
  const thought: Part[] = thinks ? [{ type: 'reasoning', text: 'I think.', providerOptions: signature }] : []
  const server = { toolCallId: `s${index}`, toolName: 'web', providerExecuted: true } as const
  const asked: Part = { type: 'tool-call', input: {}, ...server }
  const given: Part = { type: 'tool-result', ...server, output: { type: 'json', value: [text] } }
  switch (kind) {
    case 'person':
      return [{ role: 'user', content: text || 'Go on.' }]
    case 'picture':
      return [{ role: 'user', content: [picture, { type: 'text', text }] }]
    case 'says':
      return [{ role: 'assistant', content: [...thought, { type: 'text', text }] }]
    case 'server':
      return [{ role: 'assistant', content: [...thought, asked, given, { type: 'text', text: 'So.' }] }]
    default: {
      const ids = Array.from({ length: calls }, (_, at) => (again ? `call_${at}` : `c${index}_${at}`))
      const approval = { approvalId: `p${index}`, toolCallId: ids[0]! }
      const made = ids.map((toolCallId): Part => ({
        type: 'tool-call',
        toolCallId,
        toolName: 'Read',
        input: { index },
      }))
      const results = ids.map((toolCallId, at): Result => ({
        type: 'tool-result',
        toolCallId,
        toolName: 'Read',
        output:
          at === 1 ? { type: 'content', value: [{ type: 'text', text }, picture] } : { type: 'text', value: text },
      }))
      const content = [...thought, ...(kind === 'late' ? [asked] : []), ...made]
      if (kind === 'approved') content.push({ type: 'tool-approval-request', ...approval })
      const messages: ModelMessage[] = [{ role: 'assistant', content }]
      if (kind === 'approved') {
        messages.push({ role: 'tool', content: [{ type: 'tool-approval-response', approved: true, ...approval }] })
      }
      for (const some of split ? results.map((each) => [each]) : [results])
        messages.push({ role: 'tool', content: some })
      if (kind === 'late') messages.push({ role: 'assistant', content: [given, { type: 'text', text: 'Late.' }] })
      return messages
    }
  }
}

async function promptOf(messages: ModelMessage[], skills: object = {}): Promise<Prompt> {
  const model = new MockLanguageModelV4({
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'Done.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    }),
  })
  await generateText({ model, messages, ...skills })
  return model.doGenerateCalls[0]!.prompt.filter(({ role }) => role !== 'system')
}

/** The calls without a result, and the results without a call before them. */
function orphansIn(prompt: Prompt): readonly string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const { content } of prompt) {
    for (const part of typeof content === 'string' ? [] : content) {
      if (part.type === 'tool-call') open.push(part.toolCallId)
      else if (part.type === 'tool-result') {
        const at = open.indexOf(part.toolCallId)
        wrong.push(...(at === -1 ? [part.toolCallId] : []))
        open.splice(at, at === -1 ? 0 : 1)
      }
    }
  }
  return [...wrong, ...open]
}

test('[WIN-6, WIN-9] any conversation keeps its calls with their results, its bytes, and its summary, in any window', async () => {
  let summaries = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 600, max: 9_000 }), async (given, contextWindow) => {
      const messages: ModelMessage[] = [
        { role: 'user', content: 'Begin.' },
        ...given.flatMap(messagesOf),
        { role: 'user', content: 'And now?' },
      ]
      const window = { keepMessages: 4, keepFewestMessages: 2, summarize: () => 'Short.' }
      const { session } = await openTask(endpoint(), [], {}, { context: { window: contextWindow, summaries: window } })
      const Read = tool({ inputSchema: z.looseObject({}), execute: () => 'read' })
      const skills = withSkills(session, { tools: { Read } })
      const whole = (await promptOf(messages)).map((message) => JSON.stringify(message))
      const sent = await promptOf(messages, skills)
      expect(orphansIn(sent)).toEqual([])
      expect(await promptOf(messages, skills)).toEqual(sent)
      const hasSummary = adapterSession(session).state.summary !== undefined
      summaries += Number(hasSummary)
      const kept = sent.slice(Number(hasSummary)).map((message) => JSON.stringify(message))
      // What stays is what there was, in its order and byte for byte.
      let at = -1
      for (const message of kept) expect((at = whole.indexOf(message, at + 1))).toBeGreaterThan(-1)
      expect(kept.at(-1)).toBe(whole.at(-1))
    }),
    { numRuns: process.env['CI'] === undefined ? 15 : 60 },
  )
  expect(summaries).toBeGreaterThan(3)
})
