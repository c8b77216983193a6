import { describe, expect, it } from 'vitest'
import { parseSkill } from '../src/internal.ts'

/** Why a frontmatter with this in it is not read. */
async function problemOf(field: string): Promise<string | undefined> {
  const { diagnostics } = await parseSkill(`---\nname: pdf\ndescription: x\n${field}\n---\n`)
  return diagnostics.find(({ code }) => code === 'YAML_TOO_COMPLEX')?.message
}

const TOO_COMPLEX = 'The frontmatter is nested deeper than 32 levels or holds more than 2000 values.'

describe('a frontmatter', () => {
  it.each([
    ['mappings in braces', (levels: number) => `a: ${'{b: '.repeat(levels)}x${'}'.repeat(levels)}`],
    ['lists of dashes', (levels: number) => `a:\n  ${'- '.repeat(levels)}x`],
    [
      'mappings on lines',
      (levels: number) => `${Array.from({ length: levels + 1 }, (_, level) => `${' '.repeat(level)}b:`).join('\n')} x`,
    ],
  ])('[MAN-15, ABUSE-3] is read to 32 levels, and not to 33: %s', async (_what, field) => {
    // The frontmatter itself is one.
    expect(await problemOf(field(31))).toBeUndefined()
    expect(await problemOf(field(32))).toBe(TOO_COMPLEX)
  })

  it('[MAN-15, ABUSE-3] is read to 2,000 values, and not to one more', async () => {
    // The mapping, its three keys, two of their values, and the list.
    const items = Array<string>(2_000 - 7)
      .fill('x')
      .join(',')
    expect(await problemOf(`a: [${items}]`)).toBeUndefined()
    expect(await problemOf(`a: [${items},x]`)).toBe(TOO_COMPLEX)
  })
})

it('[MAN-2] a message repeats 120 characters of a value', async () => {
  const messageFor = async (length: number) => {
    const { diagnostics } = await parseSkill(`---\nname: pdf\ndescription: x\nstatus: ${'x'.repeat(length)}\n---\n`)
    return diagnostics[0]!.message
  }
  expect(await messageFor(120)).toContain(`"${'x'.repeat(120)}"`)
  expect(await messageFor(121)).toContain(`"${'x'.repeat(120)}…"`)
})
