import { expect, test } from 'vitest'
import { loadCommands } from '@repertoire/gate/internal'
import { memorySource, openRepertoire } from '../../src/index.ts'

test('[GATE-10] an explanation names the rules that permit nothing', async () => {
  const file = '---\nname: pdf\ndescription: Reads.\nallowed-tools: Read(~/x) Bash(git log|cat:*)\n---\nRead it.\n'
  const source = memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': file } } })
  const repertoire = await openRepertoire({ sources: [source] })
  // An explanation waits for nothing: this imports what reads rules for commands.
  await loadCommands()
  const { candidates, text } = repertoire.explain('pdf')
  expect(candidates[0]!.reasons).toContainEqual({
    type: 'no-effect',
    rules: [
      { rule: 'Read(~/x)', why: 'its pattern holds a "~"' },
      { rule: 'Bash(git log|cat:*)', why: 'its pattern is not one plain command' },
    ],
  })
  expect(text).toContain(
    'Bash(git log|cat:*) in its `allowed-tools` permits nothing: its pattern is not one plain command',
  )
})
