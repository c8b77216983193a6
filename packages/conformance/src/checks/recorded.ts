import { createHash } from 'node:crypto'
import type { AuditEvent, ConsentHandler, ConsentRequest } from '@repertoire/core'
import { failure } from '../failure.ts'
import { answerEach } from './answer-each.ts'
import { done, same } from './assertions.ts'
import { checksOf, playTrial } from './define.ts'
import { activate, bash, deactivate, read, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'

const sources = [
  writtenSkills({
    bounded: { body: 'Body of the bounded skill.', fields: ['allowed-tools: Read'] },
    forked: { body: 'Body of the forked skill.', fields: ['context: fork'] },
    secret: { body: 'Body of the secret skill.', fields: ['disable-model-invocation: true'] },
  }),
]

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The host's tools, as every trial has them. */
const HOST_TOOLS = ['Bash', 'Read', 'WebFetch', 'Write']

/** What is on record of questions: a type, the call, the request, the digest of its text, and the answer. */
function questionsIn(events: readonly AuditEvent[]): readonly (readonly unknown[])[] {
  return events.flatMap(({ type, callId, consent }) =>
    consent === undefined
      ? []
      : [[type, callId, consent.request, consent.about, consent.digest, consent.answer, consent.by]],
  )
}

/** What must be on record of one question that was answered. */
function answered(request: ConsentRequest, answer: 'yes' | 'no', by: string): readonly (readonly unknown[])[] {
  const { id, callId, skill, text } = request
  const question = [callId, id, skill === undefined ? 'call' : 'skill', sha256(text)]
  return [
    ['consent.asked', ...question, undefined, undefined],
    ['consent.answered', ...question, answer, by],
  ]
}

/** What the audit records of what a model was shown, and a person was asked. */
export const recordedChecks = checksOf('audit', [
  {
    id: 'audit-shown-once',
    title:
      '[OBS-6] records what every model call was shown, once: the skills in the order of the list, the tools, those that a skill withholds, and the digest of the system prompt, as they are in the request',
    async run(bench) {
      const events: AuditEvent[] = []
      const trial = await playTrial(bench, {
        sources,
        session: { id: 'the-task' },
        repertoire: { audit: { write: (event) => void events.push(event) } },
        script: [activate('bounded'), read('a.md'), deactivate(), activate('forked'), say('The result.'), say()],
      })
      const recorded = events.filter(({ type }) => type === 'skills.shown')
      same(
        'the sessions and the steps on record',
        recorded.map(({ session, shown }) => [session, shown?.step]),
        [
          ['the-task', 1],
          ['the-task', 2],
          ['the-task', 3],
          ['the-task', 4],
          ['the-task/call_4_1', 1],
          ['the-task', 5],
        ],
      )
      for (const [index, { system, tools }] of trial.requests.entries()) {
        const shown = recorded[index]?.shown
        const at = `request ${index + 1}`
        same(
          `the skills of ${at}`,
          shown?.skills.map(({ name }) => name),
          [...system.matchAll(/^<skill name="(.*?)"/gm)].map(([, name]) => name),
        )
        same(
          `the skills that ${at} leaves out`,
          shown?.left.map(({ name, why }) => [name, why]),
          [['secret', 'hidden']],
        )
        const names = tools.map(({ name }) => name)
        same(`the tools of ${at}`, shown?.tools, names)
        same(
          `the tools that ${at} withholds, and the skill by whose rules it does`,
          Object.fromEntries((shown?.withheld ?? []).map(({ tool, skill }) => [tool, skill])),
          Object.fromEntries(HOST_TOOLS.filter((name) => !names.includes(name)).map((name) => [name, 'bounded'])),
        )
        same(`the digest of the system prompt of ${at}`, shown?.digest, sha256(system))
        const { bodies = 0, messages } = shown?.tokens ?? {}
        if (!(bodies >= 0 && (messages ?? -1) > 0)) throw failure(`the tokens of ${at}, of messages too`, shown?.tokens)
      }
    },
  },
  {
    id: 'audit-consent-recorded',
    title:
      '[OBS-8] records every question to the handler and its answer, each once, with the id of the request and the digest of the text that was asked',
    async run(bench) {
      const events: AuditEvent[] = []
      const requests: ConsentRequest[] = []
      const consent: ConsentHandler = (request) => requests.push(request) !== 2
      await playTrial(bench, {
        sources,
        repertoire: { audit: { write: (event) => void events.push(event) } },
        session: { policy: { ask: ['Bash'] } },
        consent,
        script: [bash('ls'), activate('bounded'), activate('bounded'), say()],
      })
      same('the number of questions', requests.length, 3)
      same(
        'the questions on record',
        questionsIn(events),
        requests.flatMap((request, index) => answered(request, index === 1 ? 'no' : 'yes', 'handler')),
      )
    },
  },
  {
    id: 'audit-consent-suspended',
    needs: ['suspend'],
    title:
      '[OBS-8, ASK-5] records every question that suspends a run and the answer of the person, each once, also where the run is made again to go on',
    async run(bench) {
      const events: AuditEvent[] = []
      const trial = await bench.open({
        sources,
        repertoire: { audit: { write: (event) => void events.push(event) } },
        session: { policy: { ask: ['Bash'] } },
        consent: 'suspend',
        script: [bash('ls'), activate('bounded'), say(), say()],
      })
      const calls = await answerEach(trial, await trial.send('Hello'), ({ skill }) => skill === undefined)
      done(calls.turn)
      const invoked = await answerEach(trial, await trial.send('/bounded now'), () => true)
      done(invoked.turn)
      const requests = [...calls.requests, ...invoked.requests]
      same('the number of questions', requests.length, 3)
      same(
        'the questions on record',
        questionsIn(events),
        requests.flatMap((request, index) => answered(request, index === 1 ? 'no' : 'yes', 'person')),
      )
    },
  },
  {
    id: 'audit-consent-resumed',
    needs: ['suspend', 'resume'],
    title:
      '[OBS-8, ASK-5, ACT-15] records a question where it is asked and its answer in the fresh process that is given it, each once',
    async run(bench) {
      const first: AuditEvent[] = []
      const second: AuditEvent[] = []
      const began = await bench.open({
        sources,
        repertoire: { audit: { write: (event) => void first.push(event) } },
        consent: 'suspend',
        script: [activate('bounded')],
      })
      const turn = await began.send('Hello')
      const [request] = turn.status === 'asking' ? turn.requests : []
      if (request === undefined) throw failure('the turn to wait for consent', turn)
      const trial = await bench.open({
        sources,
        repertoire: { audit: { write: (event) => void second.push(event) } },
        consent: 'suspend',
        script: [say()],
        saved: await began.save(),
      })
      done(await trial.answer([{ requestId: request.id, approved: true }]))
      const [asked, answer] = answered(request, 'yes', 'person')
      same('the questions on record in the first process', questionsIn(first), [asked])
      same('the questions on record in the fresh process', questionsIn(second), [answer])
    },
  },
])
