import { ChatOpenAI } from '@langchain/openai'
import { fixtureSkills, openModelEndpoint } from '@repertoire/conformance'
import { openRepertoire } from '@repertoire/core'
import { runReadmeLine } from '@repertoire/test-servers'
import { createAgent } from 'langchain'
import { expect, it, onTestFinished } from 'vitest'
import { skillsMiddleware } from '../../src/index.ts'

it("[ADPT-2] the line in the repository's README makes an agent that activates a skill", async () => {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const calls = [{ tool: 'activate_skill', input: { name: 'repo-survey' } }]
  const play = endpoint.play([{ calls }, { text: 'Done.' }])
  const { baseURL, apiKey } = play
  const repertoire = await openRepertoire({ sources: [fixtureSkills()] })
  const model = new ChatOpenAI({ model: play.model, apiKey, maxRetries: 0, configuration: { baseURL } })
  const names = { createAgent, skillsMiddleware, repertoire, model, tools: [], consent: () => true }
  const agent = runReadmeLine('packages/langchain', names) as ReturnType<typeof createAgent>
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Survey the repository.' }] })
  expect(messages.at(-1)?.text).toBe('Done.')
  expect(JSON.stringify(play.requests.at(-1))).toContain('<skill_content name=\\"repo-survey\\"')
})
