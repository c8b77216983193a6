import type { FunctionTool } from '@repertoire/core'
import { lastAnswer, extract, reasonIn } from '../answers.ts'
import type { Scenario } from '../scenario.ts'
import { textOf } from '../tools.ts'
import type { Workshop } from '../workshop.ts'

const ENTRY = { date: '2031-03-14', cents: 1290, account: 6673 }
const LEDGER = 'ledger.json'

/** Arguments that must be objects, and that the model writes as text. */
export const objectArguments: Scenario = {
  id: 'object-arguments',
  title: 'passes arguments as an object, not as a string',
  prompt: 'Book the taxi of 14 March 2031, which cost 12.90, into the petty cash.',
  skills: () => ({
    'petty-cash/SKILL.md': `---
name: petty-cash
description: Books what was paid in cash. Use it for every entry into the petty cash.
---

# Petty cash

Call \`AddEntry\` once. Its \`entry\` is an object:

- \`date\`: the day, as in 2031-01-31
- \`cents\`: the amount in cents, a whole number
- \`account\`: the number of the account, from this list: post 6610, taxi and train 6673, flowers 6691
`,
  }),
  tools: (workshop) => [addEntry(workshop)],
  async judge({ read }) {
    const ledger = await read(LEDGER)
    if (ledger === undefined) return 'nothing was booked.'
    return ledger === JSON.stringify([ENTRY])
      ? undefined
      : `one entry should be booked, ${JSON.stringify(ENTRY)}, but there is ${ledger.slice(0, 300)}.`
  },
  weak: [
    { calls: [{ tool: 'activate_skill', input: { raw: 'petty-cash' } }] },
    (request) => {
      extract(reasonIn(lastAnswer(request)), /(one JSON object)/)
      return { calls: [{ tool: 'activate_skill', input: { name: 'petty-cash' } }] }
    },
    // Almost JSON, which arrives as text.
    { calls: [{ tool: 'AddEntry', input: { raw: JSON.stringify({ entry: ENTRY }).replaceAll('"', "'") } }] },
    // An object now, with text in it where another one belongs.
    (request) => {
      extract(reasonIn(lastAnswer(request)), /(one JSON object)/)
      return { calls: [{ tool: 'AddEntry', input: { entry: JSON.stringify(ENTRY) } }] }
    },
    // The error is that of the tool, or of a framework that validates inputs itself.
    (request) => {
      extract(lastAnswer(request), /(must be (?:an )?object|not match expected schema)/)
      return { calls: [{ tool: 'AddEntry', input: { entry: ENTRY } }] }
    },
    { text: 'The taxi is booked.' },
  ],
}

function addEntry(workshop: Workshop): FunctionTool {
  return {
    name: 'AddEntry',
    description: 'Adds an entry to the petty cash.',
    inputSchema: {
      type: 'object',
      properties: {
        entry: {
          type: 'object',
          properties: {
            date: { type: 'string', description: 'The day: YYYY-MM-DD.' },
            cents: { type: 'integer', description: 'The amount in cents.' },
            account: { type: 'integer', description: 'The number of the account.' },
          },
          required: ['date', 'cents', 'account'],
        },
      },
      required: ['entry'],
    },
    async execute(input) {
      const entry = new Map<string, unknown>(Object.entries(input ?? {})).get('entry')
      if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
        throw new TypeError('AddEntry: "entry" must be an object with date, cents and account.')
      }
      const { cents, account } = entry as Readonly<Record<string, unknown>>
      const date = textOf('AddEntry', entry, 'date')
      if (!Number.isInteger(cents) || !Number.isInteger(account)) {
        throw new TypeError('AddEntry: "cents" and "account" must be whole numbers.')
      }
      const before = JSON.parse((await workshop.read(LEDGER)) ?? '[]') as readonly unknown[]
      await workshop.write(LEDGER, JSON.stringify([...before, { date, cents, account }]))
      return `Booked. The petty cash has ${before.length + 1} entries now.`
    },
  }
}
