import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HARMLESS_PROGRAMS } from '@repertoire/gate/internal'
import { publishSections } from '../generated-section.ts'
import { sectionOf } from '../marked-section.ts'
import { renderPrograms } from '../programs-table.ts'

const root = join(import.meta.dirname, '../..')

test('[GATE-15] the page on programs has the options that the gate reads; if it has not, run `npm run programs`', () => {
  const sections = [{ file: 'docs/programs.md', content: renderPrograms(HARMLESS_PROGRAMS) }]
  expect(publishSections(sections, { root, name: 'programs', command: 'npm run programs', isCheck: true })).toBe(true)
})

test('[GATE-15] the page on programs has a heading for each of them', () => {
  const section = sectionOf(readFileSync(join(root, 'docs/programs.md'), 'utf8'), 'programs', 'docs/programs.md')
  const headings = section.match(/^### .*$/gm)
  expect(headings).toEqual(HARMLESS_PROGRAMS.map(({ names }) => `### ${names.split(' ', 1)[0]!}`))
  expect(headings).toHaveLength(30)
})
