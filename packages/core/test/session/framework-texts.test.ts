import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { messageText, systemPrompt, unattendedError } from '../../src/adapter.ts'

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

describe('a system prompt of several messages', () => {
  it('[ADPT-4] is one text, and the same messages again, of which the last has what follows', () => {
    const own = [{ content: 'Mine.', mark: 1 }, { content: 'More.' }]
    const { text, messages } = systemPrompt(own)
    expect(text).toBe('Mine.\n\nMore.')
    expect(messages(text)).toEqual([own[0], { role: 'system', content: 'More.' }])
    expect(messages(`${text}\n\nReminder.`)).toEqual([own[0], { role: 'system', content: 'More.\n\nReminder.' }])
    expect(messages('Cut.')).toEqual([{ role: 'system', content: 'Cut.', mark: 1 }])
    expect(messages(undefined)).toEqual([])
  })

  it('[ADPT-4] is none if there is no message', () => {
    const { text, messages } = systemPrompt([])
    expect(text).toBeUndefined()
    expect(messages('Reminder.')).toEqual([{ role: 'system', content: 'Reminder.' }])
  })
})

describe('what waits for a person in a sub-agent', () => {
  it('[ACT-10] is told that nobody can be asked, and what to do instead', () => {
    expect(unattendedError('Ask"').message).toBe(
      'The call of "Ask\\"" waits for a person, but a sub-agent runs unattended and cannot ask. ' +
        'Go on without it, and say in your result what is left to be asked.',
    )
    expect(unattendedError().message).toContain('sub-agents run unattended')
  })
})
