import type { AuditEvent, AuditSink, FunctionTool } from '@repertoire/core'
import { ran, refusedWith, same } from './assertions.ts'
import { answersAsCore } from './reference.ts'
import { activate, call, read, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [writtenSkills({ bounded: { body: 'Body of the bounded skill.', fields: ['allowed-tools: Read'] } })]

/** A host tool whose input does not matter. */
const tool = (name: string, execute: () => unknown): FunctionTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
  execute,
})

/** What the audit records of calls that fail, and what happens to calls if the audit cannot be written. */
export const failingAuditChecks = checksOf('audit', [
  {
    id: 'audit-tool-fails',
    title: '[OBS-1, ADPT-4] records a tool that throws as failed, though the model is shown a result',
    async run(bench) {
      const events: AuditEvent[] = []
      const trial = await playTrial(bench, {
        repertoire: { audit: { write: (event) => void events.push(event) } },
        tools: [
          tool('Throw', () => {
            throw new Error('The disk is on fire.')
          }),
          tool('Reject', () => Promise.reject(new Error('The line is dead.'))),
          tool('Work', () => 'worked'),
        ],
        script: [call('Throw'), call('Reject'), call('Work'), say()],
      })
      await trial.end()
      same(
        'what was shown',
        [1, 2, 3].map((step) => trial.resultOf(`call_${step}_1`)),
        ['The disk is on fire.', 'The line is dead.', 'worked'],
      )
      same(
        'how the runs ended (an error of a tool has to pass through `call`, and become a result after it)',
        events.flatMap(({ type, tool: name, outcome }) => (type === 'tool.finished' ? [[name, outcome]] : [])),
        [
          ['Throw', 'failed'],
          ['Reject', 'failed'],
          ['Work', 'succeeded'],
        ],
      )
    },
  },
  {
    id: 'audit-required',
    title:
      "[OBS-3, ABUSE-100, GATE-7] refuses an action that must be recorded and cannot be, before anything runs, in core's words, and performs it once it can be recorded",
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
      const trial = await playTrial(bench, {
        sources,
        repertoire: { audit: { sink, required: true } },
        script: [...steps, repaired, activate('bounded'), say()],
      })
      const failing: AuditSink = { write: () => Promise.reject(new Error('The disk is full.')) }
      await answersAsCore(trial, steps, { repertoire: { sources, audit: { sink: failing, required: true } } })
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
])
