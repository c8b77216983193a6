import type { FunctionTool } from '@repertoire/core'
import type { Bench, Trial, TrialOptions } from '../check.ts'
import type { Turn } from '../driver.ts'
import { failure } from '../failure.ts'
import { benchTools } from '../tools.ts'
import { contains, done, isForkRequest, refusedWith, same } from './assertions.ts'
import { turnOfCore } from './reference.ts'
import { conversationOf, holdsConversation, type ScriptedTurn } from './sent-back.ts'
import { activate, bash, call, read, say, saying, together, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [
  writtenSkills({
    narrow: { body: 'Body of narrow.', fields: ['allowed-tools: Read'] },
    other: { body: 'Body of the other.' },
    survey: { body: 'Body of the survey.', fields: ['context: fork'] },
    placed: { body: 'Mind [$1].', fields: ['allowed-tools: Read Write(docs/**)'] },
    internal: { body: 'Body of the internal skill.', fields: ['user-invocable: false'] },
  }),
]

const survey = call('activate_skill', { name: 'survey' }, 'main_2')

/** A tool with arguments of every kind, and one that fails. */
const search: FunctionTool = {
  name: 'Search',
  description: 'Searches.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' }, filters: { type: 'object' } } },
  execute: () => ['first', 'second'],
}
const upload: FunctionTool = {
  name: 'Upload',
  description: 'Uploads.',
  inputSchema: { type: 'object', properties: {} },
  execute() {
    throw new Error('The disk is full.')
  },
}

/** The steps of all turns, as a trial plays them. */
const scriptOf = (turns: readonly ScriptedTurn[]) => turns.flatMap(([, ...steps]) => steps)

/** Asserts that every request holds what was said and done before it. */
function holds(trial: Trial, turns: readonly ScriptedTurn[]): void {
  holdsConversation(
    trial.requests,
    conversationOf(turns, (id) => trial.resultOf(id)),
  )
}

/** Asserts the results of calls, by their ids. */
function gave(trial: Trial, results: Readonly<Record<string, string>>): void {
  for (const [id, text] of Object.entries(results)) same(`the result of ${id}`, trial.resultOf(id), text)
}

/** Plays turns, and asserts that every request holds what was said and done before it. */
async function plays(
  bench: Bench,
  turns: readonly ScriptedTurn[],
  options: Omit<TrialOptions, 'script'> = {},
): Promise<Trial> {
  const trial = await bench.open({ sources, ...options, script: scriptOf(turns) })
  for (const [message] of turns) done(await trial.send(typeof message === 'string' ? message : message[0]))
  holds(trial, turns)
  return trial
}

/** Answers every open request of a turn. */
async function answerAll(trial: Trial, turn: Turn, approved: boolean): Promise<void> {
  if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
  done(await trial.answer(turn.requests.map(({ id }) => ({ requestId: id, approved }))))
}

