import type { FunctionTool } from '@repertoire/core'
import { abandonedCallText } from '@repertoire/core/adapter'
import { failure } from '../../failure.ts'
import type { WireMessage } from '../../endpoint/wire.ts'
import type { Desk } from '../../oracle/scenario.ts'
import { STOPPED } from '../../oracle/stage.ts'
import { bash, activate, call, read, say, saying, together } from '../../oracle/steps.ts'
import { skill, tool, withTools } from '../scenarios/define.ts'
import { type HandCheck, resultOf, same } from './hand.ts'

const FIRST = '  First:\n\n    an indented line\n'
const SECOND = '  And the second.\n'

/** Every string in a value, in order. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** A message as one line, so that a difference can be read. */
function lineOf({ role, text, calls = [], callId }: WireMessage): string {
  return role === 'tool' ? `result of ${callId}` : `${role}: ${text}${calls.map(({ id }) => ` [${id}]`).join('')}`
}

/** A tool that works until it is stopped, which is when its neighbours are done. */
function stoppedTool({ stop }: Desk): FunctionTool {
  return tool('Slow', (_, { signal }) => {
    setTimeout(stop, 20)
    return new Promise((resolve, reject) => {
      if (signal === undefined) resolve('done')
      signal?.addEventListener('abort', () => reject(signal.reason as Error))
    })
  })
}

const file = (data: string) => ({ files: [{ mediaType: 'image/png', data: btoa(data) }] })

/** What is sent back of what the model wrote, where frameworks may do so in several ways. */
export const historyChecks: readonly HandCheck[] = [
  {
    id: 'history-stopped',
    area: 'history',
    level: 'MUST',
    title:
      '[CONF-5, ADPT-4] goes on behind runs that were stopped with all that came before: the message that was being carried out is sent back as the model wrote it, with results that make nothing up, or not at all',
    needs: ['abort', 'parallelCalls'],
    setup: (desk) => ({ tools: withTools(stoppedTool(desk)) }),
    script: [
      saying('I look.', bash('ls')),
      saying('Both.', together(read('a'), call('Slow'))),
      bash('pwd'),
      { stop: true },
      say('Three.'),
      say('Four.'),
    ],
    async run({ conversation, requests, run }) {
      for (const text of ['Hello', 'Go on'])
        same('how a stopped run ends', await run((signal) => conversation.send(text, { signal })), undefined)
      for (const text of ['And now?', 'Thanks']) await conversation.send(text)
      const last = requests().at(-1)?.messages ?? []
      const isKept = last.some(({ calls = [] }) => calls.some(({ id }) => id === 'call_2_2'))
      const kept = ['assistant: Both. [call_2_1] [call_2_2]', 'result of call_2_1', 'result of call_2_2']
      same('the messages of the last request', last.map(lineOf), [
        'user: Hello',
        'assistant: I look. [call_1_1]',
        'result of call_1_1',
        ...(isKept ? kept : []),
        'user: Go on',
        'assistant:  [call_3_1]',
        'result of call_3_1',
        'user: And now?',
        'assistant: Three.',
        'user: Thanks',
      ])
      if (!isKept) return
      for (const [id, called, own] of [
        ['call_2_1', 'Read', 'content of a'],
        ['call_2_2', 'Slow', STOPPED],
      ] as const) {
        const text = resultOf(requests(), id)
        if (text === own || text === abandonedCallText(called) || text.includes(STOPPED)) continue
        throw failure(`the result of ${id}, whose run was stopped, to say so (\`abandonedCallText\` of core)`, text)
      }
    },
  },
  {
    id: 'history-apart',
    area: 'history',
    level: 'MUST',
    title:
      '[CONF-5, CONF-10] sends a message of a person whole, apart from one that was not answered, and invents no answer between the two',
    script: [{ status: 400, message: 'Too busy.' }, say()],
    async run({ conversation, requests, run }) {
      await run(() => conversation.send(FIRST))
      await conversation.send(SECOND)
      const messages = requests().at(-1)?.messages ?? []
      same('the messages that are no person’s', messages.filter(({ role }) => role !== 'user').map(lineOf), [])
      // Some clients put both into one message, each as a part of it. A framework may drop a message that failed.
      const isKept = messages.some(({ text }) => text.includes(FIRST.trim()))
      const sent = stringsIn(requests().at(-1)?.raw).filter(
        (text) => text.includes(FIRST.trim()) || text.includes(SECOND.trim()),
      )
      same('the texts of the person', sent, isKept ? [FIRST, SECOND] : [SECOND])
    },
  },
  {
    id: 'history-files',
    area: 'history',
    level: 'MUST',
    title:
      '[CONF-5, CONF-8, ACT-15] sends the model the files that it has made back unchanged, in the same process and in a fresh one',
    needs: ['suspend', 'resume'],
    setup: { skills: { narrow: skill('Body of narrow.', 'allowed-tools: Read') }, consent: 'suspend' },
    script: [
      { ...say('Here it is.'), ...file('one') },
      { ...bash('ls'), ...file('two') },
      { ...saying('I activate it.', activate('narrow')), ...file('three') },
      say('One.'),
      say('Two.'),
    ],
    async run({ conversation, exchanges, requests, restart }) {
      await conversation.send('Hello')
      const turn = await conversation.send('Another')
      const asked = turn.status === 'asking' ? turn.requests : []
      const fresh = await restart()
      await fresh.answer(asked.map(({ id }) => ({ requestId: id, approved: true })))
      await fresh.send('Go on')
      const made = exchanges().map(({ answer }) => answer?.files ?? [])
      for (const [index, { messages }] of requests().entries()) {
        const sentBack = messages.flatMap(({ role, files = [] }) => (role === 'assistant' ? [files] : []))
        same(`the files of request ${index + 1}`, sentBack, made.slice(0, index))
      }
    },
  },
]
