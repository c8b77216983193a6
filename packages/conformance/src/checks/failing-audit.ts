import type { AuditSink } from '@repertoire/core'
import type { Check } from '../check.ts'
import { done, ran, refusedWith, same } from './demand.ts'
import { wordsOfCore } from './reference.ts'
import { activate, call, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'

const sources = [writtenSkills({ bounded: { body: 'Body of the bounded skill.', fields: ['allowed-tools: Read'] } })]

const read = (path: string) => call('Read', { file_path: path })

/** What becomes of calls where the audit cannot be written. */
export const failingAuditChecks: readonly Check[] = [
  {
    id: 'audit-required',
    area: 'audit',
    level: 'MUST',
    title:
      '[OBS-3, ABUSE-100, GATE-7] refuses what must be on record and cannot be, before anything runs, in the words of core, and does it once it can be',
    async run(bench) {
      let broken = true
      const sink: AuditSink = {
        write() {
          if (broken) throw new Error('The disk is full.')
        },
      }
      const steps = [read('a.md'), activate('bounded')]
      const repaired = (): (typeof steps)[number] => {
        broken = false
        return steps[0]!
      }
      const trial = await bench.open({
        sources,
        repertoire: { audit: { sink, required: true } },
        script: [...steps, repaired, activate('bounded'), say()],
      })
      done(await trial.send('Hello'))
      const failing: AuditSink = { write: () => Promise.reject(new Error('The disk is full.')) }
      const expected = await wordsOfCore(
        steps.flatMap(({ calls }) => calls),
        { repertoire: { sources, audit: { sink: failing, required: true } } },
      )
      same('the refusals', [trial.resultOf('call_1_1'), trial.resultOf('call_2_1')], expected)
      refusedWith(trial, 'call_1_1', 'AUDIT_UNAVAILABLE')
      same(
        'the tools that ran',
        trial.runs.map(({ callId }) => callId),
        ['call_3_1'],
      )
      same('the active skills', await trial.active(), ['bounded'])
    },
  },
  {
    id: 'audit-failing-sink',
    area: 'audit',
    level: 'MUST',
    title: '[OBS-3] stops nothing where a sink fails that is not required',
    async run(bench) {
      const sink: AuditSink = {
        write: () => {
          throw new Error('The disk is full.')
        },
      }
      const trial = await bench.open({
        sources,
        repertoire: { audit: sink },
        script: [activate('bounded'), read('a.md'), say('I went on.')],
      })
      same('the turn', await trial.send('Hello'), { status: 'done', text: 'I went on.' })
      same('the tools that ran', ran(trial), ['Read'])
      same('the active skills', await trial.active(), ['bounded'])
    },
  },
]
