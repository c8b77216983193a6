import { isDeepStrictEqual } from 'node:util'
import { failure } from '../../failure.ts'
import { type HostBench, INSTRUCTIONS, lookupTool } from '../bench.ts'
import type { HostCheck } from '../check.ts'
import { calling } from '../moves.ts'
import { shows, shownTexts } from '../text.ts'
import { hidden, hostChecksOf, manifest, shown } from './define.ts'

const BODY = 'Do what the user asks.'
const MANY = 30
/** The longest description that the standard permits. */
const LONGEST = 1024
/** The longest name that the standard permits. */
const LONGEST_NAME = 64

/** Asserts that a skill is listed with its description, beside another skill. */
async function listedAs(bench: HostBench, file: string, expected: string): Promise<void> {
  const other = bench.word()
  const trial = await bench.start({ audit: file, plain: manifest('plain', `Plain work, ${other}.`, BODY) })
  const list = await trial.list()
  shown('the list', list, 'audit')
  shown('the list', list, expected)
  shown('the list', list, other)
}

/** A check of one description: how it is written in YAML, and what it means. */
function described(
  id: string,
  demands: string,
  write: (word: string) => readonly [written: string, meant: string],
  level: HostCheck['level'] = 'MUST',
) {
  return {
    id,
    demands,
    level,
    async run(bench: HostBench) {
      const [written, meant] = write(bench.word())
      await listedAs(bench, manifest('audit', written, BODY), meant)
    },
  }
}

