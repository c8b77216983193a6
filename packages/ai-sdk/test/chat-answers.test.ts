import { beforeAll, describe, expect, test } from 'vitest'
import { skillsAgent } from '../src/index.ts'
import { type Played, playChats } from './chat-answers.ts'
import { withVersion6 } from './v6/process.ts'

const ABANDONED = 'the conversation continued before it was done'
const DENIED = 'CONSENT_DENIED'

describe.each([
  ['version 7', () => playChats(skillsAgent)],
  ['version 6', async () => JSON.parse(await withVersion6('chat-answers.ts')) as Record<string, Played>],
])('a chat of %s', (version, playAll) => {
  let played: Record<string, Played>
  beforeAll(async () => {
    played = await playAll()
  })
  // Version 7 takes a call that was not answered out of a chat's messages; version 6 leaves it without a result.
  const left = version === 'version 6' ? [expect.stringContaining(ABANDONED)] : []

  test.each([
    ['a late yes', [ABANDONED]],
    ['a late no', [DENIED]],
    ['a late yes to a /name', []],
  ])('[ASK-5, ABUSE-149] goes on after %s', (name, results) => {
    expect(played[name]).toMatchObject({
      said: ['', 'One.', 'One.', 'Two.'],
      results: results.map((text) => expect.stringContaining(text)),
    })
  })

  test.each([
    ['a yes to one of two activations', ABANDONED],
    ['a no to one of two activations', DENIED],
    ['a yes to one of two tools', ABANDONED],
    ['a no to one of two tools', 'denied'],
  ])('[ASK-5, ABUSE-149] goes on after %s and a message', (name, result) => {
    expect(played[name]).toMatchObject({
      said: ['', '', 'One.', 'Two.'],
      ran: [],
      results: [expect.stringContaining(result), ...left],
    })
  })

  test('[ASK-2, ABUSE-158] asks again after a yes to a folder that has changed', () => {
    const { said, results, states } = played['a yes to a folder that has changed']!
    expect(results).toEqual([
      expect.stringContaining('Make the same call again, which asks for consent to its folder as it is now'),
      expect.stringContaining('LOOK TWICE.'),
    ])
    expect(said.at(-1)).toBe('One.')
    expect(states.at(-1)).toBe('output-available')
  })

  test('[ASK-5, ACT-2] tells the model that a skill is gone, if the yes comes after that', () => {
    const { said, results } = played['a yes to a skill that is gone']!
    expect(results).toEqual([expect.stringContaining('There is no skill \\"careful\\"')])
    expect(said).toEqual(['', 'One.'])
  })
})
