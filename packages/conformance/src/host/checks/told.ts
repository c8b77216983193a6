import { estimateTokens } from '@repertoire/core'
import type { WireRequest } from '../../endpoint/wire.ts'
import { failure } from '../../failure.ts'
import type { HostBench, HostTrial, Outcome } from '../bench.ts'
import type { HostCheck } from '../check.ts'
import { activating, lookingUp, type Move, reading } from '../moves.ts'
import { shows, shownTexts, toolTexts } from '../text.ts'
import type { HostSkills } from '../workspace.ts'
import { hostChecksOf, manifest, PLAIN, wordsOf, type Words } from './define.ts'

/** What a row is read from: a conversation in which the model looks at the list, and then makes some moves. */
interface Seen {
  readonly words: Words
  readonly trial: HostTrial
  readonly list: readonly string[]
  readonly outcomes: readonly (Outcome | undefined)[]
  /** How the host names the tool that it has of its own. */
  readonly lookup: string
}

/** A row that is told and not judged, so no answer is wrong. */
interface Row {
  readonly demands: string
  readonly needs?: HostCheck['needs']
  readonly skills?: (words: Words) => HostSkills
  /** What happens before the row looks. Default: the model activates the skill, if the row needs that. */
  readonly moves?: readonly Move[]
  /** Skills that are added after the model has looked at the list. It looks again, then. */
  readonly adds?: (words: Words) => HostSkills
  readonly tell: (seen: Seen) => string
}

/** As long as descriptions of published skills usually are. */
const DESCRIPTION =
  'Writes release notes from commits and groups them by area. Use it before every release of a package.'
const BODY = 'Read the commits since the last tag. Group them by area, and write one sentence for each.'
const NEEDS = ['activation'] as const

/** A skill that has something in its description or its other fields. */
const plain = (description: string, fields = ''): HostSkills => ({
  plain: manifest('plain', description, BODY, fields),
})

const ROWS: Readonly<Record<string, Row>> = {
  'told-list-place': {
    demands: 'where the list of skills is shown',
    skills: ([word]) => plain(`Handles ${word}.`),
    tell({ words: [word], list, trial }) {
      const { system, messages, tools } = trial.requests[0]!
      if (!shows(list, word)) return 'Nowhere.'
      if (shows([system], word)) return 'In the system prompt.'
      if (shows(toolTexts({ tools }), word)) return 'In the description of a tool.'
      const isMessage = messages.some(({ text }) => shows([text], word))
      return isMessage ? 'In a message.' : 'As the result of a tool that the model calls.'
    },
  },
  'told-own-tools': {
    demands: 'which tools the host adds to those of the task',
    tell({ lookup, trial }) {
      const names = trial.requests[0]!.tools.flatMap(({ name }) => (name === lookup ? [] : [name]))
      return names.length === 0 ? 'None.' : `${names.join(', ')}.`
    },
  },
  'told-name-mismatch': {
    demands: 'what happens to a skill whose name differs from that of its folder',
    skills: ([folder, name, word]) => ({ [folder]: manifest(name, `Handles ${word}.`, BODY) }),
    tell({ words: [, name, word], list }) {
      if (!shows(list, word)) return 'It is not listed.'
      return shows(list, name) ? 'It is listed under its name.' : 'It is listed under the name of its folder.'
    },
  },
  'told-broken': {
    demands: 'whether the model is told of a skill that cannot be read',
    skills: ([word]) => ({ ...PLAIN, [word]: `---\nname: ${word}\ndescription: "open\n  : - [\n---\n\nBody.\n` }),
    tell: ({ words: [word], list }) =>
      shows(list, word) ? 'It is shown to the model.' : 'The model is told nothing of it.',
  },
  'told-manual-only': {
    demands: 'whether a skill with `disable-model-invocation: true` is listed',
    skills: ([word]) => plain(`Handles ${word}.`, 'disable-model-invocation: true\n'),
    tell: ({ words: [word], list }) => (shows(list, word) ? 'It is listed.' : 'It is not listed.'),
  },
  'told-allowed-tools': {
    demands: 'whether the model is told of `allowed-tools`',
    needs: NEEDS,
    skills: ([word]) => plain('Plain work.', `allowed-tools: Read Bash(${word}:*)\n`),
    tell({ words: [word], list, outcomes }) {
      if (shows(list, word)) return 'It is in the list.'
      return shows(outcomes[0]!.texts, word) ? 'The activation shows it.' : 'The model is told nothing of it.'
    },
  },
  'told-unlisted-tool': {
    demands: 'whether a tool runs that the `allowed-tools` of the active skill do not have',
    needs: NEEDS,
    skills: () => plain('Plain work.', 'allowed-tools: Read\n'),
    moves: [activating('plain'), lookingUp('1')],
    tell: ({ trial: { runs, questions } }) =>
      runs.length === 0 ? 'It did not run.' : `It ran, ${questions.length === 0 ? 'without' : 'after'} a question.`,
  },
  'told-consent': {
    demands: 'whether a person is asked before a skill is loaded',
    needs: NEEDS,
    tell: ({ trial }) => (trial.questions.length === 0 ? 'Nobody is asked.' : 'A person is asked.'),
  },
  'told-resource-of-inactive': {
    demands: 'whether a file of a skill can be read that is not active',
    needs: ['reading'],
    skills: ([word]) => ({
      plain: { 'SKILL.md': manifest('plain', 'Plain work.', BODY), 'references/rules.md': `Say ${word}.` },
    }),
    moves: [reading('plain', 'references/rules.md')],
    tell: ({ words: [word], outcomes: [outcome] }) =>
      shows(outcome?.texts ?? [], word) ? 'It can be read.' : 'It cannot be read.',
  },
  'told-reload-same-conversation': {
    demands: 'whether a conversation shows a skill that is added while it goes on',
    adds: ([word]) => ({ added: manifest('added', `Handles ${word}.`, BODY) }),
    tell: ({ words: [word], trial }) =>
      shows(shownTexts(trial.requests.at(-1)!), word) ? 'The next message shows it.' : 'It is not shown.',
  },
}

