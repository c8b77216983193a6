import { expect, it } from 'vitest'
import { listAsXml, type ListedSkill } from '../../src/disclosure/listing.ts'
import { fitList } from '../../src/disclosure/fit.ts'

it('[SHOW-7] a description is shortened to 24 characters and no further: then it is left out', () => {
  const skills: readonly ListedSkill[] = ['a', 'b'].map((name) => ({
    name,
    path: `/skills/${name}/SKILL.md`,
    manifest: { description: 'x'.repeat(100) },
  }))
  const size = (chars: number) =>
    listAsXml(skills.map((skill) => ({ ...skill, manifest: { description: 'x'.repeat(chars) } }))).length
  const shownIn = (tokens: number) =>
    fitList({
      skills,
      budget: { tokens, countTokens: (text) => text.length },
      text: (entries) =>
        listAsXml(
          entries.map(({ name, location, description }) => ({
            name,
            path: location,
            manifest: { description: description ?? '' },
          })),
        ),
    }).entries.map(({ description }) => description?.length)
  expect(shownIn(size(25))).toEqual([25, 25])
  expect(shownIn(size(24))).toEqual([24, 24])
  expect(shownIn(size(24) - 1)).toEqual([24, undefined])
})
