import type { ConsentHandler } from '@repertoire/core'
import { activate, bash, call, deactivate, read, say, saying, together, write } from '../../oracle/steps.ts'

import type { Setup } from '../../oracle/scenario.ts'
import type { WrittenSkill } from '../../oracle/written-skills.ts'
import { freely, inTasks, isAbout, scenariosOf, skill } from './define.ts'

const SKILLS = {
  one: skill('Body of one.', 'allowed-tools: Read'),
  two: skill('Body of two.'),
  three: { body: 'Body of three.', files: { 'scripts/run.sh': 'exit 0\n', 'references/a.md': 'A.\n' } },
  hooked: skill('Body of hooked.', 'hooks:', '  pre: [check]', '  post: [tidy]'),
}

const ASK = { policy: { ask: ['Bash(git push:*)'], deny: ['Bash(git push --force:*)'] } }
const push = (branch: string, id?: string) => bash(`git push origin ${branch}`, id)

const before: WrittenSkill = skill('The old body.', 'allowed-tools: Read')
const after: WrittenSkill = skill('The new body.', 'allowed-tools: Read Write Bash')

/** Every answer that is not a clear yes. */
const UNCLEAR: readonly unknown[] = [
  undefined,
  null,
  'yes',
  1,
  {},
  { approved: 'true' },
  { approved: true },
  { approved: true, requestId: 'another' },
]

/** A person who says no to the first question, and yes to the others. */
function noAtFirst(): Setup {
  let asked = 0
  return { skills: SKILLS, consent: 'suspend', answers: () => asked++ > 0 }
}

/** A handler that answers from a list, and then throws. */
function answering(answers: readonly unknown[]): ConsentHandler {
  let asked = 0
  return () => {
    if (asked === answers.length) throw new Error('The terminal is gone.')
    return answers[asked++] as boolean
  }
}