/** Reads a row of a host. */
async function tell(bench: HostBench, { needs, skills = () => PLAIN, adds, moves, tell: read }: Row): Promise<string> {
  const words = wordsOf(bench)
  const workspace = await bench.workspace(skills(words))
  const trial = await bench.start(workspace)
  const list = await trial.list()
  if (adds !== undefined) {
    await workspace.write(adds(words))
    await trial.list()
  }
  const isActivated = needs?.includes('activation') === true
  const outcomes = await trial.attempt(...(moves ?? (isActivated ? [activating('plain')] : [])))
  if (isActivated && outcomes[0] === undefined) throw failure('a request that follows the activation', 'none')
  return read({ words, trial, list, outcomes, lookup: bench.driver.toolName?.('lookup') ?? 'lookup' })
}

const FEW = 10

/** Tells the tokens of steps over no skill, some, and twice as many, and of an activation. */
async function tellCost(bench: HostBench): Promise<string> {
  const start = (count: number): Promise<HostTrial> => {
    const names = Array.from({ length: count }, (_, at) => `release-notes-${String(at).padStart(2, '0')}`)
    return bench.start(Object.fromEntries(names.map((name) => [name, manifest(name, DESCRIPTION, BODY)])))
  }
  const none = await start(0)
  await none.send()
  const [some, double] = [await start(FEW), await start(2 * FEW)]
  await some.list()
  await double.list()
  const tokens = [none, some, double].map(({ requests }) => tokensOf(requests.at(-1)!)) as [number, number, number]
  const each = Math.round((tokens[2] - tokens[1]) / FEW)
  const step = `${FEW} skills add ${tokens[1] - tokens[0]} tokens to every step, and each further one ${each}.`
  if (typeof bench.driver.activate !== 'function') return step
  const trial = await start(FEW)
  await trial.send(activating('release-notes-00'))
  const grown = tokensOf(trial.requests.at(-1)!) - tokensOf(trial.requests[0]!)
  return `${step} An activation adds ${grown}, of which ${estimateTokens(BODY)} are the instructions.`
}

/** Counts the tokens of everything that a request shows, the calls of the model included. */
function tokensOf({ system, tools, messages }: WireRequest): number {
  const calls = messages.flatMap((message) => message.calls ?? [])
  const parts = [
    system,
    tools.length === 0 ? '' : JSON.stringify(tools),
    ...messages.map(({ text }) => text),
    ...calls.map((call) => call.tool + call.arguments),
  ]
  return estimateTokens(parts.join('\n'))
}

export const toldHostChecks = hostChecksOf('told', [
  {
    id: 'told-cost',
    level: 'INFO',
    demands: 'what skills cost: the tokens that they add to every step, and to an activation',
    run: tellCost,
  },
  ...Object.entries(ROWS).map(([id, row]) => ({
    id,
    level: 'INFO' as const,
    demands: row.demands,
    needs: row.needs ?? [],
    run: (bench: HostBench) => tell(bench, row),
  })),
])
