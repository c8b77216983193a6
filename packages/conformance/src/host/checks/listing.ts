import { isDeepStrictEqual } from 'node:util'
import { failure } from '../../failure.ts'
import { INSTRUCTIONS, lookupTool } from '../bench.ts'
import type { HostCheck } from '../check.ts'
import { lookingUp } from '../moves.ts'
import { hostChecksOf, manifest, PLAIN, saying, scene, shown } from './define.ts'

const MANY = 30
/** The longest description that the standard permits. */
const LONGEST = 1024

/** A check that a skill, "audit", is listed with its description, beside another skill. */
function lists(id: string, demands: string, file: string, meant = 'Checks WORD.', level?: HostCheck['level']) {
  return scene(
    id,
    demands,
    ([word, other]) => ({
      skills: { audit: file.replaceAll('WORD', word), plain: manifest('plain', `Plain work, ${other}.`) },
      shows: ['audit', meant.replaceAll('WORD', word), other],
    }),
    { level },
  )
}

/** A check that a description is listed as it is written. */
function keeps(id: string, demands: string, description: string, level?: HostCheck['level']) {
  return lists(id, demands, audit(description), description, level)
}

function audit(description: string, fields = ''): string {
  return manifest('audit', description, undefined, fields)
}

const STANDARD_FIELDS = `license: Apache-2.0
compatibility: Needs git
metadata:
  author: example-org
  version: "1.0"
allowed-tools: Bash(git:*) Read
`
const FILE = audit('Checks WORD.')

export const listingHostChecks = hostChecksOf('listing', [
  scene('listing-instructions-kept', "keeps the host's own instructions", ([word, other]) => {
    const instructions = `${INSTRUCTIONS} Never mention ${word}.\nAnswer in one sentence, ${other}.`
    return { skills: PLAIN, instructions, moves: [lookingUp('1')], shows: [instructions] }
  }),
  scene('listing-host-tools-kept', "offers the host's own tools with their descriptions and parameters", ([word]) => {
    const description = `Looks up what ${word} is.`
    const tools = [{ ...lookupTool(), description }]
    return { skills: PLAIN, tools, shows: [description, 'The number of the order.'] }
  }),
  scene(
    'listing-name-and-description',
    'shows the name and the description of every skill before any is used',
    (words) => {
      const names = ['release-notes', 'pdf-forms', 'audit']
      const skills = names.map((name, index) => [name, manifest(name, `Handles ${words[index]}.`)])
      return { skills: Object.fromEntries(skills), shows: [...names, ...words.map((word) => `Handles ${word}.`)] }
    },
  ),
  scene(
    'listing-every-skill',
    `lists all of ${MANY} skills`,
    ([word]) => {
      const words = Array.from({ length: MANY }, (_, index) => `${word}${index}x`)
      const skills = words.map((each, index) => [`skill-${index}`, manifest(`skill-${index}`, `Handles ${each}.`)])
      return { skills: Object.fromEntries(skills), shows: words }
    },
    { level: 'SHOULD' },
  ),
  {
    id: 'listing-every-step',
    level: 'SHOULD',
    demands: 'shows the list in every step of a conversation',
    async run(bench) {
      const word = bench.word()
      const trial = await bench.start({ plain: manifest('plain', `Plain work, ${word}.`) })
      await trial.list()
      const [second] = await trial.send(lookingUp('1'))
      shown('the request after a call', second!.texts, word)
    },
  },
  scene('listing-no-bodies', 'shows no instructions of a skill before it is activated', ([word]) => ({
    skills: saying({ plain: word }),
    hides: [word],
  })),
  lists(
    'listing-folded-text',
    'lists a folded description (`>-`) as one text',
    audit('>-\n  Checks the WORD\n  before it is sent.'),
    'Checks the WORD before it is sent.',
  ),
  lists(
    'listing-plain-lines',
    'lists a description whose lines go on without quotes',
    audit('Checks the WORD\n  before it is sent,\n  and after that.'),
    'Checks the WORD before it is sent, and after that.',
  ),
  lists(
    'listing-literal-text',
    'lists every line of a literal description (`|`)',
    audit('|\n  Checks the WORD.\n\n  Use it for WORD only.'),
    'Checks the WORD. Use it for WORD only.',
  ),
  lists(
    'listing-double-quoted',
    'reads a description in double quotes, with its escapes',
    audit(String.raw`"\x43hecks: the WORD \u00e9\x71 # not a comment"`),
    'Checks: the WORD éq # not a comment',
  ),
  lists(
    'listing-single-quoted',
    'reads a description in single quotes',
    audit("'Checks: the writer''s WORD # not a comment'"),
    "Checks: the writer's WORD # not a comment",
  ),
  keeps(
    'listing-long-description',
    `lists a description of ${LONGEST} characters whole`,
    // A word has 14 letters.
    `${'Use it for every release of every part. '.repeat(40).slice(0, LONGEST - 16)} WORD.`,
  ),
  keeps(
    'listing-dollar-intact',
    'keeps `$&`, `$1` and `$$` in a description',
    'Costs $& and $1 and $$ and $` of WORD.',
  ),
  keeps(
    'listing-unicode',
    'lists a description in any script, with braces that templates replace',
    '検査 WORD – проверка, בדיקה, 🔧 é. Fills {name} and {{skills}} and %s and ${HOME}.',
  ),
  lists('listing-bom', 'lists a skill whose file begins with a byte order mark', `\uFEFF${FILE}`),
  lists('listing-crlf', 'lists a skill whose lines end with CRLF', FILE.replaceAll('\n', '\r\n')),
  lists(
    'listing-standard-fields',
    'lists a skill that uses every field of the standard',
    audit('Checks WORD.', STANDARD_FIELDS),
  ),
  lists(
    'listing-unknown-fields',
    'lists a skill with fields that the standard does not know',
    audit('Checks WORD.', 'version: 2\ntags: [a, b]\nowner:\n  team: { name: docs }\n'),
    undefined,
    'SHOULD',
  ),
  keeps(
    'listing-unquoted-colon',
    'lists a skill whose description has a colon and no quotes, which is invalid YAML and common',
    'Use when: the WORD is asked for',
    'SHOULD',
  ),
  {
    id: 'listing-stable',
    demands: 'lists the same skills in the same order in every conversation',
    async run(bench) {
      const words = Array.from({ length: 8 }, () => bench.word())
      const skills = words.map((word) => [`a${word}`, manifest(`a${word}`, `Handles ${word}.`)])
      const workspace = await bench.workspace(Object.fromEntries(skills))
      const order = async (): Promise<readonly string[]> => {
        const list = await (await bench.start(workspace)).list()
        for (const word of words) shown('the list', list, `Handles ${word}.`)
        const place = (word: string): number => list.join('\n').indexOf(`Handles ${word}`)
        return words.toSorted((one, other) => place(one) - place(other))
      }
      const [first, second] = [await order(), await order()]
      if (!isDeepStrictEqual(first, second)) throw failure(`the order ${JSON.stringify(first)}`, second)
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
