import type { AuditEvent, AuditSink } from '@repertoire/core'
import type { Trial } from '../check.ts'
import { countTokens } from '../endpoint/tokens.ts'
import { failure } from '../failure.ts'
import { done, same } from './assertions.ts'
import { activate, deactivate, fetchPage, read, readSkillFile, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [
  writtenSkills({
    bounded: {
      body: 'Body of the bounded skill.',
      fields: ['allowed-tools: Read'],
      files: { 'scripts/run.sh': '#!/bin/sh\nexit 0\n', 'references/guide.md': 'The guide.\n' },
    },
    forked: { body: 'Body of the forked skill.', fields: ['context: fork', 'allowed-tools: Read'] },
  }),
]

/** A sink that records every event, with the number of tools that had run before it. */
function recording(): {
  readonly sink: AuditSink
  readonly events: AuditEvent[]
  readonly runsBefore: number[]
  /** Sets the trial whose tool runs are counted. */
  readonly watch: (trial: Trial) => Trial
} {
  const events: AuditEvent[] = []
  const runsBefore: number[] = []
  let watched: Trial | undefined
  return {
    events,
    runsBefore,
    sink: { write: (event) => void (events.push(event), runsBefore.push(watched?.runs.length ?? 0)) },
    watch: (trial) => (watched = trial),
  }
}

/**
 * The events except those of model calls, whose order in a stream depends on the framework, and of what is shown and asked,
 * which have checks of their own.
 */
const actions = (events: readonly AuditEvent[]): readonly AuditEvent[] =>
  events.filter(({ type }) => type !== 'model.called' && type !== 'skills.shown' && !type.startsWith('consent.'))

const SESSION = { id: 'the-task', correlationId: 'request-7', agent: 'the-agent', tenant: 'the-tenant' }

/** What the audit records of a conversation. */
export const auditChecks = checksOf('audit', [
  {
    id: 'audit-events',
    title:
      '[OBS-1, OBS-3] records activations, tools before and after they run, violations, blocked script reads, files read and the end, each once and in order',
    async run(bench) {
      const { sink, events, runsBefore, watch } = recording()
      const trial = watch(
        await bench.open({
          sources,
          session: SESSION,
          repertoire: { audit: sink },
          script: [
            activate('bounded'),
            read('a.md'),
            fetchPage(),
            read('scripts/run.sh'),
            readSkillFile('references/guide.md'),
            deactivate(),
            activate('bounded'),
            say(),
          ],
        }),
      )
      done(await trial.send('Hello'))
      await trial.end()
      same(
        'the events',
        actions(events).map(({ type, callId, tool, outcome }) => [type, callId, tool, outcome]),
        [
          ['skill.activating', 'call_1_1', 'activate_skill', 'started'],
          ['skill.activated', 'call_1_1', 'activate_skill', 'succeeded'],
          ['tool.started', 'call_2_1', 'Read', 'started'],
          ['tool.finished', 'call_2_1', 'Read', 'succeeded'],
          ['restriction.violated', 'call_3_1', 'WebFetch', 'refused'],
          ['script_read.blocked', 'call_4_1', 'Read', 'refused'],
          ['resource.read', 'call_5_1', 'read_skill_resource', 'succeeded'],
          ['skill.deactivated', 'call_6_1', 'deactivate_skill', 'succeeded'],
          ['skill.activating', 'call_7_1', 'activate_skill', 'started'],
          ['skill.activated', 'call_7_1', 'activate_skill', 'succeeded'],
          ['skill.deactivated', undefined, undefined, 'succeeded'],
        ],
      )
      const at = (type: AuditEvent['type']): number =>
        runsBefore[events.findIndex((event) => event.type === type)] ?? -1
      same('the tools that had run when a run was recorded', [at('tool.started'), at('tool.finished')], [0, 1])
      for (const { session, correlationId, agent, tenant } of events)
        same('the session of each event', { id: session, correlationId, agent, tenant }, SESSION)
      const finished = events.find(({ type }) => type === 'tool.finished')
      same(
        'the active skills of a run',
        finished?.skills.map(({ name, allowedTools }) => [name, allowedTools]),
        [['bounded', ['Read']]],
      )
      if (!/^[0-9a-f]{64}$/.test(finished?.skills[0]?.digest ?? '')) throw failure('the digest of the skill', finished)
      if (!((finished?.durationMs ?? -1) >= 0)) throw failure('how long the tool ran', finished)
      // The end belongs to no model call.
      for (const { type, model } of actions(events).slice(0, -1)) same(`the model of ${type}`, model, trial.model)
    },
  },
  {
    id: 'audit-model-calls',
    title:
      '[OBS-2] records every model call once, with its model, the skills that were active, and exactly the tokens that the endpoint reported, cached and reasoning tokens included',
    async run(bench) {
      const { sink, events } = recording()
      const trial = await playTrial(bench, {
        sources,
        repertoire: { audit: sink },
        script: [
          { ...activate('bounded'), reasoning: { text: 'The bounded skill fits.' } },
          activate('forked'),
          read('a.md'),
          say('The result.'),
          say(),
        ],
      })
      const calls = events.filter(({ type }) => type === 'model.called')
      same(
        'the calls of the model',
        calls.map(({ model, skills }) => [model, skills.map(({ name }) => name)]),
        [[], ['bounded'], ['bounded', 'forked'], ['bounded', 'forked'], ['bounded']].map((names) => [
          trial.model,
          names,
        ]),
      )
      same(
        'the tokens of each call, input and output',
        calls.map(({ usage }) => [usage?.inputTokens, usage?.outputTokens]),
        trial.requests.map(({ raw }, index) => {
          const { prompt, answer } = countTokens(raw, trial.answers[index] ?? { content: null })
          return [prompt, answer]
        }),
      )
    },
  },
  {
    id: 'audit-person',
    title: '[OBS-1, ACT-12] records what a person invokes, and what is denied',
    async run(bench) {
      const { sink, events } = recording()
      let asked = 0
      const trial = await bench.open({
        sources,
        repertoire: { audit: sink },
        consent: () => ++asked > 1,
        script: [say(), say()],
      })
      done(await trial.send('/bounded now'))
      done(await trial.send('/bounded then'))
      same(
        'the events',
        actions(events).map(({ type, skill, code }) => [type, skill?.name, code]),
        [
          ['skill.denied', 'bounded', 'CONSENT_DENIED'],
          ['skill.activating', 'bounded', undefined],
          ['skill.activated', 'bounded', undefined],
          ...(bench.continues ? [] : [['skill.deactivated', 'bounded', undefined]]),
        ],
      )
    },
  },
  {
    id: 'audit-forks',
    title:
      '[OBS-1, ACT-10] records a fork between its beginning and its end, and what its sub-agent does as done in a child session',
    async run(bench) {
      const { sink, events } = recording()
      await playTrial(bench, {
        sources,
        session: SESSION,
        repertoire: { audit: sink },
        script: [activate('forked'), read('a.md'), fetchPage(), say('The result.'), say()],
      })
      const forkSession = 'the-task/call_1_1'
      same(
        'the events',
        actions(events).map(({ type, session, tool }) => [type, session, tool]),
        [
          ['skill.activating', 'the-task', 'activate_skill'],
          ['fork.started', 'the-task', 'activate_skill'],
          ['skill.activated', forkSession, 'activate_skill'],
          ['tool.started', forkSession, 'Read'],
          ['tool.finished', forkSession, 'Read'],
          ['restriction.violated', forkSession, 'WebFetch'],
          ['skill.deactivated', forkSession, undefined],
          ['fork.finished', 'the-task', 'activate_skill'],
        ],
      )
      for (const { correlationId } of events) same('the correlation', correlationId, 'request-7')
    },
  },
  {
    id: 'audit-resumed',
    needs: ['resume'],
    title: '[OBS-1, ACT-15] continues in a fresh process with the same session and correlation ids',
    async run(bench) {
      const { id, correlationId, ...others } = SESSION
      const first = recording()
      const began = await playTrial(bench, {
        sources,
        session: { ...others, id, correlationId },
        repertoire: { audit: first.sink },
        script: [activate('bounded'), say()],
      })
      const saved = await began.save()
      const second = recording()
      const late = { id: 'late', tool: 'Read', input: { file_path: 'a.md' } }
      const trial = await bench.open({
        sources,
        session: others,
        repertoire: { audit: second.sink },
        script: [{ calls: [late] }, say()],
        saved,
      })
      done(await trial.send('Go on'))
      same(
        'the events',
        actions(second.events).map((event) => [event.type, event.session, event.correlationId, event.model]),
        [
          ['tool.started', id, correlationId, trial.model],
          ['tool.finished', id, correlationId, trial.model],
        ],
      )
    },
  },
])
