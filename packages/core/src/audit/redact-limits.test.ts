// An algorithm of its own: events hold what it leaves of a text.
import { describe, expect, it } from 'vitest'
import { redactText, redactValue } from './redact.ts'

/** A secret that is as long as the beginning of a text, and becomes short. */
const LONG_SECRET = `password=${'x'.repeat(15_000)} `
const SHOWN = 'password=[redacted] '

/**
 * Commands, each with a password that is one too many characters from its program to be seen, until the one before it
 * has become short. Two of them are redacted in a round.
 */
function chain(count: number): string {
  const programs = ['signtool', 'schtasks'] as const
  const option = { schtasks: '/rp', signtool: '/p' }
  const program = (index: number) => programs[index % 2]!
  const links = Array.from({ length: count }, (_, index) => {
    const filler = 'f'.repeat(135)
    return `${program(index + 1)} ${filler} ${option[program(index)]} ${'x'.repeat(20)}`
  })
  return ['signtool', ...links].join(' ')
}

describe('the limits of redaction', () => {
  it('[OBS-4] searches the first 16,000 characters, and shows nothing of what comes after them', () => {
    const words = 'word '.repeat(200).slice(0, 16_000 - LONG_SECRET.length)
    expect(redactText(`${LONG_SECRET}${words}`)).toBe(`${SHOWN}${words}`)
    expect(redactText(`${LONG_SECRET}${words} `)).toMatch(/d…$/)
  })

  it('[OBS-4] removes 512 characters of a word that goes on behind them, which could be half of a secret', () => {
    const shown = 'y'.repeat(16_000 - 512 - LONG_SECRET.length)
    expect(redactText(`${LONG_SECRET}${'y'.repeat(1_000)}`)).toBe(`${SHOWN}${shown}…`)
  })

  it('[OBS-4] searches eight times for what comes to light, and then shows nothing of the text', () => {
    const redacted = redactText(chain(13))
    expect(redacted.split('[redacted]')).toHaveLength(14)
    expect(redacted).not.toContain('x'.repeat(20))
    expect(redactText(chain(14))).toBe('[redacted]')
  })
})

describe('the limits of a redacted value', () => {
  it('[OBS-4] shows eight levels', () => {
    const nested = (levels: number, innermost: unknown): unknown =>
      levels === 0 ? innermost : [nested(levels - 1, innermost)]
    expect(redactValue(nested(8, 1))).toEqual(nested(8, 1))
    expect(redactValue(nested(9, 1))).toEqual(nested(8, '…'))
  })

  it('[OBS-4] shows 500 values', () => {
    const lists = (last: number) => [...Array<number>(9).fill(49), last].map((count) => Array<number>(count).fill(1))
    expect(redactValue(lists(48))).toEqual(lists(48))
    expect(redactValue(lists(49))).toEqual([...lists(49).slice(0, 9), [...Array<number>(48).fill(1), '…']])
  })

  it('[OBS-4, ABUSE-99] finds the password of an option in the words of a command, however long they are', () => {
    const command = ['redis-cli', '-a', 'hunter2']
    const lastOf = (words: readonly string[]) => (redactValue([...words, ...command]) as readonly string[]).at(-1)
    expect(lastOf(Array<string>(47).fill('x'))).toBe('[redacted]')
    expect(lastOf(['x'.repeat(3_000)])).toBe('[redacted]')
  })

  it('[OBS-4, ABUSE-99] finds a password by its position in words of up to 2,000 characters with their blanks', () => {
    const loginOf = (word: string) => (redactValue(['vault', 'login', 'hunter2', '-x', word]) as readonly string[])[2]
    const rest = 2_000 - 'vault login hunter2 -x  '.length
    expect(loginOf('x'.repeat(rest))).toBe('[redacted]')
    expect(loginOf('x'.repeat(rest + 1))).toBe('hunter2')
  })
})
