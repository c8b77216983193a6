import { askInTerminal, openSkills } from '@repertoire/core/node'
import { createReActLoop, openAICompatible } from '@repertoire/react-loop'

const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1' } = process.env
const repertoire = await openSkills('.agents/skills')
const model = openAICompatible({ baseURL, apiKey, model: 'gpt-5.2' })
const loop = createReActLoop({ model, repertoire, session: { consent: askInTerminal() } })
const { text } = await loop.run('Commit message: I renamed colour to color.')
console.log(text)
