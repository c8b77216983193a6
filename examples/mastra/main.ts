import { createInterface } from 'node:readline/promises'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { createStep, createWorkflow } from '@mastra/core/workflows'
import { memorySessions } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { skillsAgent } from '@repertoire/mastra'
import { z } from 'zod'
import { openModel } from './model.ts'

const { model, close } = await openModel()

const order = z.object({ order: z.string() })
const tools = {
  Order: createTool({
    id: 'Order',
    description: 'Looks an order up.',
    inputSchema: order,
    execute: async ({ order: id }) => `Order ${id}: tea, 40 euros, paid`,
  }),
  Refund: createTool({
    id: 'Refund',
    description: 'Pays money back.',
    inputSchema: z.object({ order: z.string(), euros: z.number() }),
    // Mastra's own approval, beside what skills permit.
    requireApproval: ({ euros }) => euros > 20,
    execute: async ({ order: id, euros }) => `Refunded ${euros} euros of order ${id}.`,
  }),
  Cancel: createTool({
    id: 'Cancel',
    description: 'Cancels an order.',
    inputSchema: order,
    execute: async ({ order: id }) => `Cancelled order ${id}.`,
  }),
}

const agent = skillsAgent(
  { id: 'billing', name: 'Billing', instructions: 'You handle money.', model, tools },
  // A store for production, such as Redis, keeps the sessions between processes.
  { repertoire: await openSkills('skills'), sessions: memorySessions() },
)

/** Runs the agent. While it waits for a person, the workflow waits. */
const decide = createStep({
  id: 'decide',
  inputSchema: z.object({ complaint: z.string() }),
  outputSchema: z.object({ answer: z.string() }),
  suspendSchema: z.object({ question: z.string(), runId: z.string(), toolCallId: z.string() }),
  resumeSchema: z.object({ approved: z.boolean() }),
  async execute({ inputData, resumeData, suspendData, suspend }) {
    const { runId = '', toolCallId = '' } = suspendData ?? {}
    const result =
      resumeData === undefined
        ? await agent.generate(inputData.complaint, { onStepFinish: print })
        : await agent.resumeGenerate(resumeData, { runId, toolCallId, onStepFinish: print })
    if (result.finishReason !== 'suspended') return { answer: result.steps.at(-1)?.text ?? result.text }
    const waiting = result.suspendPayload as { toolCallId: string; toolName: string; args: unknown }
    // Consent to a skill has a text that says what a yes means. Other calls wait for Mastra's own approval.
    const [consent] = await agent.requests(result.runId ?? '')
    const question = consent?.request.text ?? `${waiting.toolName} ${JSON.stringify(waiting.args)}?`
    return suspend({ question, runId: result.runId ?? '', toolCallId: waiting.toolCallId })
  },
})

const write = createStep({
  id: 'write',
  inputSchema: z.object({ answer: z.string() }),
  outputSchema: z.object({ letter: z.string() }),
  execute: async ({ inputData }) => ({ letter: `Dear customer, ${inputData.answer}` }),
})

const refunds = createWorkflow({
  id: 'refunds',
  inputSchema: z.object({ complaint: z.string() }),
  outputSchema: z.object({ letter: z.string() }),
})
  .then(decide)
  .then(write)
  .commit()

function print({ toolResults }: { toolResults: readonly { payload: { toolName: string; result: unknown } }[] }): void {
  for (const { payload } of toolResults) console.log(`[${payload.toolName}] ${String(payload.result).split('\n')[0]}`)
}

/** Asks in the terminal. Without one, as in a test, the answer is yes. */
async function ask(question: string): Promise<boolean> {
  console.log(question)
  if (!process.stdin.isTTY) return true
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const line = await terminal.question('[y/N] ')
  terminal.close()
  return line === 'y'
}

const mastra = new Mastra({ agents: { agent }, workflows: { refunds }, storage: new InMemoryStore(), logger: false })
const run = await mastra.getWorkflow('refunds').createRun()
let result = await run.start({ inputData: { complaint: 'The tea of order 7 was stale. I want my money back.' } })
while (result.status === 'suspended') {
  const { question } = result.steps.decide.suspendPayload as { question: string }
  result = await run.resume({ step: 'decide', resumeData: { approved: await ask(question) } })
}
console.log(result.status === 'success' ? result.result.letter : result)
await close()