/** What persons are asked, and what follows from their answers. */
export const consentScenarios = scenariosOf('consent', [
  {
    id: 'consent-handler',
    title:
      '[ASK-1, ASK-3, ASK-4, ASK-8, ABUSE-95] asks a handler before an activation, once a skill and again after a no, one question at a time in the order of the calls, and takes an error, and every answer other than a clear yes, as a no',
    ...inTasks(
      {
        setup: () => ({ skills: SKILLS, consent: answering([false, true, true, false, true, false]), hooks: [] }),
        script: [
          activate('one', 'with "args"'),
          together(activate('one'), activate('three'), activate('hooked')),
          together(write('a'), deactivate()),
          together(activate('three'), activate('hooked'), activate('hooked'), activate('two')),
          deactivate(),
          together(activate('hooked'), activate('one')),
          say(),
          say(),
        ],
        turns: ['Hello', '/two now'],
      },
      {
        setup: () => ({ skills: SKILLS, consent: answering(UNCLEAR), session: ASK }),
        script: [
          ...UNCLEAR.map((_, index) => (index % 2 === 0 ? activate('two') : push('a'))),
          activate('two'),
          push('b'),
          say(),
        ],
      },
    ),
  },
  {
    id: 'consent-shared-line',
    title:
      '[ASK-8, ASK-6, ABUSE-123] takes one answer as the answer to one call of a message: activations and calls of the host, in their order',
    needs: ['parallelCalls'],
    setup: () => ({ skills: SKILLS, consent: oneLine(), session: ASK }),
    script: [together(activate('one'), push('a'), activate('two'), push('b'), activate('three'), push('c')), say()],
  },
  {
    id: 'consent-changed',
    title:
      '[ACT-2, ACT-3, ASK-2, ABUSE-92] activates what a folder holds when the model calls, and asks again where it has changed, for a model and for a person',
    setup: () => ({ skills: { changing: before }, consent: answering([true, true, false, true]) }),
    script: [
      activate('changing'),
      deactivate(),
      { reload: { changing: after }, next: activate('changing') },
      deactivate(),
      say(),
      say(),
      say(),
    ],
    turns: ['Hello', '/changing again', { reload: { changing: before } }, '/changing once more'],
  },
  {
    id: 'consent-suspends',
    title:
      "[ASK-5, ASK-6, GATE-7, ABUSE-94] waits for the framework's own approval, of activations and of calls that the policy asks about: a yes permits one call, a no tells the reason, each call of the message runs once",
    needs: ['suspend', 'parallelCalls'],
    setup: {
      skills: SKILLS,
      consent: 'suspend',
      session: ASK,
      answers: (request) =>
        isAbout(request, 'two') || isAbout(request, 'origin b')
          ? { approved: false, reason: 'not on a Friday: $& <x>' }
          : true,
      hooks: [],
    },
    script: [
      saying(
        'All of them.',
        together(bash('ls'), activate('two'), activate('one', 'with "args"'), read('a'), activate('three')),
      ),
      together(write('a'), activate('two'), read('b')),
      deactivate(),
      push('a'),
      push('a'),
      together(push('b'), bash('git push --force')),
      together(activate('hooked'), activate('one')),
      together(activate('one'), call('no_such_tool')),
      say(),
    ],
  },
  {
    id: 'consent-stale',
    title:
      '[ASK-5, ACT-12, ABUSE-94] treats a yes with the id of an earlier question as no answer to this one, about a call and about a `/name`',
    needs: ['suspend'],
    ...inTasks(
      {
        setup: noAtFirst,
        script: [activate('two'), say(), activate('one'), say()],
        turns: ['Hello', { leave: 'Another' }, { answer: 'stale' }],
      },
      {
        setup: noAtFirst,
        script: [say('One.'), bash('ls'), say('Two.'), say('Three.')],
        turns: ['/one a b', { leave: '/one a b' }, { answer: 'stale' }, '/one a b'],
      },
    ),
    free: freely(
      'A framework may find that the answer is none to this question, or say that there was none.',
      'results',
      'turnTexts',
      'history',
      'problems',
      'auditEvents',
    ),
  },
  {
    id: 'consent-resumed',
    title:
      '[ASK-5, ACT-15, CONF-5] accepts answers in a fresh process, carries out each call of the message there once, and keeps the history',
    needs: ['suspend', 'resume', 'parallelCalls'],
    setup: { skills: SKILLS, consent: 'suspend', session: ASK },
    script: [
      saying(
        'I look.',
        together(call('bash', { command: 'ls' }), call('no_such_tool', { a: 1 }), activate('one'), push('a')),
      ),
      together(write('a'), read('b')),
      say(),
      together(read('c'), activate('one'), push('b')),
      say(),
      write('c'),
      say(),
    ],
    turns: [
      { leave: '  Hello\n' },
      { restart: {} },
      { answer: 'open' },
      { restart: {} },
      'Go on',
      { leave: '/two a b' },
      { restart: {} },
      { answer: 'open' },
    ],
  },
  {
    id: 'consent-instead',
    title:
      '[ASK-3, ASK-5, CONF-5] takes a message in place of the answers as a no, and keeps each call with one result',
    needs: ['suspend', 'parallelCalls'],
    setup: { skills: SKILLS, consent: 'suspend', session: ASK },
    script: [
      together(activate('one'), read('a'), push('a')),
      together(write('b'), activate('one')),
      say(),
      bash('ls'),
      say(),
    ],
    turns: [{ leave: 'Hello' }, { instead: 'Never mind.' }, { leave: '/two now' }, { instead: 'Rather not.' }],
    free: { results: 'A framework that goes on by itself says that the call was not done.', auditEvents: 'The same.' },
  },
  {
    id: 'consent-instead-of-one',
    title:
      '[ASK-3, ASK-5, CONF-5] carries out what a person approved before writing on, and takes the message as a no to the rest',
    needs: ['suspend', 'parallelCalls'],
    setup: { skills: SKILLS, consent: 'suspend', session: ASK },
    script: [together(push('a'), read('a'), push('b'), activate('one')), say(), together(push('c'), bash('ls')), say()],
    turns: [{ leave: 'Hello' }, { instead: 'Only the first.', answered: 'first' }, 'Go on'],
    free: { auditEvents: 'A framework that goes on by itself does not record what was denied.' },
  },
])

/** A person at one input: a line that is typed answers every question that is open then. */
function oneLine(): ConsentHandler {
  let lines = ['y']
  let open: ((line: string) => void)[] = []
  return async () => {
    const line = new Promise<string>((resolve) => open.push(resolve))
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    const [next = 'n'] = lines
    if (open.length > 0) lines = []
    for (const answer of open) answer(next)
    open = []
    return (await line) === 'y'
  }
}
