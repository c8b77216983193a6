import type { ConsentRequest } from '@repertoire/core'
import type { Trial } from '../check.ts'
import { failure } from '../failure.ts'
import { done, contains, isForkRequest, lacks, forkRequests, refusedWith, same, shown } from './assertions.ts'
import { wordsOfCore } from './reference.ts'
import { activate, fetchPage, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf } from './define.ts'

const BODY = 'Body of the survey.'
const RESULT = 'The survey: 42 files.'

const sources = [
  writtenSkills({
    survey: { body: BODY, fields: ['context: fork', 'allowed-tools: Read Write Bash(git:*)'] },
    docs: { body: 'Body of the docs skill.', fields: ['allowed-tools: Read Write(docs/**) WebFetch'] },
  }),
]
const core = { repertoire: { sources }, result: RESULT }

/** Consent to what a sub-agent runs. */
export const forkConsentChecks = checksOf('forks', [
  {
    id: 'forks-consent',
    title: '[ACT-10, ASK-1, ASK-3] asks once, before anything of a fork runs, and runs nothing where consent is denied',
    async run(bench) {
      const asked: ConsentRequest[] = []
      const before: number[] = []
      let requests: Trial['requests'] = []
      const trial = await bench.open({
        sources,
        consent: (consentRequest) => {
          before.push(requests.length)
          return asked.push(consentRequest) > 1
        },
        script: [activate('survey'), activate('survey'), say(RESULT), activate('survey'), say(RESULT), say()],
      })
      ;({ requests } = trial)
      done(await trial.send('Hello'))
      const [expected] = await wordsOfCore([activate('survey')], {
        ...core,
        session: { consent: () => false },
      })
      same('the first result', trial.resultOf('call_1_1'), expected)
      refusedWith(trial, 'call_1_1', 'CONSENT_DENIED')
      contains('the second result', trial.resultOf('call_2_1'), '42 files')
      contains('the third result', trial.resultOf('call_4_1'), '42 files')
      same(
        'the skills that were asked for',
        asked.map(({ skill }) => skill),
        ['survey', 'survey'],
      )
      same('the model requests before each consent request', before, [1, 2])
      same('the requests of sub-agents', forkRequests(trial), [3, 5])
    },
  },
  {
    id: 'forks-consent-suspends',
    needs: ['suspend'],
    title:
      "[ACT-10, ASK-3, ASK-5] waits for the framework's own approval before a fork, and denies within it everything that would have to be asked",
    async run(bench) {
      const trial = await bench.open({
        sources,
        consent: 'suspend',
        script: [activate('survey'), activate('docs'), say(RESULT), say('I went on.')],
      })
      const turn = await trial.send('Hello')
      if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
      same(
        'the skills that are asked for',
        turn.requests.map(({ skill }) => skill),
        ['survey'],
      )
      same('the requests before the answer', trial.requests.length, 1)
      const after = await trial.answer(turn.requests.map(({ id }) => ({ requestId: id, approved: true })))
      same('the turn', after, { status: 'done', text: 'I went on.' })
      refusedWith(trial, 'call_2_1', 'CONSENT_DENIED')
      contains('the result', trial.resultOf('call_1_1'), '42 files')
      for (const wire of trial.requests)
        if (!isForkRequest(wire)) lacks("a request of the agent's own", shown(wire), BODY)
    },
  },
  {
    id: 'forks-in-a-fresh-process',
    needs: ['suspend', 'resume'],
    title:
      '[ACT-10, ASK-5, ACT-15] runs a fork in the fresh process that is given the answer, and enforces its rules there',
    async run(bench) {
      const first = await bench.open({ sources, consent: 'suspend', script: [activate('survey')] })
      const turn = await first.send('Hello')
      if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
      const saved = await first.save()
      const fetch = { calls: fetchPage().calls.map((each) => ({ ...each, id: 'late' })) }
      const script = [fetch, say(RESULT), say('I went on.')]
      const second = await bench.open({ sources, consent: 'suspend', script, saved })
      const after = await second.answer(turn.requests.map(({ id }) => ({ requestId: id, approved: true })))
      same('the turn', after, { status: 'done', text: 'I went on.' })
      refusedWith(second, 'late', 'TOOL_NOT_ALLOWED')
      contains('the result', second.resultOf('call_1_1'), '42 files')
      same('the requests of sub-agents', forkRequests(second), [1, 2])
    },
  },
])
