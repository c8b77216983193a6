import { fixtureSkills, openModelEndpoint } from '@repertoire/conformance'
import { type AuditEvent, openRepertoire } from '@repertoire/core'
import { runReadmeLine } from '@repertoire/test-servers'
import { expect, it, onTestFinished } from 'vitest'
import { createReActLoop, openAICompatible } from '../../src/index.ts'

it("[ADPT-3] the line in the repository's README makes a loop that activates a skill", async () => {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const calls = [{ tool: 'activate_skill', input: { name: 'repo-survey' } }]
  const { baseURL, apiKey, model: id } = endpoint.play([{ calls }, { text: 'Done.' }])
  const events: AuditEvent[] = []
  const repertoire = await openRepertoire({
    sources: [fixtureSkills()],
    audit: { write: (event) => void events.push(event) },
  })
  const model = openAICompatible({ baseURL, apiKey, model: id })
  const loop = runReadmeLine('packages/react-loop', {
    createReActLoop,
    model,
    tools: [],
    repertoire,
    consent: () => true,
  })
  const { text } = await (loop as ReturnType<typeof createReActLoop>).run('Survey the repository.')
  const activated = events.filter(({ type }) => type === 'skill.activated').map(({ skill }) => skill?.name)
  expect([text, activated]).toEqual(['Done.', ['repo-survey']])
})
