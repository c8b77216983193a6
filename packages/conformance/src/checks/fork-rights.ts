import type { Bench, Trial } from '../check.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import { ALLOWED_COMMANDS, COMMAND_RULES, REFUSED_COMMANDS } from './commands.ts'
import { done, contains, isForkRequest, lacks, forkRequests, ran, refusedWith, same, shown } from './assertions.ts'
import { wordsOfCore } from './reference.ts'
import { activate, bash, deactivate, fetchPage, inTwoSteps, read, say, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const RULES = `allowed-tools: ${COMMAND_RULES.join(' ')}`

const sources = [
  writtenSkills({
    docs: { body: 'Body of the docs skill.', fields: ['allowed-tools: Read Write(docs/**) WebFetch'] },
    helper: {
      body: 'Body of the helper.',
      fields: ['context: fork', 'allowed-tools: Write Read(docs/**) Bash(git log:*)'],
    },
    shell: { body: 'Body of the shell skill.', fields: [RULES] },
    'forked-shell': { body: 'Body of the forked shell skill.', fields: ['context: fork', RULES] },
    one: { body: 'Body of one.', fields: ['context: fork'] },
    two: { body: 'Body of two.', fields: ['context: fork'] },
    three: { body: 'Body of three.', fields: ['context: fork'] },
    four: { body: 'Body of four.', fields: ['context: fork'] },
  }),
]

const commandsOf = (trial: Trial): readonly string[] =>
  trial.runs.map(({ input }) => String((input as { readonly command?: unknown }).command))

/** Tries the whole table under a skill, and after the skill has ended a compound command and an allowed one. */
async function tryCommands(bench: Bench, skill: string, leave: ScriptStep): Promise<Trial> {
  const tried = inTwoSteps(
    'tried',
    [...REFUSED_COMMANDS, ...ALLOWED_COMMANDS].map((command) => bash(command)),
  )
  const afterwards = [bash('id; git log'), activate('docs'), bash('git log --oneline -20'), say()]
  const script = [activate(skill), ...tried, leave, ...afterwards]
  const trial = await bench.open({ sources, script, maxSteps: script.length + 1 })
  done(await trial.send('Hello'))
  same('the commands that ran', commandsOf(trial).toSorted(), [...ALLOWED_COMMANDS, 'id; git log'].toSorted())
  for (const [index, text] of REFUSED_COMMANDS.entries()) {
    const { allowedTools } = refusedWith(trial, `tried_${index}`, 'TOOL_NOT_ALLOWED')
    same(`what is allowed instead of ${text.slice(0, 80)}`, allowedTools, COMMAND_RULES)
  }
  refusedWith(trial, `call_${script.length - 1}_1`, 'TOOL_NOT_ALLOWED')
  return trial
}

/** What a fork may do, and what it leaves behind. */
export const forkRightsChecks = checksOf('forks', [
  {
    id: 'gate-command-table',
    area: 'gate',
    title:
      '[GATE-3, ABUSE-35, ABUSE-36, ABUSE-37, ABUSE-38, ABUSE-39, ABUSE-41, ABUSE-42, ABUSE-43, ABUSE-45] decides the whole table of commands correctly, and grants nothing once the skill is deactivated',
    run: async (bench) => void (await tryCommands(bench, 'shell', deactivate())),
  },
  {
    id: 'forks-command-table',
    title:
      '[ACT-10, GATE-3, ABUSE-35, ABUSE-36, ABUSE-37, ABUSE-38, ABUSE-39, ABUSE-41, ABUSE-42, ABUSE-43, ABUSE-45] decides the whole table of commands correctly in a sub-agent, and grants nothing once it has ended',
    async run(bench) {
      const trial = await tryCommands(bench, 'forked-shell', say('All tried.'))
      same("the agent's own requests", trial.requests.length - forkRequests(trial).length, 5)
    },
  },
  {
    id: 'forks-rights',
    title:
      '[ACT-10, GATE-6, GATE-7] lets a sub-agent do what its own skill and all active skills of its parents allow, and leaves the rights of the parents as they were',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        script: [
          activate('docs'),
          activate('helper'),
          write('docs/a.md'),
          write('src/a.ts'),
          read('docs/a.md'),
          read('src/a.ts'),
          bash('git log'),
          fetchPage(),
          say('Helped.'),
          read('src/b.ts'),
          write('src/b.ts'),
          fetchPage(),
          bash('git log'),
          deactivate(),
          bash('git log'),
          say(),
        ],
      })
      for (const step of [4, 6, 7, 8, 11, 13]) refusedWith(trial, `call_${step}_1`, 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), ['Write', 'Read', 'Read', 'WebFetch', 'Bash'])
      const [, expected] = await wordsOfCore([activate('docs'), write('src/b.ts')], { repertoire: { sources } })
      same('the refusal afterwards', trial.resultOf('call_11_1'), expected)
    },
  },
  {
    id: 'forks-own-skills',
    title: '[ACT-10, GATE-5, GATE-6] lets a sub-agent restrict itself by skills that it activates, which end with it',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        script: [
          activate('one'),
          activate('docs'),
          write('src/a.ts'),
          write('docs/a.md'),
          deactivate(),
          write('src/b.ts'),
          activate('docs'),
          say('Done with one.'),
          write('src/c.ts'),
          say(),
        ],
      })
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      same(
        'the files that were written',
        trial.runs.map(({ input }) => (input as { file_path: string }).file_path),
        ['docs/a.md', 'src/b.ts', 'src/c.ts'],
      )
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'forks-nested',
    title:
      '[ACT-10] returns the result of a nested fork to the sub-agent that started it, and nests three deep at most',
    async run(bench) {
      const trial = await bench.open({
        sources,
        script: [
          activate('one'),
          activate('two'),
          activate('three'),
          activate('four'),
          say('Result of three.'),
          say('Result of two.'),
          say('Result of one.'),
          say('I went on.'),
        ],
      })
      const turn = await trial.send('Hello')
      same('the turn', turn, { status: 'done', text: 'I went on.' })
      refusedWith(trial, 'call_4_1', 'FORK_TOO_DEEP')
      contains('what the second is given', trial.resultOf('call_3_1'), 'Result of three.')
      contains('what the first is given', trial.resultOf('call_2_1'), 'Result of two.')
      contains('what the agent is given', trial.resultOf('call_1_1'), 'Result of one.')
      for (const wire of trial.requests)
        if (!isForkRequest(wire)) lacks("the agent's own request", shown(wire), 'Result of two.')
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'forks-policy',
    title: "[GATE-8, ACT-10, ABUSE-32] enforces the host's policy in sub-agents, whatever their skills allow",
    async run(bench) {
      const script = [activate('one'), write('a.md'), fetchPage(), bash('git log'), say('Done.'), say()]
      const session = { policy: { deny: ['WebFetch', 'Bash(git log:*)'] } }
      const trial = await playTrial(bench, { sources, session, script })
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), ['Write'])
    },
  },
])
