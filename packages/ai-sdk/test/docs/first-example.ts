import { openai } from '@ai-sdk/openai'
import { skillsAgent } from '@repertoire/ai-sdk'
import { openSkills } from '@repertoire/core/node'
import { createInterface } from 'node:readline/promises'

const terminal = createInterface(process.stdin, process.stdout)
const repertoire = await openSkills('./skills')
const consent = async (request: { text: string }) => (await terminal.question(`${request.text} [y/N] `)) === 'y'
const agent = skillsAgent({ model: openai('gpt-5.2'), repertoire, session: { consent } })
console.log((await agent.generate({ prompt: 'Commit message: I renamed colour to color.' })).text)
terminal.close()
