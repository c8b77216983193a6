import { activate, bash, call, deactivate, read, say, saying, together, write } from '../../oracle/steps.ts'
import type { CallStep } from '../../endpoint/script.ts'
import { AFTER_FAILURE, freely, inTasks, RULED, scenariosOf } from './define.ts'

/** Calls in one message that all have the same id. */
const withId = (id: string, ...steps: readonly CallStep[]): CallStep => ({
  calls: together(...steps).calls.map((each) => ({ ...each, id })),
})

/** The host's own approval of its tools, by a person. */
export const approvalScenarios = scenariosOf('consent', [
  {
    id: 'consent-approval-each',
    title:
      "[ADPT-4, GATE-8, CONF-5] keeps the host's own approval of its tools, for what skills and the host allow and no active skill lists, each call by itself and one question at a time",
    needs: ['approval', 'parallelCalls'],
    ...inTasks(
      {
        setup: {
          skills: RULED,
          approval: { tools: ['Bash', 'Write'], denies: ['rm -r'] },
          session: { policy: { deny: ['Bash(mkfs:*)'] } },
        },
        script: [
          saying('Both.', together(bash('ls'), read('a'), bash('pwd'))),
          saying('And this.', bash('rm -r .')),
          call('bash', { command: 'id' }),
          bash('mkfs'),
          say('One.'),
          activate('git'),
          together(bash('id'), bash('git log')),
          deactivate(),
          write('a', ''),
          say(),
        ],
        turns: ['Hello', 'Go on'],
      },
      {
        setup: { skills: RULED, approval: { tools: ['Bash'] }, session: { enforcement: 'preapprove' } },
        script: [bash('git log'), activate('git'), bash('git log -3'), bash('git log; id'), bash('ls'), say()],
      },
    ),
    free: { auditEvents: 'A framework that asks before the call carries nothing out.' },
  },
  {
    id: 'consent-shared-ids',
    title:
      '[ABUSE-119, GATE-8, ASK-1, CONF-5] judges and asks about each call of a message by itself, whatever ids the model gives them',
    needs: ['approval', 'parallelCalls'],
    setup: {
      skills: RULED,
      approval: { tools: ['Bash'] },
      session: { enforcement: 'preapprove', policy: { deny: ['Bash(rm:*)'] } },
      consent: ({ skill: name }) => name === 'git',
    },
    script: [
      withId('invocation_one', activate('git'), activate('free')),
      withId('invocation_two_2', bash('git log'), bash('id')),
      withId('', bash('git log -3'), bash('pwd')),
      withId('three', bash('ls'), bash('rm a')),
      say(),
      withId('three', bash('ls'), read('a')),
      bash('pwd', 'call_1'),
      bash('id', 'call_1'),
      say(),
    ],
    turns: ['Hello', 'Go on'],
    free: { auditEvents: 'Calls that share an id are in no order.' },
  },
  {
    id: 'consent-approval-fails',
    title: '[ADPT-4, ASK-3] runs nothing where the program fails that asks a person',
    needs: ['approval'],
    setup: { approval: { tools: ['Bash'], fails: true } },
    script: [bash('ls'), say(), say()],
    free: freely('A framework shows the failure to the model, or fails.', ...AFTER_FAILURE, 'ended'),
  },
  {
    id: 'consent-approval-beside',
    title: '[CONF-5, ADPT-4] runs what a person approved beside what was denied, and denies no other call',
    needs: ['approval', 'parallelCalls'],
    setup: { approval: { tools: ['Bash'], denies: ['rm'] } },
    script: [saying('All three.', together(bash('id'), bash('rm -r .'), read('b'))), say('One.'), say('Two.')],
    turns: ['Hello', 'Go on'],
    free: { auditEvents: 'A framework that asks before the call carries nothing out.' },
  },
])
