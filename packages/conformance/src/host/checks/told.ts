import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { estimateTokens } from '@repertoire/core'
import type { WireRequest } from '../../endpoint/wire.ts'
import type { HostBench } from '../bench.ts'
import { activating, calling, reading } from '../moves.ts'
import { shows, shownTexts, toolTexts } from '../text.ts'
import type { HostSkills } from '../workspace.ts'
import { hostChecksOf, manifest } from './define.ts'

const INFO = { level: 'INFO' } as const
const FEW = 10
/** As long as descriptions of published skills usually are. */
const DESCRIPTION =
  'Writes release notes from commits and groups them by area. Use it before every release of a package.'
const BODY = 'Read the commits since the last tag. Group them by area, and write one sentence for each.'

/** Skills of the same length, by their names. */
function someSkills(count: number): HostSkills {
  const names = Array.from({ length: count }, (_, at) => `release-notes-${String(at).padStart(2, '0')}`)
  return Object.fromEntries(names.map((name) => [name, manifest(name, DESCRIPTION, BODY)]))
}

/** Counts the tokens of everything that a request shows, the calls of the model included. */
function tokensOf({ system, tools, messages }: WireRequest): number {
  const calls = messages.flatMap((message) => message.calls ?? [])
  return estimateTokens(
    [
      system,
      tools.length === 0 ? '' : JSON.stringify(tools),
      ...messages.map(({ text }) => text),
      ...calls.map((call) => call.tool + call.arguments),
    ].join('\n'),
  )
}

/** The tokens of the request that has the list of some skills. */
async function listTokens(bench: HostBench, count: number): Promise<number> {
  const trial = await bench.start(someSkills(count))
  await trial.list()
  return tokensOf(trial.requests.at(-1)!)
}

