import { failure } from '../failure.ts'
import { done, refusedWith, request, same } from './assertions.ts'
import { activate, call, say, together } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [
  writtenSkills({ one: { body: 'Body of one.' }, two: { body: 'Body of two.' }, three: { body: 'Body of three.' } }),
]

const FIRST = '  First:\n\n    an indented line\n'
const SECOND = '  And the second.\n'

/** Every string in a value, in order. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Messages, ids and requests that an adapter must not change. */
export const writtenMessageChecks = checksOf('history', [
  {
    id: 'history-unanswered',
    title:
      '[CONF-5, CONF-10] sends a message of a person whole, apart from one that was not answered, and invents no answer between the two',
    async run(bench) {
      const trial = await bench.open({ sources, script: [{ status: 400, message: 'Too busy.' }, say()] })
      await trial.send(FIRST).catch(() => undefined)
      done(await trial.send(SECOND))
      const { messages, raw } = request(trial, -1)
      same(
        'the messages that are not of a person',
        messages.filter(({ role }) => role !== 'user'),
        [],
      )
      // Some clients put both into one message, each as a part of it. A framework may drop a message that failed.
      const isKept = messages.some(({ text }) => text.includes(FIRST.trim()))
      const sent = stringsIn(raw).filter((text) => text.includes(FIRST.trim()) || text.includes(SECOND.trim()))
      same('the texts of the person', sent, isKept ? [FIRST, SECOND] : [SECOND])
    },
  },
  {
    id: 'history-ids-again',
    title: '[CONF-5, CONF-10] gives each call its own result when the model uses an id again in a later message',
    async run(bench) {
      const commands = ['ls', 'pwd', 'id']
      const [ls, pwd, id] = commands.map((command) => call('Bash', { command }, 'call_1'))
      const trial = await playTrial(bench, { sources, script: [ls!, pwd!, say(), id!, say()] })
      done(await trial.send('Go on'))
      const { messages, raw } = request(trial, -1)
      const results = messages.filter(({ role }) => role === 'tool')
      same('the results', results.map(({ text }) => text), commands.map((command) => `ran: ${command}`)) // prettier-ignore
      // Calls that are written as plain text have no ids.
      if (!stringsIn(raw).includes('call_1')) return
      same('the number of different ids', new Set(results.map(({ callId }) => callId)).size, commands.length)
    },
  },
  {
    id: 'consent-requests-order',
    area: 'consent',
    needs: ['suspend', 'parallelCalls'],
    title: '[ASK-5, CONF-10] returns the consent requests of one message in the order of its calls',
    async run(bench) {
      const trial = await bench.open({
        sources,
        consent: 'suspend',
        script: [together(activate('two'), activate('three'), activate('one')), say()],
      })
      const skills: unknown[] = []
      let turn = await trial.send('Hello')
      while (turn.status === 'asking') {
        skills.push(...turn.requests.map(({ skill }) => skill))
        turn = await trial.answer(turn.requests.map(({ id }) => ({ requestId: id, approved: true })))
      }
      same('the skills of the requests', skills, ['two', 'three', 'one'])
    },
  },
  {
    id: 'consent-beside-resumed',
    area: 'consent',
    needs: ['suspend', 'resume', 'parallelCalls'],
    title:
      '[ASK-5, ACT-15, CONF-10] carries out in a fresh process the calls beside one that waited: of a name in another case, and of a name that no tool has',
    async run(bench) {
      const message = together(call('bash', { command: 'ls' }), call('no_such_tool', { a: 1 }), activate('one'))
      const first = await bench.open({ sources, consent: 'suspend', script: [message] })
      const asking = await first.send('Hello')
      if (asking.status !== 'asking') throw failure('the turn to wait for consent', asking)
      const second = await bench.open({ sources, consent: 'suspend', script: [say()], saved: await first.save() })
      done(await second.answer(asking.requests.map(({ id }) => ({ requestId: id, approved: true }))))
      same('the result of the call in another case', second.resultOf('call_1_1'), 'ran: ls')
      refusedWith(second, 'call_1_2', 'TOOL_UNKNOWN')
      same('the number of runs', first.runs.length + second.runs.length, 1)
    },
  },
])
