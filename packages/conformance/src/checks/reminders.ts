import { done, lacks, refusedWith, request, same, shown, timesShown } from './assertions.ts'
import { failure } from '../failure.ts'
import { wordsOfCore } from './reference.ts'
import { activate, deactivate, fetchPage, say, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

const EDIT = 'Make the smallest change that does what was asked.'
const FIX = 'Never weaken a test to make it pass.'

/** What happens to the instructions of active skills when the conversation loses them. */
export const reminderChecks = checksOf('turns', [
  {
    id: 'turns-reminder',
    needs: ['compaction'],
    title:
      '[ACT-14, GATE-5] shows once, at the end of the system prompt, the instructions of active skills that the conversation has lost, in every request until they are deactivated',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          activate('safe-edit', 'docs/a.md'),
          activate('test-first-fix'),
          say(),
          write('src/a.ts'),
          deactivate(),
          say(),
          say(),
        ],
      })
      await trial.forget()
      done(await trial.send('Go on'))
      const texts = await wordsOfCore([activate('safe-edit', 'docs/a.md'), activate('test-first-fix')])
      const { system, messages } = request(trial, 3)
      if (!system.endsWith(texts.join('\n\n'))) throw failure('the system prompt to end with the lost texts', system)
      same(
        'the messages of the first request afterwards',
        messages.map(({ text }) => text),
        ['Go on'],
      )
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await trial.active(), ['safe-edit'])
      same('how often the first instructions occur', timesShown(trial, EDIT), [0, 1, 1, 1, 1, 1])
      same('how often the second instructions occur', timesShown(trial, FIX), [0, 0, 1, 1, 1, 0])
      done(await trial.send('And on'))
      same('how often the first instructions occur in the end', timesShown(trial, EDIT).at(-1), 1)
    },
  },
  {
    id: 'turns-reminder-given-back',
    needs: ['compaction'],
    title: '[ACT-14, ACT-6] does not show instructions twice where a skill is activated again after they were lost',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          activate('safe-edit'),
          say(),
          activate('safe-edit'),
          deactivate(),
          activate('safe-edit'),
          say(),
          say(),
        ],
      })
      await trial.forget()
      done(await trial.send('Go on'))
      lacks('the second result', trial.resultOf('call_3_1'), EDIT)
      same('how often the instructions occur', timesShown(trial, EDIT), [0, 1, 1, 1, 0, 1])
      lacks('the last system prompt', request(trial, -1).system, EDIT)
    },
  },
  {
    id: 'turns-reminder-resumed',
    needs: ['compaction', 'resume'],
    title: '[ACT-14, ACT-15] shows what the conversation has lost, with its arguments, also in a fresh process',
    async run(bench) {
      const first = await playTrial(bench, { script: [activate('safe-edit', 'docs/"b".md'), say()] })
      await first.forget()
      const saved = await first.save()
      const late = fetchPage().calls.map((each) => ({ ...each, id: 'late' }))
      const second = await bench.open({ script: [{ calls: late }, say()], saved })
      done(await second.send('Go on'))
      const [text] = await wordsOfCore([activate('safe-edit', 'docs/"b".md')])
      const { system } = request(second, 0)
      if (!system.endsWith(text ?? '')) throw failure('the system prompt to end with the lost text', system)
      refusedWith(second, 'late', 'TOOL_NOT_ALLOWED')
      same('how often the instructions occur', timesShown(second, EDIT), [1, 1])
      lacks('the messages', shown({ ...request(second, 0), system: '' }), EDIT)
    },
  },
])
