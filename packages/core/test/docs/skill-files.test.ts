import { expect, it } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { parseSkill } from '../../src/authoring.ts'
import { describeAnew } from './skill-files-example.ts'

const TEXT = '---\nname: tidy\ndescription: Tidies.\n---\nTidy up. See [more](references/more.md).\n'

it('[ADPT-4, MAN-1] shows on the page of skill files a program that reads, advises and writes', async () => {
  const skills = { tidy: { 'SKILL.md': TEXT } }
  const { catalog } = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  const { folder } = catalog.get('tidy')
  const { text, notes } = await describeAnew(TEXT, folder, 'Cleans up.')
  expect((await parseSkill(text!)).manifest?.description).toBe('Cleans up.')
  expect(notes?.map(({ code }) => code)).toEqual(['LINK_BROKEN'])
  expect(await describeAnew('---\nname: tidy\n', folder, '')).toEqual({
    problems: [expect.stringMatching(/^1: The frontmatter .* is not closed/)],
  })
})
