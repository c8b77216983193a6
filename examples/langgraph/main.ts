import { createInterface } from 'node:readline/promises'
import { AIMessageChunk, ToolMessage } from '@langchain/core/messages'
import { type Command, MemorySaver } from '@langchain/langgraph'
import { openSkills } from '@repertoire/core/node'
import { activeSkills, consentRequests, endSkills, resumeWith, skillsMiddleware } from '@repertoire/langchain'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import { openModel } from './model.ts'

const { model, close } = await openModel()
const repertoire = await openSkills('skills')
// A checkpointer for production, such as PostgresSaver, keeps the thread between processes.
const checkpointer = new MemorySaver()
const config = { configurable: { thread_id: 'ticket-7' } }

/** Makes the agent. Each request of a web server may make its own: the thread is in the checkpointer. */
function openAgent() {
  const middleware = [skillsMiddleware(repertoire)]
  return createAgent({ model, tools: hostTools, checkpointer, middleware })
}

const text = (name: string) => z.object({ [name]: z.string() })
const hostTools = [
  tool(() => '- export tables as CSV\n- open large files twice as fast\n- rename an internal class', {
    name: 'Read',
    description: 'Reads a file.',
    schema: text('file_path'),
  }),
  tool(() => 'This never runs: no active skill allows it.', {
    name: 'Bash',
    description: 'Runs a command.',
    schema: text('command'),
  }),
]

type Input = { messages: { role: 'user'; content: string }[] } | Command

/** Runs the agent until it ends or waits, and prints what it says while it says it. */
async function stream(agent: ReturnType<typeof openAgent>, input: Input): Promise<void> {
  for await (const [message] of await agent.stream(input, { ...config, streamMode: 'messages' })) {
    if (AIMessageChunk.isInstance(message)) process.stdout.write(message.text)
    else if (ToolMessage.isInstance(message)) console.log(`\n[${message.name}] ${message.text.split('\n')[0]}`)
  }
  console.log()
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

/** Sends a message, and asks about everything that the thread then waits for, until nothing is left. */
async function send(content: string): Promise<void> {
  const agent = openAgent()
  let input: Input = { messages: [{ role: 'user', content }] }
  for (;;) {
    await stream(agent, input)
    const pending = await consentRequests(agent, config)
    if (pending.length === 0) return
    console.log(`The thread waits for ${pending.length} answers.`)
    const answers = []
    for (const { request } of pending) answers.push({ requestId: request.id, approved: await ask(request.text) })
    input = resumeWith(pending, answers)
  }
}

await send('Write the release notes of version 2.0 for our customers.')
await send('Thanks!')
console.log('Active:', await activeSkills(openAgent(), config))
await endSkills(repertoire, openAgent(), config)
console.log('Active after the task:', await activeSkills(openAgent(), config))
await close()