/** What a model is sent back of its earlier steps and turns. */
export const historyChecks = checksOf('history', [
  {
    id: 'history-steps',
    title:
      '[CONF-5] sends the model what it wrote in earlier steps and turns: each message by itself, with its text, the names and arguments of its calls, and their results',
    async run(bench) {
      const input = {
        query: 'a "b" \\ ü\n🙂',
        filters: { tags: ['x', 'y'], limit: 3, exact: false, nested: { list: [{}] } },
      }
      const turns: readonly ScriptedTurn[] = [
        [
          'Hello',
          saying('I search first.', call('Search', input)),
          bash('ls'),
          bash('ls'),
          saying('Now the upload.', call('Upload')),
          say('One.'),
        ],
        ['And now?', bash('git log'), say('Two.')],
        ['Go on', say('Three.')],
      ]
      const trial = await plays(bench, turns, { tools: [...benchTools, search, upload] })
      gave(trial, { call_2_1: 'ran: ls', call_3_1: 'ran: ls', call_6_1: 'ran: git log' })
    },
  },
  {
    id: 'history-parallel',
    needs: ['parallelCalls'],
    title:
      '[CONF-5] sends calls of one message back as one message, in their order and each with its own result: also activations, refused calls and calls of unknown tools',
    async run(bench) {
      const turns: readonly ScriptedTurn[] = [
        ['Hello', saying('All three.', together(bash('ls'), read('a'), bash('pwd'))), say('One.')],
        [
          'Now the skill',
          saying('I activate it.', together(read('b'), activate('narrow'))),
          saying('These now.', together(write('x'), read('c'), call('no_such_tool', { a: 1 }))),
          say('Two.'),
        ],
        ['Go on', say('Three.')],
      ]
      const trial = await plays(bench, turns)
      gave(trial, {
        call_1_1: 'ran: ls',
        call_1_2: 'content of a',
        call_1_3: 'ran: pwd',
        call_3_1: 'content of b',
        call_4_2: 'content of c',
      })
      contains('the result of the activation', trial.resultOf('call_3_2'), 'Body of narrow.')
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_4_3', 'TOOL_UNKNOWN')
    },
  },
  {
    id: 'history-invocation',
    title:
      "[CONF-5, ACT-12] sends a person's `/name` back as it was written, in every later turn, with what the session said behind it: instructions, a refusal, the result of a sub-agent, or nothing",
    async run(bench) {
      const said = async (message: string): Promise<readonly [string, string]> => {
        const turn = await turnOfCore(message, { repertoire: { sources }, result: '42 files.' })
        if (turn === undefined) throw failure(`core to say something behind ${message}`, 'nothing')
        return [message, turn]
      }
      const invocation = await said('/placed docs/a.md\nand a second line')
      const turns: readonly ScriptedTurn[] = [
        [invocation, saying('I write.', write('docs/a.md')), say('One.')],
        [await said('/internal now'), say('Two.')],
        [await said('/survey src'), say('Three.')],
        ['/unknown placed', say('Four.')],
        ['Go on', say('Five.')],
      ]
      const [first, second, ...others] = turns
      const forked = say('42 files.')
      const trial = await bench.open({ sources, script: [...scriptOf([first!, second!]), forked, ...scriptOf(others)] })
      for (const [message] of turns) done(await trial.send(typeof message === 'string' ? message : message[0]))
      contains('what the session says', invocation[1], 'Mind [docs/a.md].')
      same('the number of requests of the sub-agent', trial.requests.filter(isForkRequest).length, 1)
      holdsConversation(
        trial.requests.filter((wire) => !isForkRequest(wire)),
        conversationOf(turns, (id) => trial.resultOf(id)),
      )
    },
  },
  {
    id: 'history-approval',
    needs: ['approval', 'parallelCalls'],
    title:
      "[CONF-5, ADPT-4] sends calls back as the model wrote them behind the host's own approval, those approved, those denied and those beside them",
    async run(bench) {
      const turns: readonly ScriptedTurn[] = [
        ['Hello', saying('Both.', together(bash('ls'), read('a'))), bash('pwd'), say('One.')],
        // Some frameworks carry out none of these where one of them is denied.
        ['And these', saying('All three.', together(bash('id'), bash('rm -r .'), read('b'))), say('Two.')],
        ['Go on', say('Three.')],
      ]
      const trial = await plays(bench, turns, {
        approval: {
          tools: ['Bash'],
          ask: ({ input }) => Promise.resolve({ approved: JSON.stringify(input) !== '{"command":"rm -r ."}' }),
        },
      })
      gave(trial, { call_1_1: 'ran: ls', call_1_2: 'content of a', call_2_1: 'ran: pwd' })
      const ran = trial.runs.map(({ callId }) => callId)
      for (const [id, text] of Object.entries({
        call_4_1: 'ran: id',
        call_4_2: 'ran: rm -r .',
        call_4_3: 'content of b',
      }))
        same(`whether the result of ${id} is that of a run`, trial.resultOf(id) === text, ran.includes(id))
    },
  },
  {
    id: 'history-consent',
    needs: ['suspend', 'parallelCalls'],
    title:
      '[CONF-5, ASK-5] sends calls back as the model wrote them after a run has waited for consent, with a yes and with a no',
    async run(bench) {
      const turns: readonly ScriptedTurn[] = [
        ['Hello', saying('I activate it.', together(read('a'), activate('narrow'))), say('One.')],
        ['The other', saying('The other.', activate('other')), say('Two.')],
        ['Go on', say('Three.')],
      ]
      const trial = await bench.open({ sources, script: scriptOf(turns), consent: 'suspend' })
      await answerAll(trial, await trial.send('Hello'), true)
      await answerAll(trial, await trial.send('The other'), false)
      done(await trial.send('Go on'))
      gave(trial, { call_1_1: 'content of a' })
      contains('the result of the activation', trial.resultOf('call_1_2'), 'Body of narrow.')
      refusedWith(trial, 'call_3_1', 'CONSENT_DENIED')
      holds(trial, turns)
    },
  },
  {
    id: 'history-resumed',
    needs: ['suspend', 'resume'],
    title:
      '[CONF-5, ACT-15] sends the model the same history in a fresh process, both where a run waited for consent and where it had ended',
    async run(bench) {
      const turns: readonly ScriptedTurn[] = [
        ['Hello', saying('I look.', bash('ls')), say('One.')],
        ['Now the skill', saying('I activate it.', activate('narrow')), say('Two.')],
        ['Go on', say('Three.')],
      ]
      const steps = scriptOf(turns)
      const settings = { sources, consent: 'suspend' as const }
      const first = await playTrial(bench, { ...settings, script: steps.slice(0, 3) })
      const turn = await first.send('Now the skill')
      const second = await bench.open({ ...settings, script: steps.slice(3, 4), saved: await first.save() })
      await answerAll(second, turn, true)
      const third = await bench.open({ ...settings, script: steps.slice(4), saved: await second.save() })
      done(await third.send('Go on'))
      // For each call, the first process that showed its result to the model.
      const conversation = conversationOf(turns, (id) => (id === 'call_1_1' ? first : second).resultOf(id))
      contains('the result of the activation', second.resultOf('call_3_1'), 'Body of narrow.')
      const trials = [first, second, third]
      for (const [index, { requests }] of trials.entries()) {
        const skipped = trials.slice(0, index).reduce((sum, each) => sum + each.requests.length, 0)
        holdsConversation(requests, conversation, { skipped })
      }
    },
  },
  {
    id: 'history-forks',
    title:
      "[CONF-5, ACT-10] sends a sub-agent its own history and nothing of the agent's, and the agent nothing of the sub-agent's but its result",
    async run(bench) {
      const main: readonly ScriptedTurn[] = [
        [
          'Hello',
          saying('I look.', call('Bash', { command: 'ls' }, 'main_1')),
          saying('The survey.', survey),
          say('One.'),
        ],
        ['Go on', say('Two.')],
      ]
      const fork = [
        saying('I look around.', call('Bash', { command: 'id' }, 'fork_1')),
        call('Bash', { command: 'pwd' }, 'fork_2'),
        say('42 files.'),
      ]
      const [look, activation, ...rest] = scriptOf(main)
      const trial = await bench.open({ sources, script: [look!, activation!, ...fork, ...rest] })
      for (const message of ['Hello', 'Go on']) done(await trial.send(message))
      holdsConversation(
        trial.requests.filter((wire) => !isForkRequest(wire)),
        conversationOf(main, (id) => trial.resultOf(id)),
      )
      const forked = trial.requests.filter(isForkRequest)
      const task = forked[0]?.messages[0]?.text ?? ''
      same('the number of requests of the sub-agent', forked.length, fork.length)
      holdsConversation(
        forked,
        conversationOf([[task, ...fork]], (id) => trial.resultOf(id)),
      )
    },
  },
])
