import { writeFileSync } from 'node:fs'
import type { ConsentRequest } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import type { Trial } from '../check.ts'
import { changingSkill, withSkillOnDisk } from './activation.ts'
import { failure } from '../failure.ts'
import { done, endsWith, lacks, ran, refusedWith, request, same, shown, timesShown } from './assertions.ts'
import { turnOfCore, wordsOfCore } from './reference.ts'
import { activate, deactivate, fetchPage, say, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const MARK = 'Body of the placed skill.'

const sources = [
  writtenSkills({
    placed: { body: `${MARK} Mind [$1] and [$2].`, fields: ['allowed-tools: Read Write(docs/**)'] },
    internal: { body: 'Body of the internal skill.', fields: ['user-invocable: false'] },
    'person-only': { body: 'Body for persons.', fields: ['disable-model-invocation: true', 'allowed-tools: Read'] },
  }),
]
const core = { repertoire: { sources } }

/** The rules of the skills above do not allow it. */

async function nothingActive(trial: Trial, mark: string): Promise<void> {
  same('the active skills', await trial.active(), [])
  for (const wire of trial.requests) lacks('a request', shown(wire), mark)
}

/** What a person's `/name args` does. */
export const invocationChecks = checksOf('turns', [
  {
    id: 'turns-invocation',
    title:
      '[ACT-12, ACT-9, GATE-5] activates `/name args` before the first request: the instructions follow the message once, and the rules hold in that same step',
    async run(bench) {
      const message = '/placed docs/a.md "two words"\nand a second line'
      const trial = await bench.open({
        sources,
        script: [fetchPage(), write('docs/a.md'), say(), say()],
      })
      done(await trial.send(message))
      const expected = await turnOfCore(message, core)
      endsWith(request(trial, 0), message, expected)
      refusedWith(trial, 'call_1_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await trial.active(), ['placed'])
      done(await trial.send('Go on'))
      endsWith(request(trial, -1), 'Go on')
      same('the tools that ran', ran(trial), ['Write'])
      same(
        'how often the instructions occur',
        timesShown(trial, `${MARK} Mind [docs/a.md] and [two words].`),
        [1, 1, 1, 1],
      )
    },
  },
  {
    id: 'turns-not-invocable',
    title:
      "[ACT-12, GATE-7] refuses to let a person invoke a skill that only a model may activate, in core's words, and goes on",
    async run(bench) {
      const trial = await bench.open({ sources, script: [fetchPage(), activate('internal'), say()] })
      done(await trial.send('/internal now'))
      endsWith(request(trial, 0), '/internal now', await turnOfCore('/internal now', core))
      lacks('the first request', shown(request(trial, 0)), 'Body of the internal skill.')
      same('the tools that ran, since nothing restricts', ran(trial), ['WebFetch'])
      same('the active skills, by the model', await trial.active(), ['internal'])
    },
  },
  {
    id: 'turns-person-only',
    title: '[ACT-12] lets only a person activate a skill with `disable-model-invocation`',
    async run(bench) {
      const trial = await playTrial(bench, { sources, script: [activate('person-only'), say(), fetchPage(), say()] })
      const [expected] = await wordsOfCore([activate('person-only')], core)
      same('the result', trial.resultOf('call_1_1'), expected)
      refusedWith(trial, 'call_1_1', 'SKILL_NOT_FOUND')
      await nothingActive(trial, 'Body for persons.')
      done(await trial.send('/person-only'))
      endsWith(request(trial, 2), '/person-only', await turnOfCore('/person-only', core))
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await trial.active(), ['person-only'])
    },
  },
  {
    id: 'turns-unknown-invocation',
    title: '[ACT-12] treats a message that names no known skill as ordinary text',
    async run(bench) {
      const messages = ['/unknown placed', '/usr/bin is full', 'Use /placed here', '//placed', '/', '/ placed']
      const trial = await bench.open({ sources, script: messages.map(() => say()) })
      for (const [index, message] of messages.entries()) {
        done(await trial.send(message))
        endsWith(request(trial, index), message)
      }
      await nothingActive(trial, MARK)
    },
  },
  {
    id: 'turns-invocation-consent',
    title:
      '[ACT-12, ASK-1, ASK-3] asks also where a person activates a skill, and activates nothing where consent is denied',
    async run(bench) {
      const asked: ConsentRequest[] = []
      let requests: Trial['requests'] = []
      const answers = [false, true]
      const before: number[] = []
      const trial = await bench.open({
        sources,
        script: [fetchPage(), say(), fetchPage(), say()],
        consent: (consentRequest) => {
          asked.push(consentRequest)
          before.push(requests.length)
          return answers[asked.length - 1] === true
        },
      })
      ;({ requests } = trial)
      done(await trial.send('/placed a b'))
      const refused = await turnOfCore('/placed a b', { ...core, session: { consent: () => false } })
      endsWith(request(trial, 0), '/placed a b', refused)
      await nothingActive(trial, MARK)
      same('the tools that ran, since nothing restricts', ran(trial), ['WebFetch'])
      done(await trial.send('/placed c'))
      endsWith(request(trial, 2), '/placed c', await turnOfCore('/placed c', core))
      same('the active skills', await trial.active(), ['placed'])
      same('the tools that ran', ran(trial), ['WebFetch'])
      same(
        'the consent requests',
        asked.map(({ skill, args }) => [skill, args]),
        [
          ['placed', 'a b'],
          ['placed', 'c'],
        ],
      )
      same('the model requests before each consent request', before, [0, 2])
    },
  },
  {
    id: 'turns-invocation-suspends',
    level: 'SHOULD',
    needs: ['suspend', 'resume'],
    title:
      "[ACT-12, ASK-5, ACT-15] waits for the framework's own approval also of what a person invokes, and accepts the answer in a fresh process",
    async run(bench) {
      const first = await bench.open({ sources, script: [], consent: 'suspend' })
      const turn = await first.send('/placed a b')
      if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
      same(
        'the skills that are asked for',
        turn.requests.map(({ skill, args }) => [skill, args]),
        [['placed', 'a b']],
      )
      same('the requests before the answer', first.requests.length, 0)
      same('the active skills before the answer', await first.active(), [])
      const saved = await first.save()
      const second = await bench.open({ sources, script: [fetchPage(), say()], consent: 'suspend', saved })
      done(await second.answer(turn.requests.map(({ id }) => ({ requestId: id, approved: true }))))
      endsWith(request(second, 0), '/placed a b', await turnOfCore('/placed a b', core))
      refusedWith(second, 'call_1_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await second.active(), ['placed'])
    },
  },
  {
    id: 'turns-invocation-digest',
    needs: ['continuation'],
    title:
      "[ASK-2, ACT-12] grants a yes to a person's invocation for the folder as it was then, and for no other content",
    run: (bench) =>
      withSkillOnDisk(changingSkill('The old body.'), async (root, manifest) => {
        const digests: string[] = []
        const trial = await bench.open({
          sources: [directorySource({ root, layer: 'project' })],
          consent: ({ digest = '' }) => digests.push(digest) < 2,
          script: [deactivate(), say(), deactivate(), say(), say()],
        })
        done(await trial.send('/changing'))
        done(await trial.send('/changing once more'))
        same('the number of consent requests about one folder', digests.length, 1)
        writeFileSync(manifest, changingSkill('The new body.', 'Read Write Bash'))
        done(await trial.send('/changing'))
        same('the number of consent requests', digests.length, 2)
        same('whether both are about the same folder', digests[0] === digests[1], false)
        await nothingActive(trial, 'The new body.')
      }),
  },
  {
    id: 'turns-invocation-resumed',
    needs: ['resume'],
    title:
      '[ACT-12, ACT-14, ACT-15] shows exactly once what a person invoked, and enforces its rules, also in a fresh process',
    async run(bench) {
      const first = await bench.open({ sources, script: [say()] })
      done(await first.send('/placed docs/a.md b'))
      const saved = await first.save()
      const script = [{ calls: [{ id: 'late', tool: 'Write', input: { file_path: 'a.md', content: '' } }] }, say()]
      const second = await bench.open({ sources, script, saved })
      same('the active skills', await second.active(), ['placed'])
      done(await second.send('Go on'))
      refusedWith(second, 'late', 'TOOL_NOT_ALLOWED')
      same('how often the instructions occur', timesShown(second, `${MARK} Mind [docs/a.md] and [b].`), [1, 1])
    },
  },
])
