import { lastAnswer, extract, reasonIn, told } from '../answers.ts'
import { contentText } from '../content-text.ts'
import type { Scenario } from '../scenario.ts'

/** A skill that may only read, followed by work that writes: the skill must be deactivated first. */
export const leaveSkill: Scenario = {
  id: 'leave-skill',
  title: 'deactivates a skill when its work is done',
  prompt: 'Who has won the vote in ballots.txt? Then write the name, and nothing else, to winner.txt.',
  skills: () => ({
    'count-votes/SKILL.md': `---
name: count-votes
description: Counts a vote by the rules of the house. Use it whenever votes are to be counted.
allowed-tools: Read
---

# Count a vote

Each line of the file is one vote for the name in it. A name with a \`+\` behind it counts twice; lines that begin with
\`#\` do not count. The most votes win. Say the name, and change nothing while you count.
`,
  }),
  files: { 'ballots.txt': 'Bruno\nChiara+\nBruno\n# Bruno\n# Bruno\nDora\nChiara\n' },
  async judge({ read, active }) {
    const winner = await read('winner.txt')
    if (winner !== 'Chiara') return `winner.txt should contain Chiara, but ${contentText(winner)}`
    return active.length === 0 ? undefined : `no skill should be active at the end, but ${active.join(', ')} is.`
  },
  weak: [
    { calls: [{ tool: 'activate_skill', input: { name: 'count-votes' } }] },
    { calls: [{ tool: 'Read', input: { file_path: 'ballots.txt' } }] },
    { calls: [{ tool: 'Write', input: { file_path: 'winner.txt', content: 'Chiara' } }] },
    (request) => {
      const name = extract(reasonIn(lastAnswer(request)), /while the skill "([^"]+)" is active/)
      const tool = extract(told(request), /Call `([^`]+)` when its work is done/)
      return { calls: [{ tool, input: { name } }] }
    },
    (request) => {
      extract(lastAnswer(request), /(rules no longer apply)/)
      return { calls: [{ tool: 'Write', input: { file_path: 'winner.txt', content: 'Chiara' } }] }
    },
    { text: 'Chiara has won.' },
  ],
}
