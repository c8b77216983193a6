import { done, endsWith, lacks, ran, refusedWith, request, same, shown, timesShown } from './assertions.ts'
import { turnOfCore } from './reference.ts'
import { call, deactivate, fetchPage, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf } from './define.ts'

const BODY = 'Body of the mender.'

const sources = [
  writtenSkills({
    mender: {
      body: BODY,
      fields: ['allowed-tools: Read', 'triggers:', '  keywords: [regression]', '  verbs: [mend]'],
    },
    tracker: { body: 'Body of the tracker.', fields: ['triggers:', "  patterns: ['\\bABC-[0-9]+\\b']"] },
  }),
]
const core = (triggers: 'suggest' | 'activate', consent = () => true) => ({
  repertoire: { sources },
  session: { turns: { triggers }, consent },
})

const MESSAGE = 'We are mending a regression, see ABC-12.'

/** What a person's message does when it matches the triggers of skills. */
export const triggerChecks = checksOf('turns', [
  {
    id: 'turns-suggestion',
    title: '[ACT-11] tells the model once, after the message, which skills may fit, and activates none',
    async run(bench) {
      const trial = await bench.open({ sources, script: [fetchPage(), say(), say(), say()] })
      done(await trial.send(MESSAGE))
      const expected = (await turnOfCore(MESSAGE, core('suggest'))) ?? ''
      endsWith(request(trial, 0), MESSAGE, expected)
      same('the active skills', await trial.active(), [])
      same('the tools that ran, since nothing restricts', ran(trial), ['WebFetch'])
      done(await trial.send('Thank you'))
      endsWith(request(trial, 2), 'Thank you')
      same('how often the suggestion occurs', timesShown(trial, expected), [1, 1, 1])
      done(await trial.send('ABC-7 too'))
      endsWith(request(trial, 3), 'ABC-7 too', await turnOfCore('ABC-7 too', core('suggest')))
    },
  },
  {
    id: 'turns-suggestion-suspended',
    needs: ['suspend'],
    title: '[ACT-11, ASK-5] does not repeat the start of a turn where a suspended run continues with an answer',
    async run(bench) {
      const trial = await bench.open({
        sources,
        consent: 'suspend',
        script: [call('activate_skill', { name: 'mender' }), say(), say()],
      })
      const turn = await trial.send(MESSAGE)
      if (turn.status !== 'asking') throw new Error(`expected the turn to wait for consent, saw ${turn.text}`)
      done(await trial.answer(turn.requests.map(({ id }) => ({ requestId: id, approved: true }))))
      const expected = (await turnOfCore(MESSAGE, core('suggest'))) ?? ''
      same('how often the suggestion occurs', timesShown(trial, expected), [1, 1])
      same('how often the instructions occur', timesShown(trial, BODY), [0, 1])
    },
  },
  {
    id: 'turns-triggers-off',
    title: '[ACT-11] shows nothing about triggers where the host turns them off',
    async run(bench) {
      const trial = await bench.open({ sources, session: { turns: { triggers: 'off' } }, script: [fetchPage(), say()] })
      done(await trial.send(MESSAGE))
      endsWith(request(trial, 0), MESSAGE)
      same('the active skills', await trial.active(), [])
      same('the tools that ran', ran(trial), ['WebFetch'])
    },
  },
  {
    id: 'turns-triggers-activate',
    title:
      '[ACT-11, ASK-1, GATE-5] activates skills whose triggers match the message, with consent and before the first request, where the host chooses that',
    async run(bench) {
      const asked: string[] = []
      const trial = await bench.open({
        sources,
        session: { turns: { triggers: 'activate' } },
        consent: ({ skill = '' }) => {
          asked.push(skill)
          return skill === 'mender'
        },
        script: [fetchPage(), say(), deactivate(), say()],
      })
      done(await trial.send(MESSAGE))
      const consented = {
        ...core('activate'),
        session: { turns: { triggers: 'activate' as const }, consent: onlyMender },
      }
      const expected = await turnOfCore(MESSAGE, consented)
      endsWith(request(trial, 0), MESSAGE, expected)
      refusedWith(trial, 'call_1_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await trial.active(), ['mender'])
      same('the skills that were asked for', asked.toSorted(), ['mender', 'tracker'])
      done(await trial.send('Thank you'))
      same('how often the instructions occur', timesShown(trial, BODY), [1, 1, 1, 1])
      for (const wire of trial.requests) lacks('a request', shown(wire), 'Body of the tracker.')
      same('the active skills afterwards', await trial.active(), [])
    },
  },
])

const onlyMender = ({ skill }: { readonly skill?: string | undefined }): boolean => skill === 'mender'
