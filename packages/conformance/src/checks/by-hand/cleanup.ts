import type { FunctionTool, SkillSource } from '@repertoire/core'
import { activate, bash, call, say, together, write } from '../../oracle/steps.ts'
import { scanWritten } from '../../oracle/fixtures.ts'
import { forked, RULED, skill, tool, withTools } from '../scenarios/define.ts'
import type { Turn } from '../../driver.ts'
import type { Desk } from '../../oracle/scenario.ts'
import { LATE, within } from '../../deadline.ts'
import { failure } from '../../failure.ts'
import { type HandCheck, resultOf, runsOf, same } from './hand.ts'

const never = (): Promise<never> => new Promise<never>(() => {})

/** How long a run that is stopped, or the end of a task, may take, in milliseconds. */
const MAX_END_MS = 3_000

/** A tool that stops the run, and ignores that it is stopped. */
const stuckTool = ({ stop }: Desk): FunctionTool => tool('Stuck', () => (stop(), never()))

/** A skill whose folder answers a scan, and stops the run and never answers when it is read in it. */
function stuckSource({ stop, requests }: Desk): SkillSource {
  const scan = () =>
    scanWritten({ stuck: skill('Body of stuck.') }).map(({ folder, ...found }) => {
      const readManifest = () => (requests() > 0 ? (stop(), never()) : folder.readManifest())
      return { ...found, folder: { ...folder, readManifest } }
    })
  return { id: 'stuck', layer: 'project', scan }
}

/** Two conversations that wait for each other, each with a skill active. */
function meeting() {
  let begun = 0
  const both = Promise.withResolvers<void>()
  return tool('Meet', async () => {
    if (++begun === 2) both.resolve()
    await both.promise
    return 'met'
  })
}

/** What happens at the same time, or never. */
export const cleanupChecks: readonly HandCheck[] = [
  ...[
    {
      id: 'cleanup-stuck-tool',
      title: '[CAT-10, ABUSE-141] stops when the run is stopped while a tool of the host ignores it, and can end then',
      setup: (desk: Desk) => ({ tools: withTools(stuckTool(desk)) }),
      script: [call('Stuck'), say('Nobody asked me.')],
      runs: ['Stuck '],
    },
    {
      id: 'cleanup-stuck-person',
      title:
        '[CAT-10, ASK-3] stops when the run is stopped while a handler is asked that never answers, and runs nothing',
      setup: ({ stop }: Desk) => ({ skills: RULED, consent: () => (stop(), never()) }),
      script: [activate('free'), say('Nobody asked me.')],
      runs: [],
    },
    {
      id: 'cleanup-stuck-folder',
      title: '[CAT-10, ASK-5] stops when the run is stopped while a folder never answers that is to be asked about',
      setup: (desk: Desk) => ({ sources: [stuckSource(desk)], consent: 'suspend' as const }),
      script: [activate('stuck'), say('Nobody asked me.')],
      runs: [],
    },
  ].map(({ runs, ...check }): HandCheck => ({
    ...check,
    area: 'cleanup',
    level: 'MUST',
    needs: ['abort'],
    async run(hand) {
      const { conversation, requests } = hand
      const turn = await hand.run((signal) => {
        const late = Promise.withResolvers<Turn>()
        const goesOn: Turn = { status: 'done', text: `It goes on after ${MAX_END_MS} ms.` }
        signal.addEventListener('abort', () => setTimeout(late.resolve, MAX_END_MS, goesOn))
        return Promise.race([conversation.send('Hello', { signal }), late.promise])
      })
      same('how the stopped run ends', turn, undefined)
      await conversation.end()
      same('the tools that ran', runsOf(hand), runs)
      same('the number of requests', requests().length, 1)
      same('the active skills', await conversation.active(), [])
    },
  })),
  {
    id: 'cleanup-ended-fork',
    area: 'cleanup',
    level: 'MUST',
    title: '[ACT-7, ACT-10] stops the model call of a sub-agent with the task, also where nobody stops the run',
    setup: { skills: { free: forked('Body of free.') } },
    script: [activate('free'), say()],
    forks: { 'Body of free.': [{ stop: true }] },
    async run({ conversation, run, stopped }) {
      const [asked, late] = [Promise.withResolvers<'asked'>(), new AbortController()]
      const ran = run((signal) => {
        signal.addEventListener('abort', () => asked.resolve('asked'))
        return conversation.send('Hello', { signal: late.signal })
      })
      const first = await Promise.race([asked.promise, ran])
      if (first !== 'asked') throw failure('the sub-agent to call its model', first)
      const isLeft = await within(MAX_END_MS, Promise.all([conversation.end(), stopped()]))
      late.abort()
      if (isLeft === LATE) throw failure('the end of the task to stop the model call of its sub-agent', 'an open call')
    },
  },
  {
    id: 'isolation-at-once',
    area: 'isolation',
    level: 'MUST',
    title: '[ACT-8, ASK-1] keeps two conversations over one repertoire apart that are at work at the same time',
    setup: () => ({
      skills: {
        docs: skill('Body of docs.', 'allowed-tools: Meet Write(docs/**)'),
        git: skill('Body of git.', 'allowed-tools: Meet Bash(git log:*)'),
      },
      tools: withTools(meeting()),
    }),
    script: [activate('docs'), call('Meet'), together(write('docs/a'), bash('git log')), say()],
    forks: { beside: [activate('git'), call('Meet'), together(write('docs/b'), bash('git log -3')), say()] },
    async run(hand) {
      const { beside, conversation, continues, requests } = hand
      const other = await beside()
      await Promise.all([conversation.send('Edit'), other.send('Look')])
      const runs = runsOf(hand).filter((run) => !run.startsWith('Meet'))
      same('the tools that ran', runs.toSorted(), ['Bash git log -3', 'Write docs/a x'])
      if (continues) same('the active skills', [await conversation.active(), await other.active()], [['docs'], ['git']])
      if (JSON.stringify(requests()).includes('Body of git.'))
        throw failure('the instructions of a skill to stay in its conversation', requests().at(-1))
    },
  },
  {
    id: 'consent-changed-meanwhile',
    area: 'consent',
    level: 'MUST',
    title: '[ASK-2, ABUSE-109] activates nothing where the folder has changed between the question and the yes',
    needs: ['suspend'],
    setup: { skills: { changing: skill('The old body.', 'allowed-tools: Read') }, consent: 'suspend' },
    script: [activate('changing'), say(), activate('changing'), say()],
    async run({ conversation, reload, requests }) {
      const asked = await conversation.send('Hello')
      const answers = (turn: typeof asked) =>
        turn.status === 'asking' ? turn.requests.map(({ id }) => ({ requestId: id, approved: true })) : []
      await reload({ changing: skill('The new body.', 'allowed-tools: Read Write Bash') }, false)
      let turn = await conversation.answer(answers(asked))
      same('the active skills', await conversation.active(), [])
      // A framework asks again about the new content of the folder, or the call is refused and the next one asks.
      if (turn.status === 'done') {
        same('whether the call is denied', resultOf(requests(), 'call_1_1').includes('CONSENT_DENIED'), true)
        turn = await conversation.send('Once more')
      }
      const shown = turn.status === 'asking' ? turn.requests.map(({ allowedTools }) => allowedTools) : []
      same('the tools that the new question shows', shown, [['Read', 'Write', 'Bash']])
      await conversation.answer(answers(turn))
      same('the active skills after the new question', await conversation.active(), ['changing'])
    },
  },
]
