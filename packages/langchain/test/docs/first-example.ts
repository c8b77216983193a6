import { openSkills } from '@repertoire/core/node'
import { skillsMiddleware } from '@repertoire/langchain'
import { createAgent } from 'langchain'
import { createInterface } from 'node:readline/promises'

const terminal = createInterface(process.stdin, process.stdout)
const repertoire = await openSkills('./skills')
const consent = async (request: { text: string }) => (await terminal.question(`${request.text} [y/N] `)) === 'y'
const agent = createAgent({ model: 'openai:gpt-5.2', middleware: [skillsMiddleware(repertoire, { consent })] })
const result = await agent.invoke({ messages: 'Commit message: I renamed colour to color.' })
console.log(result.messages.at(-1)?.text)
terminal.close()
