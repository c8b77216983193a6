import { activate, bash, call, deactivate, fetchPage, read, say, saying, together, write } from '../../oracle/steps.ts'
import {
  AFTER_FAILURE,
  FORKS,
  forked,
  freely,
  isAbout,
  KITS,
  RULED,
  scenariosOf,
  thinking,
  toolsets,
} from './define.ts'

const RESULT = ` The survey: 42 files, <b>all</b> "good" $&.${'\n\nOne more paragraph…'.repeat(30)}\n`

const NESTED = {
  one: forked('Body of one.', 'agent: reviewer'),
  two: forked('Body of two.', 'model: strong', 'agent: reviewer'),
  three: forked('Body of three.'),
  four: forked('Body of four.'),
}

const CHOICES = {
  bright: forked('Body of bright.', 'model: strong'),
  plain: forked('Body of plain.'),
  vague: forked('Body of vague.', 'model: unheard-of'),
  reviewer: forked('Body of reviewer.', 'agent: reviewer'),
  painter: forked('Body of painter.', 'agent: painter'),
}
const reviewer = { instructions: 'You review code, and do nothing else.' }
const byDefault = { instructions: 'You do what nobody else does.' }
const each = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`Body of ${name}.`, [read(`${name}.md`), say(`Result of ${name}.`)]]))

const COUNTED = {
  type: 'object',
  properties: { files: { type: 'integer' }, summary: { type: 'string' } },
  required: ['files', 'summary'],
  additionalProperties: false,
}
const pushing = { session: { policy: { ask: ['Bash(git push:*)'] } } }

