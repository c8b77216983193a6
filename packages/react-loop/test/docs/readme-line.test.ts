import { fixtureSkills, openModelEndpoint } from '@repertoire/conformance'
import { openRepertoire } from '@repertoire/core'
import { runReadmeLine } from '@repertoire/test-servers'
import { expect, it, onTestFinished } from 'vitest'
import { createReActLoop, openAICompatible } from '../../src/index.ts'

it("[ADPT-3] the line in the repository's README makes a loop that activates a skill", async () => {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const calls = [{ tool: 'activate_skill', input: { name: 'repo-survey' } }]
  const { baseURL, apiKey, model: id } = endpoint.play([{ calls }, { text: 'Done.' }])
  const session = (await openRepertoire({ sources: [fixtureSkills()] })).openSession({ consent: () => true })
  const model = openAICompatible({ baseURL, apiKey, model: id })
  const loop = runReadmeLine('packages/react-loop', { createReActLoop, model, session, tools: [] })
  const { text } = await (loop as ReturnType<typeof createReActLoop>).run('Survey the repository.')
  expect([text, session.activeSkills]).toEqual(['Done.', ['repo-survey']])
})
