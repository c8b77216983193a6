import { expect, test } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'

test('[GATE-10, GATE-11] an explanation names the rules that permit nothing, and those without bounds', async () => {
  const file =
    '---\nname: pdf\ndescription: Reads.\nallowed-tools: Read(~/x) Bash(git log|cat:*) Bash(sed:*)\n---\nRead it.\n'
  const source = memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': file } } })
  const repertoire = await openRepertoire({ sources: [source] })
  const { candidates, text } = repertoire.explain('pdf')
  expect(candidates[0]!.reasons.map(({ type }) => type)).toEqual(['unbounded', 'no-effect', 'no-effect'])
  expect(text).toContain('Read(~/x) in its `allowed-tools` permits nothing: its pattern is not plain')
  expect(text).toContain(
    'Bash(git log|cat:*) in its `allowed-tools` permits nothing: its pattern is not one plain command',
  )
  expect(text).toContain('it may do anything that sed can do on this machine, by rules without bounds: Bash(sed:*)')
})
