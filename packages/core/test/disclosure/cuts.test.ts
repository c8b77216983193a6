import { expect, it } from 'vitest'
import { characters, listOf, skill } from '../tools/listed-skills.ts'

const skills = ['a', 'b'].map((name) => skill(name, { description: 'x'.repeat(400) }))

/** The lengths of the descriptions in a list that has room for so many characters; undefined for a name alone. */
async function lengthsIn(room: number, search?: 'always'): Promise<readonly (number | undefined)[]> {
  const { text } = await listOf(skills, 'tool', characters(room), search)
  return [...text.matchAll(/^- [ab](?:: (x+…?))?(?: \(.*\))?$/gm)].map(([, description]) => description?.length)
}

/** How many characters the lines take of two skills with descriptions of these lengths. */
const lines = (...lengths: readonly number[]): number =>
  lengths.map((length) => (length === 0 ? '- a' : `- a: ${'x'.repeat(length)}`)).join('\n').length

it('[SHOW-7] shortens descriptions to a common length, not below 120 characters: then they are left out', async () => {
  expect(await lengthsIn(lines(400, 400) - 1)).toEqual([399, 399])
  expect(await lengthsIn(lines(121, 121))).toEqual([121, 121])
  expect(await lengthsIn(lines(120, 120))).toEqual([120, 120])
  expect(new Set(await lengthsIn(lines(120, 120) - 1))).toEqual(new Set([120, undefined]))
  expect(await lengthsIn(lines(120, 0) - 1)).toEqual([undefined, undefined])
})

it('[SHOW-7] leaves locations out before a word of any description', async () => {
  const textAt = async (room: number): Promise<string> => (await listOf(skills, 'section', characters(room))).text
  expect(await textAt(10_000)).toContain('memory:project/a/SKILL.md')
  const tight = `## Available Skills\n\n${(await listOf(skills, 'lines')).text}`
  expect(await textAt(tight.length)).toBe(tight)
})

it('[SHOW-7] drops a skill before another loses its description, where a model can search for it', async () => {
  const note = '- (Skills not listed here, for lack of space: 1. Each can be activated by its name.)'
  expect(await lengthsIn(lines(120, 120) - 1, 'always')).toEqual([120])
  expect(await lengthsIn(lines(120) + 1 + note.length - 1, 'always')).toEqual([])
})
