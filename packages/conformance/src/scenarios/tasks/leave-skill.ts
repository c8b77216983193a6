import { lastAnswer, learn, reasonIn } from '../answers.ts'
import { holds } from '../holds.ts'
import type { Scenario } from '../scenario.ts'

/** A skill that may only read, followed by work that writes: the skill must be deactivated first. */
export const leaveSkill: Scenario = {
  id: 'leave-skill',
  title: 'leaves a skill when its work is done',
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
    if (winner !== 'Chiara') return `winner.txt is to hold Chiara, and ${holds(winner)}`
    return active.length === 0 ? undefined : `no skill is to be active at the end, and ${active.join(', ')} is.`
  },
  weak: [
    { calls: [{ tool: 'activate_skill', input: { name: 'count-votes' } }] },
    { calls: [{ tool: 'Read', input: { file_path: 'ballots.txt' } }] },
    { calls: [{ tool: 'Write', input: { file_path: 'winner.txt', content: 'Chiara' } }] },
    (request) => {
      const name = learn(reasonIn(lastAnswer(request)), /while the skill "([^"]+)" is active/)
      const tool = learn(request.system, /Call `([^`]+)` when its work is done/)
      return { calls: [{ tool, input: { name } }] }
    },
    (request) => {
      learn(lastAnswer(request), /(restriction is lifted)/)
      return { calls: [{ tool: 'Write', input: { file_path: 'winner.txt', content: 'Chiara' } }] }
    },
    { text: 'Chiara has won.' },
  ],
}
