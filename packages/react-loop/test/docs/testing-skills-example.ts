import { activate, call, lastRefusal, lastResult, openModelEndpoint, say } from '@repertoire/conformance'
import { openSkills } from '@repertoire/core/node'
import { createReActLoop, openAICompatible } from '@repertoire/react-loop'
import { expect, onTestFinished, test } from 'vitest'

test('the skill release-notes reads the log, and cannot push', async () => {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const play = endpoint.play([
    activate('release-notes'),
    call('Bash', { command: 'git log --oneline' }),
    call('Bash', { command: 'git push' }),
    say('Search is twice as fast.'),
  ])
  await using repertoire = await openSkills('.agents/skills')
  const ran: unknown[] = []
  const bash = {
    name: 'Bash',
    description: 'Runs a command.',
    inputSchema: { type: 'object', properties: { command: { type: 'string' } } },
    execute: (input: unknown) => ran.push(input),
  }
  const model = openAICompatible({ baseURL: play.baseURL, apiKey: play.apiKey, model: 'scripted' })
  const loop = createReActLoop({ model, repertoire, tools: [bash], session: { consent: () => true } })
  await loop.run('Write the release notes.')

  // The first call of the model's first, and of its third message.
  expect(lastResult(play, 'call_1_1')).toContain('Name what changed for users')
  expect(lastRefusal(play, 'call_3_1').code).toBe('TOOL_NOT_ALLOWED')
  expect(ran).toEqual([{ command: 'git log --oneline' }])
})
