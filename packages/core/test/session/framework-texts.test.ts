import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { joinSystemPrompt, messageText, unattendedCallError, unattendedForkError } from '../../src/adapter.ts'

describe('the text of a message', () => {
  it('[ACT-12] keeps parts apart, and takes those that are text alone', () => {
    expect(messageText('/greeter Ada')).toBe('/greeter Ada')
    expect(messageText('')).toBe('')
    expect(messageText([])).toBe('')
    const parts = [
      { type: 'text', text: '/greeter' },
      { type: 'image', image: 'https://x.test/a.png', text: 'alt' },
      { type: 'text' },
      { type: 'text', text: 7 },
      { type: 'text', text: 'Ada' },
    ]
    expect(messageText(parts)).toBe('/greeter\nAda')
  })

  it.each([[null], [undefined], [7], [{}], [[null]], [[undefined, 7, 'text']]])(
    '[ACT-12] is empty for %j',
    (content) => {
      expect(messageText(foreign(content))).toBe('')
    },
  )
})

describe('a system prompt', () => {
  it('[ACT-14, ADPT-4] has an empty line between what it is made of, and none around it', () => {
    expect(joinSystemPrompt('Mine.', 'Skills.', 'Reminder.')).toBe('Mine.\n\nSkills.\n\nReminder.')
    expect(joinSystemPrompt(undefined, '', 'Reminder.')).toBe('Reminder.')
    expect(joinSystemPrompt('Mine.', undefined)).toBe('Mine.')
    expect(joinSystemPrompt('', undefined)).toBeUndefined()
    expect(joinSystemPrompt()).toBeUndefined()
  })
})

describe('what waits for a person in a sub-agent', () => {
  it('[ACT-10] is told that nobody can be asked, and what to do instead', () => {
    expect(unattendedCallError('Ask"').message).toBe(
      'The call of "Ask\\"" waits for a person, but a sub-agent runs unattended and cannot ask. ' +
        'Go on without it, and say in your result what is left to be asked.',
    )
    expect(unattendedForkError().message).toContain('sub-agents run unattended')
  })
})
