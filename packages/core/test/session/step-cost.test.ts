import { expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { estimateTokens, memorySource, openRepertoire } from '../../src/index.ts'

const skills = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, n) => [
    `skill-${n}`,
    {
      'SKILL.md': `---\nname: skill-${n}\ndescription: Handles ${n}. ${'Use it where it fits. '.repeat(10)}\n---\nDo it.\n`,
    },
  ]),
)

const STYLES = ['xml', 'section', 'tool', 'tools', 'matched'] as const

/** A repertoire of a thousand skills, and how much of their text was counted so far. */
async function openCounted(style: (typeof STYLES)[number]) {
  let characters = 0
  const countTokens = (text: string): number => {
    characters += text.length
    return estimateTokens(text)
  }
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    listing: { style },
    context: { countTokens },
  })
  return { repertoire, counted: () => characters }
}

it.each(STYLES)(
  '[NFR-5] gives a counter of the host in the first step of the style %s a bounded number of lists',
  async (style) => {
    const { repertoire, counted } = await openCounted(style)
    const { cuts } = await openAdapterSession(repertoire).step({ tools: [] })
    // A list has about 16,000 characters, and all that there is to show 270,000.
    expect(cuts.dropped.length).toBeGreaterThan(100)
    expect(counted()).toBeLessThan(20 * 16_000)
  },
)

it.each(STYLES)('[NFR-6] counts nothing at a later step of the style %s, nor in another session', async (style) => {
  const { repertoire, counted } = await openCounted(style)
  const session = openAdapterSession(repertoire, { consent: () => true })
  await session.step({ tools: [] })
  const first = counted()
  await session.step({ tools: [] })
  await openAdapterSession(repertoire, { consent: () => true }).step({ tools: [] })
  expect(counted()).toBe(first)
  const activate =
    style === 'tools' ? { tool: 'skill_skill-7', input: {} } : { tool: 'activate_skill', input: { name: 'skill-7' } }
  expect(await session.call({ id: '1', ...activate }, () => '')).toMatchObject({ ok: true })
  const { instructions } = await session.step({ tools: [] })
  const withActive = counted()
  expect((await session.step({ tools: [] })).instructions).toBe(instructions)
  expect(counted()).toBe(withActive)
  // Only a style whose list shows what is active has another one then.
  expect(withActive > first).toBe(style === 'matched')
})

it('[NFR-5] opens with a counter that fails, and reports it at the first step', async () => {
  const problems: string[] = []
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    context: {
      countTokens: () => {
        throw new Error('It is not loaded.')
      },
    },
  })
  const session = openAdapterSession(repertoire, { onProblem: ({ code }) => void problems.push(code) })
  expect(problems).toEqual([])
  await session.step({ tools: [] })
  await session.step({ tools: [] })
  expect(problems).toEqual(['TOKENS_NOT_COUNTED'])
})
