import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConsentHandler, ConsentRequest } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import type { Trial } from '../check.ts'
import type { Turn } from '../driver.ts'
import { failure } from '../failure.ts'
import { answerEach } from './answer-each.ts'
import { changingSkill, withSkillOnDisk } from './activation.ts'
import { done, contains, lacks, refusedWith, same, shown } from './assertions.ts'
import { wordsOfCore } from './reference.ts'
import { activate, call, deactivate, fetchPage, say, together, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

/** Returns the open requests of a turn that waits for consent. */
function openRequests(turn: Turn): readonly ConsentRequest[] {
  if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
  return turn.requests
}

/** Returns the only open request of a turn. */
function onlyOpenRequest(turn: Turn): ConsentRequest {
  const [request, ...others] = openRequests(turn)
  if (request === undefined || others.length > 0) throw failure('one open request', turn)
  return request
}

/** Asserts that no skill is active and that no request contains the skill's instructions. */
async function nothingActivated(trial: Trial): Promise<void> {
  same('the active skills', await trial.active(), [])
  for (const wire of trial.requests)
    lacks('a request', shown(wire), 'Make the smallest change that does what was asked.')
}

export const consentChecks = checksOf('consent', [
  {
    id: 'consent-asked-before-activation',
    title: '[ASK-1, ASK-4] asks before the first activation and shows what would run',
    async run(bench) {
      const requests: ConsentRequest[] = []
      const consent: ConsentHandler = (request) => {
        requests.push(request)
        return true
      }
      await playTrial(bench, { script: [activate('release-notes'), say()], consent })
      same('the number of consent requests', requests.length, 1)
      const [request] = requests
      same('the skill', request?.skill, 'release-notes')
      same('the call', request?.callId, 'call_1_1')
      same('the scripts', request?.scripts, ['scripts/collect.sh', 'scripts/heading.sh'])
      contains('the text of the consent request', request?.text ?? '', 'scripts/collect.sh')
      if (!/^[0-9a-f]{64}$/.test(request?.digest ?? '')) throw failure('a SHA-256 digest', request?.digest)
    },
  },
  {
    id: 'consent-denied',
    title: "[ASK-3, GATE-7] activates nothing where consent is denied, tells the model so in core's words, and goes on",
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), write('src/a.ts', ''), say()],
        consent: () => false,
      })
      const [expected] = await wordsOfCore([activate('safe-edit')], {
        session: { consent: () => false },
      })
      same('the result', trial.resultOf('call_1_1'), expected)
      refusedWith(trial, 'call_1_1', 'CONSENT_DENIED')
      await nothingActivated(trial)
      same('the number of tools that ran, since nothing restricts', trial.runs.length, 1)
    },
  },
  {
    id: 'consent-only-a-clear-yes',
    title: '[ASK-3, ABUSE-95] treats an error, and every answer other than a clear yes, as a no',
    async run(bench) {
      const unclear: readonly unknown[] = [
        undefined,
        null,
        'yes',
        1,
        {},
        { approved: 'true' },
        { approved: true },
        { approved: true, requestId: 'another' },
      ]
      const handlers = [
        ...unclear.map((answer) => (() => answer) as ConsentHandler),
        (() => {
          throw new Error('The terminal is gone.')
        }) as ConsentHandler,
      ]
      let asked = 0
      const consent: ConsentHandler = (...request) => handlers[asked++ % handlers.length]!(...request)
      // One for each message: a skill that a message names several times is asked about once.
      const activations = handlers.map((_, index) =>
        call('activate_skill', { name: 'safe-edit' }, `activation_${index}`),
      )
      const trial = await playTrial(bench, { script: [...activations, say()], consent })
      same('how often was asked', asked, handlers.length)
      for (const index of handlers.keys()) refusedWith(trial, `activation_${index}`, 'CONSENT_DENIED')
      await nothingActivated(trial)
    },
  },
  {
    id: 'consent-once-a-session',
    title: '[ASK-1] does not ask again for what was granted in this session, and asks again after a no',
    async run(bench) {
      const answers = [false, true]
      let requestCount = 0
      const consent: ConsentHandler = () => answers[requestCount++] === true
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), activate('safe-edit'), deactivate(), activate('safe-edit'), say()],
        consent,
      })
      same('the number of consent requests', requestCount, 2)
      same('the active skills', await trial.active(), ['safe-edit'])
    },
  },
  {
    id: 'consent-digest',
    title: '[ASK-2, ABUSE-92] asks again where a byte of the folder has changed since',
    run: (bench) =>
      withSkillOnDisk(changingSkill('The body.'), async (root, manifest) => {
        let requestCount = 0
        await playTrial(bench, {
          sources: [directorySource({ root, layer: 'project' })],
          consent: () => ++requestCount > 0,
          script: [
            activate('changing'),
            deactivate(),
            () => {
              writeFileSync(manifest, changingSkill('The body!'))
              return activate('changing')
            },
            say(),
          ],
        })
        same('the number of consent requests', requestCount, 2)
      }),
  },
  {
    id: 'consent-suspends',
    needs: ['suspend'],
    title:
      "[ASK-5] waits for the framework's own approval: nothing is activated before the yes, and the skill is active after it",
    async run(bench) {
      const trial = await bench.open({
        script: [activate('safe-edit'), fetchPage(), say('Edited.')],
        consent: 'suspend',
      })
      const request = onlyOpenRequest(await trial.send('Hello'))
      same('the skill that is asked for', request.skill, 'safe-edit')
      same('the requests before the answer', trial.requests.length, 1)
      same('the active skills before the answer', await trial.active(), [])
      const turn = await trial.answer([{ requestId: request.id, approved: true }])
      same('the turn', turn, { status: 'done', text: 'Edited.' })
      contains('the result', trial.resultOf('call_1_1'), 'Make the smallest change that does what was asked.')
      refusedWith(trial, 'call_2_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await trial.active(), ['safe-edit'])
    },
  },
  {
    id: 'consent-suspended-no',
    needs: ['suspend'],
    title:
      "[ASK-5, GATE-7] tells the model in core's words of a denial through the framework's own approval, with the person's reason",
    async run(bench) {
      const trial = await bench.open({ script: [activate('safe-edit'), say('Without it.')], consent: 'suspend' })
      const request = onlyOpenRequest(await trial.send('Hello'))
      const turn = await trial.answer([{ requestId: request.id, approved: false, reason: 'not on a Friday' }])
      same('the turn', turn, { status: 'done', text: 'Without it.' })
      const [expected] = await wordsOfCore([activate('safe-edit')], {
        session: { consent: ({ id }) => ({ requestId: id, approved: false, reason: 'not on a Friday' }) },
      })
      same('the result', trial.resultOf('call_1_1'), expected)
      contains('the result', trial.resultOf('call_1_1'), 'not on a Friday')
      await nothingActivated(trial)
    },
  },
  {
    id: 'consent-for-this-call-only',
    needs: ['suspend', 'parallelCalls'],
    title: '[ASK-5, ABUSE-94] uses the answer to one call only for that call, and not for another that waits beside it',
    async run(bench) {
      const trial = await bench.open({
        script: [together(activate('safe-edit'), activate('git-history')), say()],
        consent: 'suspend',
      })
      const { requests, turn } = await answerEach(
        trial,
        await trial.send('Hello'),
        ({ skill }) => skill === 'git-history',
      )
      done(turn)
      same('the skills that are asked for', requests.map(({ skill = '' }) => skill).toSorted(), [
        'git-history',
        'safe-edit',
      ])
      refusedWith(trial, 'call_1_1', 'CONSENT_DENIED')
      contains(
        'the result of the second call',
        trial.resultOf('call_1_2'),
        'Quote the commit that answers the question.',
      )
      same('the active skills', await trial.active(), ['git-history'])
    },
  },
  {
    id: 'consent-not-from-before',
    needs: ['suspend'],
    title: '[ASK-5, ABUSE-94] treats a yes with the id of an earlier consent request as a no',
    async run(bench) {
      const trial = await bench.open({
        script: [activate('git-history'), activate('safe-edit'), say()],
        consent: 'suspend',
      })
      const first = onlyOpenRequest(await trial.send('Hello'))
      const second = onlyOpenRequest(await trial.answer([{ requestId: first.id, approved: false }]))
      if (second.id === first.id) throw failure('two calls to have two ids', second.id)
      done(await trial.answer([{ requestId: first.id, approved: true }]))
      refusedWith(trial, 'call_2_1', 'CONSENT_DENIED')
      await nothingActivated(trial)
    },
  },
  {
    id: 'consent-changed-meanwhile',
    needs: ['suspend'],
    title: '[ASK-2, ABUSE-109] activates nothing where the folder changed between the consent request and the yes',
    run: (bench) =>
      withSkillOnDisk(changingSkill('The old body.'), async (root) => {
        const trial = await bench.open({
          sources: [directorySource({ root, layer: 'project' })],
          script: [activate('changing'), say(), activate('changing'), say()],
          consent: 'suspend',
        })
        const request = onlyOpenRequest(await trial.send('Hello'))
        writeFileSync(join(root, 'changing', 'SKILL.md'), changingSkill('The new body.', 'Read Write Bash'))
        let turn = await trial.answer([{ requestId: request.id, approved: true }])
        same('the active skills', await trial.active(), [])
        for (const wire of trial.requests) lacks('a request', shown(wire), 'The new body.')
        // A framework asks again about the new content of the folder, or the call is refused and the next one asks.
        if (turn.status === 'done') {
          refusedWith(trial, 'call_1_1', 'CONSENT_DENIED')
          turn = await trial.send('Once more')
        }
        const second = onlyOpenRequest(turn)
        same('the tools that the new request shows', second.allowedTools, ['Read', 'Write', 'Bash'])
        await trial.answer([{ requestId: second.id, approved: true }])
        same('the active skills', await trial.active(), ['changing'])
      }),
  },
  {
    id: 'consent-changed-while-asked',
    title:
      '[ASK-2, ABUSE-122] asks again if the folder changes while a handler waits, and activates nothing after a no',
    run: (bench) =>
      withSkillOnDisk(changingSkill('The old body.'), async (root) => {
        const requests: ConsentRequest[] = []
        const consent: ConsentHandler = async (request) => {
          requests.push(request)
          writeFileSync(join(root, 'changing', 'SKILL.md'), changingSkill('The new body.', 'Read Write Bash'))
          return Promise.resolve(requests.length === 1)
        }
        const sources = [directorySource({ root, layer: 'project' })]
        const trial = await playTrial(bench, { sources, script: [activate('changing'), say()], consent })
        same(
          'the tools that each request shows',
          requests.map(({ allowedTools }) => allowedTools),
          [['Read'], ['Read', 'Write', 'Bash']],
        )
        refusedWith(trial, 'call_1_1', 'CONSENT_DENIED')
        same('the active skills', await trial.active(), [])
        for (const wire of trial.requests) lacks('a request', shown(wire), 'The new body.')
      }),
  },
  {
    id: 'consent-in-a-fresh-process',
    needs: ['suspend', 'resume'],
    title: '[ASK-5, ACT-15] accepts the answer in a fresh process that was given the saved state',
    async run(bench) {
      const first = await bench.open({ script: [activate('safe-edit')], consent: 'suspend' })
      const request = onlyOpenRequest(await first.send('Hello'))
      const saved = await first.save()
      const second = await bench.open({ script: [say('Edited.')], consent: 'suspend', saved })
      const turn = await second.answer([{ requestId: request.id, approved: true }])
      same('the turn', turn, { status: 'done', text: 'Edited.' })
      contains('the result', second.resultOf('call_1_1'), 'Make the smallest change that does what was asked.')
      same('the active skills', await second.active(), ['safe-edit'])
    },
  },
])
