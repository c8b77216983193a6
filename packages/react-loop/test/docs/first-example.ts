import { openSkills } from '@repertoire/core/node'
import { createReActLoop, openAICompatible } from '@repertoire/react-loop'
import { createInterface } from 'node:readline/promises'

const terminal = createInterface(process.stdin, process.stdout)
const repertoire = await openSkills('./skills')
const consent = async (request: { text: string }) => (await terminal.question(`${request.text} [y/N] `)) === 'y'
const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1' } = process.env
const model = openAICompatible({ baseURL, apiKey, model: 'gpt-5.2' })
const loop = createReActLoop({ model, repertoire, session: { consent } })
console.log((await loop.run('Commit message: I renamed colour to color.')).text)
terminal.close()
