import { lastAnswer, reasonIn } from '../answers.ts'
import { contentText } from '../content-text.ts'
import type { Scenario } from '../scenario.ts'

const MINUTES = '# Minutes\n\n- decided: paint the shed green\n- next meeting: 4 May'

/**
 * Tools that are called by wrong names: in another case, as the skill writes them, and by a name that does not exist.
 */
export const toolName: Scenario = {
  id: 'tool-name',
  title: "calls tools that the skill's text names in another case",
  prompt: 'Make the minutes of the meeting in notes.txt. Everything in them counts but what was crossed out with ~~.',
  skills: () => ({
    'meeting-minutes/SKILL.md': `---
name: meeting-minutes
description: Turns the notes of a meeting into its minutes, in the form of the house.
allowed-tools: read write
---

# Minutes of a meeting

1. \`read\` the notes.
2. \`write\` the file \`minutes.md\`: first the line \`# Minutes\`, then an empty line, then what was decided, a line each as
   \`- decided: WHAT\`, and last when the next meeting is, as \`- next meeting: DAY\`. Words as they are in the notes, in
   small letters but for the names of months, and no full stop at the end of a line.
`,
  }),
  files: { 'notes.txt': 'paint the shed green\n~~paint the shed red~~\nnext meeting 4 May\n' },
  async judge({ read }) {
    const minutes = await read('minutes.md')
    return minutes === MINUTES
      ? undefined
      : `minutes.md should contain ${JSON.stringify(MINUTES)}, but ${contentText(minutes)}`
  },
  weak: [
    { calls: [{ tool: 'Activate_Skill', input: { name: 'meeting-minutes' } }] },
    { calls: [{ tool: 'read', input: { file_path: 'notes.txt' } }] },
    { calls: [{ tool: 'save_minutes', input: { content: MINUTES } }] },
    // Whether core or a framework refuses the call, the model was shown the names of its tools.
    (request) => {
      reasonIn(lastAnswer(request))
      const tool = request.tools.find(({ name }) => name.toLowerCase() === 'write')
      if (tool === undefined) throw new Error(`No tool writes: ${request.tools.map(({ name }) => name).join(', ')}`)
      return { calls: [{ tool: 'WRITE', input: { file_path: 'minutes.md', content: `${MINUTES}\n` } }] }
    },
    { text: 'The minutes are in minutes.md.' },
  ],
}