export const toldHostChecks = hostChecksOf('told', [
  {
    id: 'told-cost',
    ...INFO,
    demands: 'what skills cost: the tokens that they add to every step, and to an activation',
    async run(bench) {
      const none = await bench.start({})
      await none.send()
      const base = tokensOf(none.requests.at(-1)!)
      const [few, double] = [await listTokens(bench, FEW), await listTokens(bench, 2 * FEW)]
      const step = `${FEW} skills add ${few - base} tokens to every step, and each further one ${Math.round((double - few) / FEW)}`
      if (typeof bench.driver.activate !== 'function') return `${step}.`
      const trial = await bench.start(someSkills(FEW))
      const [outcome] = await trial.send(activating('release-notes-00'))
      const grown = tokensOf(outcome!.request) - tokensOf(trial.requests[0]!)
      return `${step}. An activation adds ${grown}, of which ${estimateTokens(BODY)} are the instructions.`
    },
  },
  {
    id: 'told-list-place',
    ...INFO,
    demands: 'where the list of skills is shown',
    async run(bench) {
      const word = bench.word()
      const trial = await bench.start({ plain: manifest('plain', `Handles ${word}.`, BODY) })
      const list = await trial.list()
      if (!shows(list, word)) return 'Nowhere.'
      const { system, messages, tools } = trial.requests[0]!
      const places = [
        ...(shows([system], word) ? ['in the system prompt'] : []),
        ...(shows(toolTexts({ tools }), word) ? ['in the description of a tool'] : []),
        ...(shows(
          messages.map(({ text }) => text),
          word,
        )
          ? ['in a message']
          : []),
      ]
      return `${places.length === 0 ? 'as the result of a tool that the model calls' : places.join(' and ')}.`.replace(
        /^./,
        (letter) => letter.toUpperCase(),
      )
    },
  },
  {
    id: 'told-own-tools',
    ...INFO,
    demands: 'which tools the host adds to those of the task',
    async run(bench) {
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', BODY) })
      await trial.send()
      const given = bench.driver.toolName?.('lookup') ?? 'lookup'
      const names = trial.requests[0]!.tools.flatMap(({ name }) => (name === given ? [] : [name]))
      return names.length === 0 ? 'None.' : `${names.join(', ')}.`
    },
  },
  {
    id: 'told-name-mismatch',
    ...INFO,
    demands: 'what happens to a skill whose name differs from that of its folder',
    async run(bench) {
      const [folder, name, word] = [bench.word(), bench.word(), bench.word()]
      const list = await (await bench.start({ [folder]: manifest(name, `Handles ${word}.`, BODY) })).list()
      if (!shows(list, word)) return 'It is not listed.'
      if (shows(list, name)) return 'It is listed under its name.'
      return shows(list, folder) ? 'It is listed under the name of its folder.' : 'Its description alone is listed.'
    },
  },
  {
    id: 'told-broken',
    ...INFO,
    demands: 'whether the model is told of a skill that cannot be read',
    async run(bench) {
      const broken = bench.word()
      const list = await (
        await bench.start({
          plain: manifest('plain', 'Plain work.', BODY),
          [broken]: `---\nname: ${broken}\ndescription: "open\n  : - [\n---\n\nBody.\n`,
        })
      ).list()
      return shows(list, broken) ? 'It is shown to the model.' : 'The model is told nothing of it.'
    },
  },
  {
    id: 'told-manual-only',
    ...INFO,
    demands: 'whether a skill with `disable-model-invocation: true` is listed',
    async run(bench) {
      const word = bench.word()
      const file = manifest('plain', `Handles ${word}.`, BODY, 'disable-model-invocation: true\n')
      return shows(await (await bench.start({ plain: file })).list(), word) ? 'It is listed.' : 'It is not listed.'
    },
  },
  {
    id: 'told-activation-shows',
    ...INFO,
    demands: 'what an activation shows beside the instructions',
    needs: ['activation'],
    async run(bench) {
      const [licence, file] = [bench.word(), bench.word()]
      const trial = await bench.start({
        plain: { 'SKILL.md': manifest('plain', 'Plain work.', BODY, `license: ${licence}\n`), [`${file}.md`]: 'A.' },
      })
      const [outcome] = await trial.send(activating('plain'))
      const shownParts = [
        ...(shows(outcome!.fresh, licence) ? ['the frontmatter'] : []),
        ...(shows(outcome!.fresh, trial.workspace.folder) ? ["the skill's folder"] : []),
        ...(shows(outcome!.fresh, file) ? ['the names of its files'] : []),
      ]
      return shownParts.length === 0 ? 'Nothing.' : `It shows ${shownParts.join(', ')}.`
    },
  },
  {
    id: 'told-allowed-tools',
    ...INFO,
    demands: 'whether the model is told of `allowed-tools`',
    needs: ['activation'],
    async run(bench) {
      const pattern = bench.word()
      const fields = `allowed-tools: Read Bash(${pattern}:*)\n`
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', BODY, fields) })
      const before = shows(await trial.list(), pattern)
      const [outcome] = await trial.send(activating('plain'))
      if (before) return 'It is in the list.'
      return shows(outcome!.texts, pattern) ? 'The activation shows it.' : 'The model is told nothing of it.'
    },
  },
  {
    id: 'told-unlisted-tool',
    ...INFO,
    demands: 'whether a tool runs that the `allowed-tools` of the active skill do not have',
    needs: ['activation'],
    async run(bench) {
      const file = manifest('plain', 'Plain work.', BODY, 'allowed-tools: Read\n')
      const trial = await bench.start({ plain: file })
      await trial.attempt(activating('plain'), calling('lookup', { order: '1' }))
      const asked = trial.questions.length === 0 ? 'without a question' : 'after a question'
      return trial.runs.length > 0 ? `It ran, ${asked}.` : 'It did not run.'
    },
  },
  {
    id: 'told-unlisted-offered',
    ...INFO,
    demands: 'whether such a tool is still offered',
    needs: ['activation'],
    async run(bench) {
      const file = manifest('plain', 'Plain work.', BODY, 'allowed-tools: Read\n')
      const [outcome] = await (await bench.start({ plain: file })).send(activating('plain'))
      const name = bench.driver.toolName?.('lookup') ?? 'lookup'
      return outcome!.request.tools.some((tool) => tool.name === name) ? 'It is offered.' : 'It is not offered.'
    },
  },
  {
    id: 'told-consent',
    ...INFO,
    demands: 'whether a person is asked before a skill is loaded',
    needs: ['activation'],
    async run(bench) {
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', BODY) })
      await trial.attempt(activating('plain'))
      return trial.questions.length === 0 ? 'Nobody is asked.' : 'A person is asked.'
    },
  },
  {
    id: 'told-resource-of-inactive',
    ...INFO,
    demands: 'whether a file of a skill can be read that is not active',
    needs: ['reading'],
    async run(bench) {
      const word = bench.word()
      const trial = await bench.start({
        plain: { 'SKILL.md': manifest('plain', 'Plain work.', BODY), 'references/rules.md': `Say ${word}.` },
      })
      const [outcome] = await trial.attempt(reading('plain', 'references/rules.md'))
      return outcome !== undefined && shows(outcome.texts, word) ? 'It can be read.' : 'It cannot be read.'
    },
  },
  {
    id: 'told-reload-same-conversation',
    ...INFO,
    demands: 'whether a conversation shows a skill that is added while it goes on',
    async run(bench) {
      const word = bench.word()
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', BODY) })
      await trial.list()
      await trial.workspace.write({ added: manifest('added', `Handles ${word}.`, BODY) })
      await trial.list()
      return shows(shownTexts(trial.requests.at(-1)!), word) ? 'The next message shows it.' : 'It is not shown.'
    },
  },
  {
    id: 'told-commands-in-body',
    ...INFO,
    demands: 'whether an activation runs commands that instructions contain (`` !`command` ``)',
    needs: ['activation'],
    async run(bench) {
      const workspace = await bench.workspace({})
      const trace = join(workspace.root, 'trace')
      await workspace.write({ plain: manifest('plain', 'Plain work.', `Now: !\`touch ${JSON.stringify(trace)}\``) })
      await (await bench.start(workspace)).attempt(activating('plain'))
      return access(trace).then(
        () => 'It runs them.',
        () => 'It runs none.',
      )
    },
  },
])
