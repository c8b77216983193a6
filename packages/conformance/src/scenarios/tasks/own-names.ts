import { extract, lastAnswer, reasonIn } from '../answers.ts'
import { contentText } from '../content-text.ts'
import type { Scenario } from '../scenario.ts'

const TOTAL = '61'

/**
 * A host whose tools have names of its own, and a skill that calls them as its author knew them: the model repeats the
 * words of the skill, and writes another file than the one that its rules permit.
 */
export const ownNames: Scenario = {
  id: 'own-names',
  title: 'calls tools by the names that they have, and not by those in the skill',
  prompt: 'Add up the numbers in figures.txt, and write the sum, and nothing else, to sum.txt.',
  skills: () => ({
    'add-up/SKILL.md': `---
name: add-up
description: Adds up the numbers of a file. Use it for every sum of a list.
allowed-tools: Read Write(sum.txt) Bash
---

# Add up

1. Run \`scripts/add.mjs\` with the Bash tool, with the file as its argument. It prints the sum.
2. Write the sum to the file with the Write tool.
`,
    'add-up/scripts/add.mjs': `#!/usr/bin/env node
import { readFileSync } from 'node:fs'

const numbers = readFileSync(process.argv[2], 'utf8').split(/\\s+/).filter(Boolean).map(Number)
console.log('The sum is ' + numbers.reduce((sum, number) => sum + number, 0) + '.')
`,
  }),
  files: { 'figures.txt': '12\n30\n19\n' },
  names: { Bash: 'runCommand', Read: 'openFile', Write: 'saveFile' },
  async judge({ read }) {
    const sum = await read('sum.txt')
    return sum === TOTAL ? undefined : `sum.txt should contain ${TOTAL}, but ${contentText(sum)}`
  },
  weak: [
    { calls: [{ tool: 'activate_skill', input: { name: 'add-up' } }] },
    // The skill's own word for it.
    (request) => {
      const folder = extract(lastAnswer(request), /Skill directory: (.+)/)
      return { calls: [{ tool: 'Bash', input: { command: `"${folder}/scripts/add.mjs" figures.txt` } }] }
    },
    (request) => {
      const tool = extract(reasonIn(lastAnswer(request)), /Here that is "([^"]+)"/)
      const schema = request.tools.find(({ name }) => name === tool)?.inputSchema
      const [property = ''] = Object.keys(Object(schema?.['properties']) as object)
      const messages = request.messages.map(({ text }) => text).join('\n')
      const folder = extract(messages, /Skill directory: (.+)/)
      return { calls: [{ tool, input: { [property]: `"${folder}/scripts/add.mjs" figures.txt` } }] }
    },
    // Another file than the one that the skill may write; the refusal names the right tool and the right file.
    (request) => {
      const content = extract(lastAnswer(request), /The sum is (\d+)\./)
      return { calls: [{ tool: 'saveFile', input: { file_path: 'result.txt', content } }] }
    },
    (request) => {
      const file = extract(lastAnswer(request), /"saveFile\(([^)]+)\)"/)
      return { calls: [{ tool: 'saveFile', input: { file_path: file, content: TOTAL } }] }
    },
    { text: 'The sum is in sum.txt.' },
  ],
}
