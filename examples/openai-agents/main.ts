import { createInterface } from 'node:readline/promises'
import { Agent, MemorySession, type RunState, tool } from '@openai/agents'
import { memorySessions } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { errorFunction, skillsRunner } from '@repertoire/openai-agents'
import { z } from 'zod'
import { openModel } from './model.ts'

const { runner, model, close } = await openModel()

const order = z.object({ order: z.string() })
const lookUp = tool({
  name: 'Order',
  description: 'Looks an order up.',
  parameters: order,
  execute: ({ order: id }) => `Order ${id}: tea, 40 euros, paid`,
  errorFunction,
})
const refund = tool({
  name: 'Refund',
  description: 'Pays money back.',
  parameters: z.object({ order: z.string(), euros: z.number() }),
  // The SDK's own approval, beside what skills permit.
  needsApproval: async (_context, { euros }) => euros > 20,
  execute: ({ order: id, euros }) => `Refunded ${euros} euros of order ${id}.`,
  errorFunction,
})
const cancel = tool({
  name: 'Cancel',
  description: 'Cancels an order.',
  parameters: order,
  execute: ({ order: id }) => `Cancelled order ${id}.`,
  errorFunction,
})

const billing = new Agent({
  name: 'Billing',
  instructions: 'You handle money.',
  model,
  tools: [lookUp, refund, cancel],
})
const desk = new Agent({
  name: 'Front desk',
  instructions: 'You hand money matters over.',
  model,
  tools: [lookUp, cancel],
})
// Each may hand over to the other.
desk.handoffs = [billing]
billing.handoffs = [desk]

const repertoire = await openSkills('skills')
// A store for production, such as Redis, keeps the sessions between processes.
const skills = skillsRunner({ repertoire, sessions: memorySessions(), runner })
const history = new MemorySession({ sessionId: 'chat-7' })
const chat = skills.task('chat-7')
let agent: Agent<any, any> = desk

/** Asks in the terminal. Without one, as in a test, the answer is yes. */
async function ask(question: string): Promise<boolean> {
  console.log(question)
  if (!process.stdin.isTTY) return true
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const line = await terminal.question('[y/N] ')
  terminal.close()
  return line === 'y'
}

/** Sends a message, and asks about everything that the run then waits for, until nothing is left. */
async function send(message: string): Promise<void> {
  let input: string | RunState<any, any> = message
  for (;;) {
    const result = await chat.run(agent, input, { session: history })
    agent = result.lastAgent ?? agent
    if (result.interruptions.length === 0) return console.log(`${agent.name}: ${result.finalOutput}`)
    // As it would be stored, for this process or another.
    const state: RunState<any, any> = await chat.restore(agent, result.state.toString())
    const answers = []
    for (const { request } of await chat.requests(state)) {
      answers.push({ requestId: request.id, approved: await ask(request.text) })
    }
    await chat.answer(state, answers)
    // The SDK's own approvals.
    for (const interruption of state
      .getInterruptions()
      .filter(({ name }: { name?: string | undefined }) => name === 'Refund')) {
      if (await ask(`Refund ${interruption.arguments}?`)) state.approve(interruption)
      else state.reject(interruption)
    }
    input = state
  }
}

for (const each of [billing, desk]) {
  each.on('agent_tool_end', (_context, { name }, result) => console.log(`[${name}] ${result.split('\n')[0]}`))
  each.on('agent_handoff', (_context, next) => console.log(`${each.name} hands over to ${next.name}.`))
}
await send('The tea of order 7 was stale. I want my money back.')
await send('Cancel the order, too.')
await close()
