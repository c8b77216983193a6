import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { fixtureSkills, openModelEndpoint } from '@repertoire/conformance'
import { openRepertoire } from '@repertoire/core'
import { runReadmeLine } from '@repertoire/test-servers'
import type { Agent } from 'ai'
import { expect, it, onTestFinished, vi } from 'vitest'
import { skillsAgent } from '../../src/index.ts'

it("[ADPT-1] the line in the repository's README makes an agent that activates a skill", async () => {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const calls = [{ tool: 'activate_skill', input: { name: 'repo-survey' } }]
  const { baseURL, apiKey, model: id } = endpoint.play([{ calls }, { text: 'Done.' }])
  const repertoire = await openRepertoire({ sources: [fixtureSkills()] })
  const consent = vi.fn(() => true)
  const model = createOpenAICompatible({ name: 'local', baseURL, apiKey })(id)
  const agent = runReadmeLine('packages/ai-sdk', { skillsAgent, model, repertoire, consent, tools: {} })
  const { text } = await (agent as Agent).generate({ prompt: 'Survey the repository.' })
  expect([text, consent.mock.calls]).toEqual([
    'Done.',
    [[expect.objectContaining({ skill: 'repo-survey' }), expect.anything()]],
  ])
})
