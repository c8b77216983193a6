import { expect, it } from 'vitest'
import { renderListing } from '../../src/adapter.ts'
import { characters, skill } from '../tools/listed-skills.ts'

const skills = ['a', 'b'].map((name) => skill(name, { description: 'x'.repeat(400) }))

/** The lengths of the descriptions in a list that has room for so many characters; undefined for a name alone. */
function lengthsIn(room: number, searchable = false): readonly (number | undefined)[] {
  const { text } = renderListing(skills, 'tool', characters(room), [], { searchable })
  return [...text.matchAll(/^- [ab](?:: (x+…?))?(?: \(.*\))?$/gm)].map(([, description]) => description?.length)
}

/** How many characters the lines take of two skills with descriptions of these lengths. */
const lines = (...lengths: readonly number[]): number =>
  lengths.map((length) => (length === 0 ? '- a' : `- a: ${'x'.repeat(length)}`)).join('\n').length

it('[SHOW-7] shortens descriptions to a common length, not below 120 characters: then they are left out', () => {
  expect(lengthsIn(lines(400, 400) - 1)).toEqual([399, 399])
  expect(lengthsIn(lines(121, 121))).toEqual([121, 121])
  expect(lengthsIn(lines(120, 120))).toEqual([120, 120])
  expect(new Set(lengthsIn(lines(120, 120) - 1))).toEqual(new Set([120, undefined]))
  expect(lengthsIn(lines(120, 0) - 1)).toEqual([undefined, undefined])
})

it('[SHOW-7] leaves locations out before a word of any description', () => {
  const textAt = (room: number): string => renderListing(skills, 'section', characters(room)).text
  expect(textAt(10_000)).toContain('/skills/a/SKILL.md')
  const tight = `## Available Skills\n\n${renderListing(skills, 'lines').text}`
  expect(textAt(tight.length)).toBe(tight)
})

it('[SHOW-7] drops a skill before another loses its description, where a model can search for it', () => {
  const note = '- (Skills not listed here, for lack of space: 1. Each can be activated by its name.)'
  expect(lengthsIn(lines(120, 120) - 1, true)).toEqual([120])
  expect(lengthsIn(lines(120) + 1 + note.length - 1, true)).toEqual([])
})
