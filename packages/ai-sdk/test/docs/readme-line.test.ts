import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { fixtureSkills, openModelEndpoint } from '@repertoire/conformance'
import { openRepertoire } from '@repertoire/core'
import { runReadmeLine } from '@repertoire/test-servers'
import { ToolLoopAgent } from 'ai'
import { expect, it, onTestFinished } from 'vitest'
import { withSkills } from '../../src/index.ts'

it("[ADPT-1] the line in the repository's README makes an agent that activates a skill", async () => {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const calls = [{ tool: 'activate_skill', input: { name: 'repo-survey' } }]
  const { baseURL, apiKey, model: id } = endpoint.play([{ calls }, { text: 'Done.' }])
  const session = (await openRepertoire({ sources: [fixtureSkills()] })).openSession({ consent: () => true })
  const model = createOpenAICompatible({ name: 'local', baseURL, apiKey })(id)
  const agent = runReadmeLine('packages/ai-sdk', { ToolLoopAgent, withSkills, model, session, tools: {} })
  const { text } = await (agent as ToolLoopAgent).generate({ prompt: 'Survey the repository.' })
  expect([text, session.state.active.map(({ name }) => name)]).toEqual(['Done.', ['repo-survey']])
})
