import type { RepertoireOptions } from '@repertoire/core'
import type { Trial } from '../check.ts'
import { failure } from '../failure.ts'
import { type BenchRunner, benchRunner } from '../script-runner.ts'
import { contains, lacks, offered, refusedWith, same, shown } from './assertions.ts'
import { ENDING, OWN_SCRIPTS } from './own-scripts.ts'
import { wordsOfCore } from './reference.ts'
import { activate, call, deactivate, readSkillFile, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const TOOL = 'run_skill_script'

const ARGS_SCRIPT = `scripts/args.${ENDING}`
const FAIL_SCRIPT = `scripts/fail.${ENDING}`
const FLOOD_SCRIPT = `scripts/flood.${ENDING}`
const WAIT_SCRIPT = `scripts/wait.${ENDING}`
const ONE = `scripts/one.${ENDING}`
const TWO = `scripts/two.${ENDING}`

/** Content that only a reader of the script sees. */
const ARGS_SOURCE = OWN_SCRIPTS.args.slice(0, 20)

const sources = [
  writtenSkills({
    runs: {
      body: 'Body of the skill that runs.',
      files: {
        [ARGS_SCRIPT]: OWN_SCRIPTS.args,
        [FAIL_SCRIPT]: OWN_SCRIPTS.fail,
        [FLOOD_SCRIPT]: OWN_SCRIPTS.flood,
        [WAIT_SCRIPT]: OWN_SCRIPTS.wait,
      },
    },
    named: {
      body: 'Body of the skill that names one.',
      fields: [`allowed-tools: Read run_skill_script(${ONE})`],
      files: { [ONE]: OWN_SCRIPTS.word, [TWO]: OWN_SCRIPTS.word },
    },
    plain: { body: 'Body of the skill without scripts.' },
  }),
]

/** Arguments that a shell, or a join, would change. */
const ARGS = ['a b', '; echo no', '$(id)', '', '--x=*', "it's", '漢字', '{"a":1}']

/** The model runs a script of an active skill. */
const run = (path: string, more: object = {}) => call(TOOL, { path, ...more })

/** The trial's own runner, and options for core to say the same. */
function runners(): { readonly runner: BenchRunner; readonly repertoire: Partial<RepertoireOptions> } {
  return { runner: benchRunner(), repertoire: { sources, scripts: { runner: benchRunner() } } }
}

function sameJobs({ jobs }: BenchRunner, expected: readonly object[]): void {
  same(
    'the scripts that ran',
    jobs.map(({ script, args }) => ({ script, args })),
    expected,
  )
}

function showsWhole(trial: Trial, callId: string, expected: string | undefined): void {
  same(`the result of ${callId}`, trial.resultOf(callId), expected)
}

/** Scripts of active skills, run by the host's runner. */
export const scriptChecks = checksOf('scripts', [
  {
    id: 'scripts-offered',
    title: '[RUN-12] offers the tool that runs scripts exactly while a skill with scripts is active',
    async run(bench) {
      const { runner } = runners()
      const script = [activate('plain'), activate('runs'), run(ARGS_SCRIPT), deactivate(), say()]
      const trial = await playTrial(bench, { sources, repertoire: { scripts: { runner } }, script })
      const seen = trial.requests.map((wire) => offered(wire).includes(TOOL))
      same('whether each request offers it', seen, [false, false, true, true, false])
    },
  },
  {
    id: 'scripts-arguments',
    title:
      '[RUN-12] passes the arguments of a script on as the model wrote them, and shows its output in the words of core',
    async run(bench) {
      const { runner, repertoire } = runners()
      const script = [activate('runs'), run(ARGS_SCRIPT, { args: ARGS }), say()]
      const trial = await playTrial(bench, { sources, repertoire: { scripts: { runner } }, script })
      sameJobs(runner, [{ script: ARGS_SCRIPT, args: ARGS }])
      const [, expected] = await wordsOfCore([activate('runs'), call(TOOL, { path: ARGS_SCRIPT, args: ARGS })], {
        repertoire,
      })
      showsWhole(trial, 'call_2_1', expected)
      contains('the result', trial.resultOf('call_2_1'), ARGS.map((each) => `[${each}]`).join('\n'))
    },
  },
  {
    id: 'scripts-output',
    title: '[RUN-7, RUN-12] shows long output cut as core cuts it, marked, and without what hides in it',
    async run(bench) {
      const { runner, repertoire } = runners()
      const trial = await playTrial(bench, {
        sources,
        repertoire: { scripts: { runner } },
        script: [activate('runs'), run(FLOOD_SCRIPT), say()],
      })
      const [, expected] = await wordsOfCore([activate('runs'), call(TOOL, { path: FLOOD_SCRIPT })], { repertoire })
      showsWhole(trial, 'call_2_1', expected)
      for (const part of ['truncated="true"', 'first line', 'characters are left out', 'last line']) {
        contains('the result', trial.resultOf('call_2_1'), part)
      }
    },
  },
  {
    id: 'scripts-failing',
    title: '[RUN-12] shows a script that fails as a result, with both streams and its exit code, and goes on',
    async run(bench) {
      const { runner, repertoire } = runners()
      const trial = await bench.open({
        sources,
        repertoire: { scripts: { runner } },
        script: [activate('runs'), run(FAIL_SCRIPT), say('I went on.')],
      })
      const turn = await trial.send('Hello')
      const [, expected] = await wordsOfCore([activate('runs'), call(TOOL, { path: FAIL_SCRIPT })], { repertoire })
      showsWhole(trial, 'call_2_1', expected)
      for (const part of ['exit="3"', 'so far', 'not found: a & <b>']) {
        contains('the result', trial.resultOf('call_2_1'), part)
      }
      same('the turn', turn, { status: 'done', text: 'I went on.' })
    },
  },
  {
    id: 'scripts-refused',
    title:
      '[RUN-12, GATE-1] runs no script that the rules in force do not permit, and no file that is not a script, and says so',
    async run(bench) {
      const { runner } = runners()
      const script = [
        run(ONE),
        activate('named'),
        run(TWO),
        run('SKILL.md'),
        run(ONE, { args: 'a b' }),
        run(ONE),
        say(),
      ]
      const trial = await playTrial(bench, { sources, repertoire: { scripts: { runner } }, script })
      refusedWith(trial, 'call_1_1', 'SKILL_NOT_ACTIVE')
      contains('the reason', refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED').reason, `run_skill_script(${ONE})`)
      refusedWith(trial, 'call_4_1', 'RESOURCE_NOT_FOUND')
      refusedWith(trial, 'call_5_1', 'INPUT_INVALID')
      contains('the result', trial.resultOf('call_6_1'), 'one')
      sameJobs(runner, [{ script: ONE, args: [] }])
    },
  },
  {
    id: 'scripts-read-refusal',
    title:
      '[RUN-12, GATE-4] points from a script that is read to the tool that runs it, and explains it with the first activation',
    async run(bench) {
      const { runner } = runners()
      const trial = await playTrial(bench, {
        sources,
        repertoire: { scripts: { runner } },
        script: [activate('runs'), readSkillFile(ARGS_SCRIPT), say()],
      })
      const { reason } = refusedWith(trial, 'call_2_1', 'SCRIPT_READ_BLOCKED')
      contains('the reason', reason, `Run it with "${TOOL}"`)
      contains('the activation', trial.resultOf('call_1_1'), `Run scripts, never read them: \`${TOOL}\``)
      for (const wire of trial.requests) lacks('a request', shown(wire), ARGS_SOURCE)
    },
  },
  {
    id: 'scripts-abort',
    needs: ['abort'],
    title: '[RUN-9] stops a script that is running when its run is aborted',
    async run(bench) {
      const { runner } = runners()
      const trial = await bench.open({
        sources,
        repertoire: { scripts: { runner } },
        script: [activate('runs'), run(WAIT_SCRIPT), say()],
      })
      const stop = new AbortController()
      const sent = trial.send('Hello', { signal: stop.signal })
      const ended = sent.then(
        () => undefined,
        () => undefined,
      )
      const job = await begun(runner, ended)
      const stopped = new Promise<void>((resolve) => job.signal.addEventListener('abort', () => resolve()))
      stop.abort()
      await Promise.race([stopped, ended])
      if (!job.signal.aborted) throw failure('the signal of the running script to abort with its run', 'it did not')
      await ended
    },
  },
])

/** Waits until a script runs. */
async function begun({ jobs }: BenchRunner, ended: Promise<void>): Promise<BenchRunner['jobs'][number]> {
  let isOver = false
  void ended.then(() => (isOver = true))
  for (;;) {
    const [job] = jobs
    if (job !== undefined) return job
    if (isOver) throw failure('the script to run', 'the run ended without it')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
