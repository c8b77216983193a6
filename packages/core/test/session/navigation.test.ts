import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { openRepertoire, type Outcome } from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'

const root = mkdtempSync(join(tmpdir(), 'repertoire-navigation-'))
afterAll(() => rmSync(root, { recursive: true }))
const FILES = {
  'SKILL.md': '---\nname: release-notes\ndescription: Writes release notes.\n---\nFollow references/style.md.\n',
  'references/style.md': 'Present tense.\n',
  'scripts/collect.sh': 'echo collected\n',
}
for (const [path, text] of Object.entries(FILES)) {
  const file = join(root, 'release-notes', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

type Call = readonly [tool: string, input: unknown]

/** A model that makes its next call from what it was shown last, and from nothing else. */
type Next = Call | ((shown: string) => Call)

const activate: Call = ['activate_skill', { name: 'release-notes' }]
const readFile = (path: string): Call => ['read_skill_resource', { path }]

/** Returns what a pattern finds in the text that the model was shown. */
function extract(shown: string, pattern: RegExp): string {
  const [, found] = pattern.exec(shown) ?? []
  if (found === undefined) throw new Error(`The model is not told ${pattern}, but: ${shown}`)
  return found
}
const suggested = (shown: string): string => extract(shown, /Did you mean "([^"]+)"\?/)
const taughtCommand = (shown: string): Call => {
  const [, tool = '', input = '{}'] = /`(\w+)` (\{.*?\})/.exec(shown) ?? []
  const { command } = JSON.parse(input) as { command: string }
  return [tool, { command: command.replace(' <arguments>', ' v1') }]
}

/** The mistakes of weak models, each with what brings the model back to its way, and the result in the end. */
const MISTAKES: Readonly<Record<string, { readonly script: readonly Next[]; readonly ends: RegExp }>> = {
  'wants a skill by a wrong name': {
    script: [['activate_skill', { name: 'release-note' }], (shown) => ['activate_skill', { name: suggested(shown) }]],
    ends: /Follow references\/style\.md\./,
  },
  'reads a file by its name alone': {
    script: [activate, readFile('style.md'), (shown) => readFile(suggested(shown))],
    ends: /Present tense\./,
  },
  'puts the name of the skill before the path': {
    script: [activate, readFile('release-notes/references/style.md'), (shown) => readFile(suggested(shown))],
    ends: /Present tense\./,
  },
  'reads a file by its absolute path': {
    script: [
      activate,
      (shown) => readFile(`${extract(shown, /Skill directory: (\S+)/)}/references/style.md`),
      (shown) => readFile(suggested(shown)),
    ],
    ends: /Present tense\./,
  },
  'writes a wrong letter': {
    script: [activate, readFile('references/styles.md'), (shown) => readFile(suggested(shown))],
    ends: /Present tense\./,
  },
  'runs the script as it was taught': {
    script: [activate, taughtCommand],
    ends: /^ran bash \S+\/release-notes\/scripts\/collect\.sh v1$/,
  },
  'reads the script with the tool for files': {
    script: [activate, readFile('scripts/collect.sh'), taughtCommand],
    ends: /^ran bash \S+\/scripts\/collect\.sh$/,
  },
  'reads the script with the shell': {
    script: [
      activate,
      (shown) => ['Bash', { command: `cat ${extract(shown, /Skill directory: (\S+)/)}/scripts/collect.sh` }],
      taughtCommand,
    ],
    ends: /^ran bash \S+\/scripts\/collect\.sh$/,
  },
  'reads a file before the skill is active': {
    script: [readFile('references/style.md'), (shown) => [extract(shown, /with `(\w+)`/), { name: 'release-notes' }]],
    ends: /Follow references\/style\.md\./,
  },
  'writes the name of the tool in another case': {
    script: [
      ['ACTIVATE_SKILL', { name: 'release-notes' }],
      ['Read_Skill_Resource', { path: './references/style.md' }],
    ],
    ends: /Present tense\./,
  },
  'gives the input as text': {
    script: [
      ['activate_skill', JSON.stringify({ name: 'release-notes' })],
      (shown) => [extract(shown, /`(\w+)` takes its input as one JSON object/), { name: 'release-notes' }],
    ],
    ends: /Follow references\/style\.md\./,
  },
  'activates the skill twice': {
    script: [activate, activate, readFile('references/style.md')],
    ends: /Present tense\./,
  },
}

it.each(Object.entries(MISTAKES))('[LLM-1, SHOW-9, SHOW-6] finds its way though it %s', async (_, { script, ends }) => {
  const repertoire = await openRepertoire({ sources: [directorySource({ root })] })
  const session = openAdapterSession(repertoire, { consent: () => true })
  let shown = ''
  const read: string[] = []
  for (const [index, next] of script.entries()) {
    const [tool, input] = typeof next === 'function' ? next(shown) : next
    const step = await session.step({ tools: ['Read', 'Bash'] })
    const run = (call: { readonly input: unknown }): string => `ran ${(call.input as { command: string }).command}`
    const outcome: Outcome = await step.call({ id: String(index), tool, input }, run)
    shown = outcome.ok ? (outcome.text ?? String(outcome.value)) : outcome.refusal.reason
    if (shown.includes('echo collected')) read.push(tool)
  }
  expect(shown).toMatch(ends)
  expect(read).toEqual([])
})