export const listingHostChecks = hostChecksOf('listing', [
  {
    id: 'listing-instructions-kept',
    demands: "keeps the host's own instructions in every request",
    async run(bench) {
      const instructions = `${INSTRUCTIONS} Never mention ${bench.word()}.\nAnswer in one sentence, ${bench.word()}.`
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', BODY) }, { instructions })
      await trial.list()
      await trial.send()
      for (const { system, messages } of trial.requests)
        shown('the request', [system, ...messages.map(({ text }) => text)], instructions)
    },
  },
  {
    id: 'listing-host-tools-kept',
    demands: "offers the host's own tools with their descriptions and parameters",
    async run(bench) {
      const description = `Looks up what ${bench.word()} is.`
      const trial = await bench.start(
        { plain: manifest('plain', 'Plain work.', BODY) },
        { tools: [{ ...lookupTool(), description }] },
      )
      await trial.list()
      const name = bench.driver.toolName?.('lookup') ?? 'lookup'
      const { tools } = trial.requests[0]!
      const tool = tools.find((each) => each.name === name)
      if (tool === undefined)
        throw failure(
          `the model to be offered the tool "${name}"`,
          tools.map((each) => each.name),
        )
      shown(`the description of "${name}"`, [tool.description], description)
      shown(`the parameters of "${name}"`, [JSON.stringify(tool.inputSchema)], 'The number of the order.')
    },
  },
  {
    id: 'listing-name-and-description',
    demands: 'shows the name and the description of every skill before any is used',
    async run(bench) {
      const words = { 'release-notes': bench.word(), 'pdf-forms': bench.word(), audit: bench.word() }
      const skills = Object.entries(words).map(([name, word]) => [name, manifest(name, `Handles ${word}.`, BODY)])
      const list = await (await bench.start(Object.fromEntries(skills))).list()
      for (const [name, word] of Object.entries(words)) {
        shown('the list', list, name)
        shown('the list', list, `Handles ${word}.`)
      }
    },
  },
  {
    id: 'listing-every-skill',
    level: 'SHOULD',
    demands: `lists all of ${MANY} skills`,
    async run(bench) {
      const words = Array.from({ length: MANY }, () => bench.word())
      const skills = words.map((word, index) => [
        `skill-${index}`,
        manifest(`skill-${index}`, `Handles ${word}.`, BODY),
      ])
      const list = await (await bench.start(Object.fromEntries(skills))).list()
      const missing = words.flatMap((word, index) => (shows(list, word) ? [] : [`skill-${index}`]))
      if (missing.length > 0) throw failure(`a list of ${MANY} skills`, { missing })
    },
  },
  {
    id: 'listing-every-step',
    level: 'SHOULD',
    demands: 'shows the list in every step of a conversation',
    async run(bench) {
      const word = bench.word()
      const trial = await bench.start({ plain: manifest('plain', `Plain work, ${word}.`, BODY) })
      await trial.list()
      const [second] = await trial.send(calling('lookup', { order: '1' }))
      shown('the request after a call', second!.texts, word)
      await trial.send()
      shown('the last request', shownTexts(trial.requests.at(-1)!), word)
    },
  },
  {
    id: 'listing-no-bodies',
    demands: 'shows no instructions of a skill before it is activated',
    async run(bench) {
      const body = bench.word()
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', `Always say ${body}.`) })
      await trial.list()
      await trial.send(calling('lookup', { order: '1' }))
      hidden('the first request', shownTexts(trial.requests[0]!), body)
      hidden('the last request', shownTexts(trial.requests.at(-1)!), body)
    },
  },
  described('listing-folded-text', 'lists a folded description (`>-`) as one text', (word) => [
    `>-\n  Checks the ${word}\n  before it is sent.`,
    `Checks the ${word} before it is sent.`,
  ]),
  described('listing-plain-lines', 'lists a description whose lines go on without quotes', (word) => [
    `Checks the ${word}\n  before it is sent,\n  and after that.`,
    `Checks the ${word} before it is sent, and after that.`,
  ]),
  described('listing-literal-text', 'lists every line of a literal description (`|`)', (word) => [
    `|\n  Checks the ${word}.\n\n  Use it for ${word} only.`,
    `Checks the ${word}. Use it for ${word} only.`,
  ]),
  described('listing-double-quoted', 'reads a description in double quotes, with its escapes', (word) => [
    `"\\x43hecks: the ${word} \\u00e9\\x71 # not a comment"`,
    `Checks: the ${word} éq # not a comment`,
  ]),
  described('listing-single-quoted', 'reads a description in single quotes', (word) => [
    `'Checks: the writer''s ${word} # not a comment'`,
    `Checks: the writer's ${word} # not a comment`,
  ]),
  described('listing-unicode', 'lists a description in any script', (word) => [
    `検査 ${word} – проверка, בדיקה, 🔧 é.`,
    `検査 ${word} – проверка, בדיקה, 🔧 é.`,
  ]),
  described('listing-long-description', `lists a description of ${LONGEST} characters whole`, (word) => {
    const text = `Checks ${word}. ${'Use it for every release of every part. '.repeat(40)}`.slice(0, LONGEST - 24)
    const whole = `${text}${'x'.repeat(LONGEST - 1 - text.length - word.length)}${word}.`
    return [whole, whole]
  }),
  described('listing-dollar-intact', 'keeps `$&`, `$1` and `$$` in a description', (word) => [
    `Costs $& and $1 and $$ and $\` of ${word}.`,
    `Costs $& and $1 and $$ and $\` of ${word}.`,
  ]),
  described('listing-braces-intact', 'keeps braces in a description, which templates replace', (word) => [
    `Fills {name} and {{skills}} and %s and \${HOME} of ${word}.`,
    `Fills {name} and {{skills}} and %s and \${HOME} of ${word}.`,
  ]),
  {
    id: 'listing-bom',
    demands: 'lists a skill whose file begins with a byte order mark',
    async run(bench) {
      const word = bench.word()
      await listedAs(bench, `\uFEFF${manifest('audit', `Checks ${word}.`, BODY)}`, `Checks ${word}.`)
    },
  },
  {
    id: 'listing-crlf',
    demands: 'lists a skill whose lines end with CRLF',
    async run(bench) {
      const word = bench.word()
      const file = manifest('audit', `Checks ${word}.`, BODY, 'license: MIT\n').replaceAll('\n', '\r\n')
      await listedAs(bench, file, `Checks ${word}.`)
    },
  },
  {
    id: 'listing-long-name',
    demands: `lists a name of ${LONGEST_NAME} characters whole`,
    async run(bench) {
      const word = bench.word()
      const name = `${'longname'.repeat(8).slice(0, LONGEST_NAME - word.length)}${word}`
      const list = await (await bench.start({ [name]: manifest(name, 'Handles.', BODY) })).list()
      shown('the list', list, name)
    },
  },
  {
    id: 'listing-field-order',
    demands: 'lists a skill whose description comes before a name in quotes, with comments between them',
    async run(bench) {
      const word = bench.word()
      const file = `---\n# Written by hand\ndescription: Checks ${word}.\n\n# The name\nname: "audit"\n---\n\n${BODY}\n`
      await listedAs(bench, file, `Checks ${word}.`)
    },
  },
  {
    id: 'listing-once',
    level: 'SHOULD',
    demands: 'lists each skill once',
    async run(bench) {
      const word = bench.word()
      const list = await (await bench.start({ audit: manifest('audit', `Checks ${word}.`, BODY) })).list()
      shown('the list', list, word)
      const text = list.find((each) => each.split(word).length > 2)
      if (text !== undefined)
        throw failure('one entry for a skill', text.slice(text.indexOf(word) - 80, text.lastIndexOf(word) + 80))
    },
  },
  {
    id: 'listing-standard-fields',
    demands: 'lists a skill that uses every field of the standard',
    async run(bench) {
      const word = bench.word()
      const fields = [
        'license: Apache-2.0',
        'compatibility: Needs git',
        'metadata:',
        '  author: example-org',
        '  version: "1.0"',
        'allowed-tools: Bash(git:*) Read',
        '',
      ].join('\n')
      await listedAs(bench, manifest('audit', `Checks ${word}.`, BODY, fields), `Checks ${word}.`)
    },
  },
  {
    id: 'listing-unknown-fields',
    level: 'SHOULD',
    demands: 'lists a skill with fields that the standard does not know',
    async run(bench) {
      const word = bench.word()
      const fields = 'version: 2\ntags: [a, b]\nowner:\n  team: { name: docs }\n'
      await listedAs(bench, manifest('audit', `Checks ${word}.`, BODY, fields), `Checks ${word}.`)
    },
  },
  described(
    'listing-unquoted-colon',
    'lists a skill whose description has a colon and no quotes, which is invalid YAML and common',
    (word) => [`Use when: the ${word} is asked for`, `Use when: the ${word} is asked for`],
    'SHOULD',
  ),
  {
    id: 'listing-stable',
    demands: 'lists the same skills in the same order in every conversation',
    async run(bench) {
      const words = Array.from({ length: 8 }, () => bench.word())
      const skills = words.map((word) => [`a${word}`, manifest(`a${word}`, `Handles ${word}.`, BODY)])
      const workspace = await bench.workspace(Object.fromEntries(skills))
      const orders: (readonly string[])[] = []
      for (let count = 0; count < 3; count++) {
        const list = (await (await bench.start(workspace)).list()).join('\n')
        orders.push(
          words
            .filter((word) => list.includes(`Handles ${word}`))
            .toSorted((one, other) => list.indexOf(`Handles ${one}`) - list.indexOf(`Handles ${other}`)),
        )
      }
      const [first] = orders
      const other = orders.find((order) => !isDeepStrictEqual(order, first))
      if (first!.length === 0) throw failure('a list of skills', orders)
      if (other !== undefined) throw failure(`the order ${JSON.stringify(first)}`, other)
    },
  },
  {
    id: 'listing-nothing-to-list',
    level: 'SHOULD',
    demands: 'offers no tool for skills where there is no skill',
    async run(bench) {
      const trial = await bench.start({})
      await trial.send()
      const tool = trial.requests[0]!.tools.find(({ name, description }) => /skill/i.test(`${name} ${description}`))
      if (tool !== undefined) throw failure('no tool for skills', tool.name)
    },
  },
])
