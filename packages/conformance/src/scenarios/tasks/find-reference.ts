import { lastAnswer, extract, reasonIn, told } from '../answers.ts'
import { contentText } from '../content-text.ts'
import type { Scenario } from '../scenario.ts'

/** A file of the skill with a relative path, which the model first resolves against the working folder. */
export const findReference: Scenario = {
  id: 'find-reference',
  title: "reads a skill's reference by its relative path",
  prompt:
    'What does it cost to send a parcel of 3 kg to zone B? Write the price, as a number with two decimals and nothing else, to the file price.txt.',
  skills: () => ({
    'parcel-rates/SKILL.md': `---
name: parcel-rates
description: Tells what it costs to send a parcel. Use it for every question about the price of a parcel.
---

# Parcel rates

1. Find the zone in [the rates](references/rates.md). Each zone has a price for the first kilogram, and one for every
   further kilogram that was begun.
2. Add the surcharge of the season, which is at the end of that file.
`,
    'parcel-rates/references/rates.md': `# Rates

| zone | first kilogram | every further one |
| ---- | -------------- | ----------------- |
| A    | 6.10           | 1.35              |
| B    | 9.40           | 2.85              |
| C    | 17.70          | 4.05              |

Surcharge of the season: 1.15 for each parcel.
`,
  }),
  async judge({ read }) {
    const price = await read('price.txt')
    // 9.40 + 2 × 2.85 + 1.15
    return price === '16.25' ? undefined : `price.txt should contain 16.25, but ${contentText(price)}`
  },
  wrongPaths: ['references/rates.md', 'parcel-rates/references/rates.md'],
  weak: [
    { calls: [{ tool: 'activate_skill', input: { name: 'parcel-rates' } }] },
    { calls: [{ tool: 'Read', input: { file_path: 'references/rates.md' } }] },
    // There is no such file in the working folder: what the guidance says about relative paths helps.
    (request) => {
      extract(lastAnswer(request), /(no such file)/)
      const tool = extract(told(request), /Read a skill's files with `([^`]+)`, by their relative paths/)
      return { calls: [{ tool, input: { path: 'parcel-rates/references/rates.md' } }] }
    },
    // Relative to what? The description of the tool's argument says it.
    (request) => {
      reasonIn(lastAnswer(request))
      const called = request.tools.find(({ name }) => name === 'read_skill_resource')
      extract(JSON.stringify(called), /(relative to the skill's folder)/)
      return { calls: [{ tool: 'read_skill_resource', input: { path: 'references/rates.md' } }] }
    },
    (request) => {
      const answer = lastAnswer(request)
      const first = Number(extract(answer, /\| B +\| ([\d.]+)/))
      const further = Number(extract(answer, /\| B +\| [\d.]+ +\| ([\d.]+)/))
      const price = first + 2 * further + Number(extract(answer, /season: ([\d.]+)/))
      return { calls: [{ tool: 'Write', input: { file_path: 'price.txt', content: price.toFixed(2) } }] }
    },
    { text: 'The price is in price.txt.' },
  ],
}
