import { createHash } from 'node:crypto'
import { lastAnswer, extract, reasonIn } from '../answers.ts'
import { contentText } from '../content-text.ts'
import type { Scenario } from '../scenario.ts'

const LETTER = 'Dear Ada,\nthe engine runs.\n'

/** A script that is to be run, and that is read first. */
export const runScript: Scenario = {
  id: 'run-script',
  title: "runs a skill's script rather than reading it",
  prompt: 'Seal the letter in letter.txt.',
  skills: (mark) => ({
    'seal-letter/SKILL.md': `---
name: seal-letter
description: Seals a letter, so that nobody can change it unseen. Use it when a letter is to be sealed.
---

# Seal a letter

Run \`scripts/seal.mjs\` with the letter's file as its argument. It writes the seal beside the letter, into a file of the
same name with \`.seal\` behind it. There is no other way to make a seal.
`,
    'seal-letter/scripts/seal.mjs': `#!/usr/bin/env node
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const key = '${mark}'
const [, , letter] = process.argv
if (letter === undefined) {
  console.error('Usage: seal.mjs LETTER')
  process.exit(2)
}
const seal = createHash('sha256').update(key).update(readFileSync(letter)).digest('hex')
writeFileSync(letter + '.seal', seal)
console.log('Sealed ' + letter + '.')
`,
  }),
  files: { 'letter.txt': LETTER },
  async judge({ read, mark }) {
    const seal = await read('letter.txt.seal')
    const right = createHash('sha256').update(mark).update(LETTER).digest('hex')
    if (seal === right) return undefined
    return `letter.txt.seal should contain what the script makes of the letter, but ${contentText(seal)}`
  },
  weak: [
    { calls: [{ tool: 'activate_skill', input: { name: 'seal-letter' } }] },
    (request) => {
      const folder = extract(lastAnswer(request), /Skill directory: (.+)/)
      return { calls: [{ tool: 'Read', input: { file_path: `${folder}/scripts/seal.mjs` } }] }
    },
    // Tries again with the other tool that reads.
    (request) => {
      extract(reasonIn(lastAnswer(request)), /(scripts are run, not read)/)
      return { calls: [{ tool: 'read_skill_resource', input: { path: 'scripts/seal.mjs' } }] }
    },
    (request) => {
      const reason = reasonIn(lastAnswer(request))
      const tool = extract(reason, /Run it with "([^"]+)"/)
      const script = extract(reason, /Run it with "[^"]+": `(\S+seal\.mjs)`/)
      return { calls: [{ tool, input: { command: `"${script}" letter.txt` } }] }
    },
    (request) => {
      extract(lastAnswer(request), /"?exitCode"?: ?(0)\b/)
      return { text: 'The letter is sealed.' }
    },
  ],
}