/** What skills with a sub-agent of their own do. */
export const forkScenarios = scenariosOf('forks', [
  {
    id: 'forks-work',
    title:
      "[ACT-10, ADPT-4, GATE-6, GATE-7, CONF-5] runs a forked skill in a sub-agent with the rights of both, shows its result in core's words and nothing else of it, twice",
    setup: { skills: FORKS, hooks: [] },
    script: [
      saying('I look.', together(activate('docs'), bash('ls'))),
      saying('The survey.', activate('survey', 'src "deeply" $&')),
      together(fetchPage(), write('src/a')),
      activate('helper', 'again\nand again'),
      activate('helper'),
      deactivate(),
      bash('git log'),
      say('I went on.'),
      say('Two.'),
    ],
    forks: {
      'Body of the survey.': [
        saying('I look around.', together(read('a.md'), write('docs/a'), write('src/a'), bash('git log'))),
        together(deactivate(), deactivate('survey'), deactivate('docs')),
        activate('free'),
        together(activate('git'), fetchPage()),
        deactivate(),
        say(RESULT),
      ],
      again: [together(write('docs/b'), read('docs/b'), read('src/b'), bash('git log')), say('Helped.')],
      'Body of the helper.': [bash('git log'), say('…')],
    },
    turns: ['Hello, this is for the agent alone', 'Go on'],
  },
  {
    id: 'forks-begun',
    title:
      '[ACT-10, ACT-12] runs a forked skill that a person invokes before the first request: its result follows the message',
    setup: { skills: FORKS, hooks: [] },
    script: [fetchPage(), say('One.'), say('Two.'), say('Three.')],
    forks: { 'src one': [read('a'), say(RESULT)], 'src two': [say('Another.')] },
    turns: ['/survey src one', 'Thank you', '/survey src two'],
  },
  {
    id: 'forks-together',
    title:
      '[ACT-10, ACT-8, GATE-5, RUN-10, ADPT-10] keeps two sub-agents of one message apart, each with the tools that its own skill brings, and gives the calls beside them their own results',
    needs: ['parallelCalls'],
    setup: { skills: { ...RULED, ...KITS }, repertoire: { toolsets } },
    script: [
      activate('docs'),
      together(
        activate('left', 'Task one'),
        fetchPage('https://github.com/a'),
        activate('left', 'Task two'),
        activate('right'),
        bash('git status'),
      ),
      call('measure_left'),
      say('Both.'),
      say('Again.'),
    ],
    forks: {
      'Task one': [
        together(read('one'), fetchPage()),
        together(call('measure_left', { a: 1 }), call('measure_right')),
        say('Result one.'),
      ],
      'Task two': [together(call('measure_left', { a: 2 }), write('src/two')), read('two'), say('Result two.')],
      'Body of right.': [together(call('measure_right', { b: 2 }), call('measure_left')), say('Right.')],
    },
    turns: ['Hello', 'Go on'],
  },
  {
    id: 'forks-calls-asked',
    title:
      '[ACT-10, ASK-5, ASK-8, ADPT-10] asks a handler about the calls of a nested sub-agent, runs those that it approves with the tools of that sub-agent, and asks again in a fresh process',
    needs: ['resume'],
    setup: {
      skills: {
        outer: forked('Body of outer.', 'allowed-tools: Bash(git:*) Read'),
        inner: forked('Body of inner.', 'allowed-tools: Bash(git:*)'),
      },
      consent: (request) => !isAbout(request, 'force'),
      ...pushing,
    },
    script: [activate('outer'), bash('git push a'), say(), activate('outer'), say()],
    forks: {
      'Body of outer.': [
        activate('inner'),
        together(bash('git push b'), read('a')),
        say('Pushed.'),
        activate('inner'),
        bash('git push c'),
        say('Again.'),
      ],
      'Body of inner.': [
        together(bash('git push d'), bash('git push --force'), read('b')),
        say('Within.'),
        bash('git push e'),
        say('Once more.'),
      ],
    },
    turns: ['Hello', { restart: {} }, 'Go on'],
  },
  {
    id: 'forks-in-forks',
    title:
      "[ACT-10] nests sub-agents three deep at most, each with the agents and models of the host, and returns each one's result to its caller",
    setup: { skills: NESTED, subagents: { reviewer }, models: { strong: [] } },
    script: [activate('one'), say('I went on.')],
    forks: {
      'Body of one.': [together(activate('two'), bash('ls')), say('Result of one.')],
      'Body of two.': [activate('three'), read('a'), say('Result of two.')],
      'Body of three.': [activate('four'), say('Result of three.')],
    },
  },
  {
    id: 'forks-choice',
    title:
      '[ACT-10, ACT-16] runs a fork with the model and the agent that its skill names, with those of the conversation otherwise',
    setup: { skills: CHOICES, subagents: { reviewer, default: byDefault }, models: { strong: [] } },
    script: [...['bright', 'vague', 'plain', 'reviewer', 'painter'].map((name) => activate(name)), say()],
    forks: each('bright', 'vague', 'plain', 'reviewer'),
  },
  {
    id: 'forks-asked',
    title:
      '[ACT-10, ASK-3, GATE-5, ACT-7] runs nothing of a fork that a handler denies; reports one that failed as FORK_FAILED, ends it, and goes on',
    setup: () => {
      let asked = 0
      return { skills: FORKS, consent: () => asked++ > 0, hooks: [] }
    },
    script: [
      activate('helper'),
      activate('docs'),
      activate('helper', 'and fail'),
      together(fetchPage(), bash('ls')),
      say('I went on.'),
    ],
    forks: { 'and fail': [read('docs/a'), { status: 400, message: 'The model of the sub-agent is out of order.' }] },
  },
  {
    id: 'forks-asked-suspends',
    title:
      "[ACT-10, ACT-16, ASK-3, ASK-5, ACT-15, ADPT-10] waits for the framework's own approval before a fork, runs it here and in a fresh process with the model, the agent and the tools of the run, and denies within it what would have to be asked",
    needs: ['suspend', 'resume'],
    setup: {
      skills: { ...FORKS, ...CHOICES },
      consent: 'suspend',
      hooks: [],
      subagents: { reviewer, default: byDefault },
      models: { strong: [] },
    },
    script: [
      together(activate('bright'), activate('reviewer')),
      say(),
      together(activate('survey'), read('a')),
      fetchPage(),
      say('I went on.'),
    ],
    forks: {
      ...each('bright', 'reviewer'),
      'Body of the survey.': [activate('docs'), fetchPage(), read('b'), say('Asked.')],
    },
    turns: ['Hello', { leave: 'Go on' }, { restart: {} }, { answer: 'open' }],
  },
  {
    id: 'forks-approval',
    title:
      '[ACT-10, ADPT-4] denies in a sub-agent every call that needs approval: nobody is asked, nothing runs, and the sub-agent is told',
    needs: ['approval'],
    setup: { skills: FORKS, approval: { tools: ['Bash'] } },
    script: [bash('ls'), activate('survey'), say('I went on.')],
    forks: { 'Body of the survey.': [bash('git rm -r .'), say('Not done.')] },
    free: freely('The sub-agent goes on after the denial, or has failed.', ...AFTER_FAILURE, 'turnTexts'),
  },
  {
    id: 'forks-output',
    title:
      '[ADPT-10] asks in every model call of the agent, and in none of a sub-agent, for an answer by the schema of the host, and returns its value',
    needs: ['output'],
    setup: { skills: FORKS, output: COUNTED },
    script: [
      activate('docs'),
      together(read('a'), write('src/a')),
      activate('survey', 'src'),
      say('{ "files": 42,\n  "summary": "All “good” $&." }'),
      say('{ "summary": "", "files": 0 }'),
    ],
    forks: { 'Body of the survey.': [read('b'), say('Words, and no JSON.')] },
    turns: ['Hello', 'Go on'],
  },
  {
    id: 'forks-history',
    title: '[CONF-5, CONF-8, ACT-10] sends a sub-agent its own history and reasoning, and no other',
    setup: { skills: FORKS },
    script: [thinking('A survey first.', activate('survey')), say('One.'), say('Two.')],
    forks: {
      'Body of the survey.': [
        thinking('I look around.', saying(' So.', bash('git status'))),
        thinking('More.', together(read('b'), read('b'))),
        say('  42 files.\n'),
      ],
    },
    turns: ['Hello', 'Go on'],
  },
])
