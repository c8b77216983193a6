import type { ConsentRequest, FunctionTool } from '@repertoire/core'
import type { AdapterSessionOptions } from '@repertoire/core/adapter'
import type { Bench, Trial, TrialOptions } from '../check.ts'
import { failure } from '../failure.ts'
import { benchTools } from '../tools.ts'
import { contains, done, lacks, offered, ran, refusedWith, request, same } from './assertions.ts'
import { wordsOfCore } from './reference.ts'
import { activate, bash, call, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf } from './define.ts'

const sources = [
  writtenSkills({
    docs: { body: 'Use `Bash` to look.', fields: ['allowed-tools: Read Write(docs/**) Bash(git log:*) Grep'] },
  }),
]

/** A host that calls nothing as skills do. */
const tools: readonly FunctionTool[] = [
  renamed('Read', 'readDoc'),
  renamed('Write', 'putDoc'),
  renamed('Bash', 'runCommand', { command: 'cmd' }),
  renamed('WebFetch', 'browse'),
]
const hostTools = tools.map(({ name }) => name)
const session: AdapterSessionOptions = {
  toolMap: { readDoc: 'Read', putDoc: 'Write', runCommand: { as: 'Bash', argument: 'cmd' }, browse: 'WebFetch' },
}

const put = (path: string, id?: string) => call('putDoc', { file_path: path, content: 'x' }, id)
const command = (cmd: string) => call('runCommand', { cmd })

/** A message to an agent of that host's, which the model answers by the script. */
async function sent(bench: Bench, { script, ...options }: TrialOptions, message = 'Hello'): Promise<Trial> {
  const trial = await bench.open({ sources, tools, session, ...options, script: [...script, say()] })
  done(await trial.send(message))
  return trial
}

/** A bench's tool under another name, its input under others too. */
function renamed(tool: string, name: string, properties: Readonly<Record<string, string>> = {}): FunctionTool {
  const bench = benchTools.find((each) => each.name === tool)!
  const { description, inputSchema } = bench
  const { properties: before, required } = inputSchema as { properties: object; required: readonly string[] }
  const rename = (property: string): string => properties[property] ?? property
  return {
    name,
    description,
    inputSchema: {
      ...inputSchema,
      properties: Object.fromEntries(Object.entries(before).map(([key, value]) => [rename(key), value as unknown])),
      required: required.map(rename),
    },
    execute: (input, options) => {
      const given = input as Readonly<Record<string, unknown>>
      return bench.execute(
        Object.fromEntries(Object.keys(before).map((property) => [property, given[rename(property)]])),
        options,
      )
    },
  }
}

/** The host's tool names, and the known tools that they map to. */
export const toolNameChecks = checksOf('gate', [
  {
    id: 'gate-own-names',
    title:
      "[GATE-9, GATE-7, ADPT-4] takes the host's tools for what its table `toolMap` says, and refuses in the host's names and the words of core",
    async run(bench) {
      const steps = [
        activate('docs'),
        call('readDoc', { file_path: 'a.md' }),
        put('docs/a.md'),
        put('src/a.ts'),
        command('git log -3'),
        command('rm a'),
        call('browse', { url: 'https://example.com/' }),
      ]
      const trial = await sent(bench, { script: steps })
      same('the tools that ran (`toolMap` is one of the options that `openSession` is given)', ran(trial), [
        'readDoc',
        'putDoc',
        'runCommand',
      ])
      const expected = await wordsOfCore(steps, { repertoire: { sources }, session, hostTools })
      for (const step of [1, 4, 6, 7])
        same(`the result of step ${step}`, trial.resultOf(`call_${step}_1`), expected[step - 1])
      const { reason } = refusedWith(trial, 'call_7_1', 'TOOL_NOT_ALLOWED')
      contains('the refusal', reason, 'readDoc, putDoc(docs/**), runCommand(git log:*)')
    },
  },
  {
    id: 'gate-own-names-hidden',
    needs: ['hiding'],
    title:
      '[GATE-9, GATE-1] shows, while a skill is active, the tools that its list means, under the names of the host',
    async run(bench) {
      const trial = await sent(bench, { script: [activate('docs')] })
      const shown = offered(request(trial, 1)).filter((name) => hostTools.includes(name))
      same('the tools of the host', shown.toSorted(), ['putDoc', 'readDoc', 'runCommand'])
    },
  },
  {
    id: 'gate-own-names-resumed',
    needs: ['resume'],
    title: "[GATE-9, ACT-15] goes on by the host's table in another process",
    async run(bench) {
      const first = await sent(bench, { script: [activate('docs')] })
      const saved = await first.save()
      const second = await sent(bench, { saved, script: [put('docs/a.md'), put('a.ts', 'outside')] }, 'Go on')
      same('the tools that ran', ran(second), ['putDoc'])
      refusedWith(second, 'outside', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'listing-guidance-own-names',
    area: 'listing',
    title: "[SHOW-6, SHOW-9] guides with worked calls, in the names of the host's tools and of their arguments",
    async run(bench) {
      const trial = await sent(bench, { script: [], repertoire: { listing: { guidance: 'full' } } })
      const { system } = request(trial, 0)
      contains('the system prompt', system, '`runCommand` {"cmd":"/path/to/example/scripts/sum.py report.csv"}')
      contains('the system prompt', system, '`activate_skill` {"name":"example","args":"report.csv"}')
      contains('the system prompt', system, '`read_skill_resource` {"path":"references/style.md"}')
      lacks('the system prompt', system, '`Bash`')
    },
  },
  {
    id: 'consent-own-names',
    area: 'consent',
    title: "[GATE-9, GATE-10, ASK-4] asks with the rules in the host's names, and says which mean none of its tools",
    async run(bench) {
      const asked: ConsentRequest[] = []
      const consent = (given: ConsentRequest): boolean => asked.push(given) > 0
      await sent(bench, { consent, script: [activate('docs')] })
      askedInHostNames(asked)
    },
  },
  {
    id: 'consent-own-names-suspended',
    area: 'consent',
    title: "[GATE-9, GATE-10, ASK-5] asks so through the framework's own approval too",
    needs: ['suspend'],
    async run(bench) {
      const trial = await bench.open({ sources, tools, session, consent: 'suspend', script: [activate('docs'), say()] })
      const turn = await trial.send('Hello')
      if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn.status)
      askedInHostNames(turn.requests)
    },
  },
  {
    id: 'navigation-own-names',
    area: 'navigation',
    title: '[LLM-1, GATE-9] leads a model back that calls a tool by the name that the skill has for it',
    async run(bench) {
      const trial = await sent(bench, {
        script: [
          activate('docs'),
          bash('git log'),
          ({ messages }) => {
            const [, name = ''] = /Here that is \\?"([^"\\]+)\\?"/.exec(messages.at(-1)?.text ?? '') ?? []
            if (name === '') throw failure('the model to be told the name of the tool', messages.at(-1)?.text)
            return call(name, { cmd: 'git log' })
          },
        ],
      })
      same('the tools that ran', ran(trial), ['runCommand'])
    },
  },
])

function askedInHostNames(requests: readonly ConsentRequest[]): void {
  const [asked] = requests
  if (asked === undefined) throw failure('a request for consent', requests)
  same('the rules of the request', asked.allowedTools, ['readDoc', 'putDoc(docs/**)', 'runCommand(git log:*)', 'Grep'])
  same('the rules that mean no tool', asked.unmatchedTools, ['Grep'])
}
