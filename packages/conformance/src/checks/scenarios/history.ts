import { activate, bash, call, fetchPage, read, say, saying, together, write } from '../../oracle/steps.ts'
import { freely, inTasks, RULED, scenariosOf, skill, thinking, tool, withTools } from './define.ts'

const WHOLE = {
  query: 'a "b" \\ ü\n🙂\t $& $1 {{x}}',
  empty: '',
  nothing: null,
  filters: { tags: ['x', '', null], limit: 3, exact: false, nested: { list: [{}], none: {} } },
}
const search = tool('Search', (input) => ['first', input], { query: { type: 'string' }, filters: { type: 'object' } })
const upload = tool('Upload', () => {
  throw new Error('The disk is full.')
})

/** What a tool may return. */
const ODD: readonly unknown[] = [
  'plain $& "text"',
  '',
  '{ "size": 1.0 }',
  '12345678901234567890',
  '"quoted"',
  'tab\there\r\nand a line\n',
  '  blanks  ',
  { b: [1, null, 'x'], a: true },
  42,
  false,
  null,
  undefined,
]

/** What a model is sent back of earlier steps and turns. */
export const historyScenarios = scenariosOf('history', [
  {
    id: 'history-turns',
    title:
      '[CONF-5] sends the model what it wrote in earlier steps and turns, each message by itself, and what persons wrote',
    setup: { skills: RULED, tools: withTools(search, upload) },
    script: [
      saying('  I search first.\n', call('Search', WHOLE)),
      bash('ls'),
      bash('ls'),
      saying('Now the upload…', call('Upload')),
      say('  One. \n\n'),
      saying('All six.', together(bash('ls'), read('a'), bash('pwd'), bash('ls'), write('b', ''), fetchPage())),
      say('Two.'),
      saying('I activate it.', together(read('b'), activate('reading'))),
      saying('These now.', together(write('x'), read('c'), call('no_such_tool', { a: 1, b: null }))),
      say('Three.'),
      say('Four.'),
    ],
    turns: ['Hello', '  And\r\n\n  now?\n', 'Now the skill', 'Go on'],
  },
  {
    id: 'history-reasoning',
    quick: true,
    title:
      '[CONF-5, CONF-8] sends the model its reasoning back with the calls that it led to, also what the vendor withholds',
    needs: ['parallelCalls', 'resume'],
    setup: { skills: RULED },
    script: [
      thinking('I look first.\nThen I decide "how" – 🙂.', saying('I look.', bash('ls'))),
      thinking('Both at once.', together(bash('pwd'), bash('id'))),
      thinking('What nobody may see.', bash('git log'), true),
      say('One.'),
      thinking('It needs the skill.', activate('reading')),
      thinking('Perhaps this is allowed.', bash('rm a')),
      bash('rm b'),
      say('Two.'),
      say('Three.'),
    ],
    turns: ['Hello', 'Now the skill', { restart: {} }, 'Go on'],
  },
  {
    id: 'history-reasoning-answers',
    level: 'SHOULD',
    title: '[CONF-5, CONF-8] sends the model the reasoning of its earlier answers back unchanged',
    script: [thinking('I greet.', say('One.')), thinking('What nobody may see.', say('Two.'), true), say('Three.')],
    turns: ['Hello', 'And now?', 'Go on'],
  },
  {
    id: 'errors-arguments',
    area: 'errors',
    title:
      '[ADPT-4, GATE-7, LLM-1] refuses arguments that are not a JSON object in the words of core, runs nothing with them, and goes on without a limit of its own for model calls',
    setup: { maxSteps: 30, tools: withTools(tool('Look', () => 'looked')) },
    script: [
      ...['{"command":"ls"', '"ls"', '["ls"]', '7', 'true', '"{\\"command\\":\\"ls\\"}"'].map((raw) =>
        call('Bash', { raw }),
      ),
      ...['safe-edit', '{"name":"safe-edit"', '["safe-edit"]', '"{\\"name\\":\\"safe-edit\\"}"'].map((raw) =>
        call('activate_skill', { raw }),
      ),
      call('Look', { raw: '' }),
      call('deactivate_skill', { raw: '' }),
      bash('ls'),
      say(),
    ],
  },
  {
    id: 'errors-odd-arguments',
    area: 'errors',
    title:
      '[ADPT-4, GATE-7, ABUSE-44] refuses arguments that are null or have a key such as `__proto__` in the words of core, and goes on',
    script: [
      ...[
        'null',
        '{"command":"ls","__proto__":{"command":"id"}}',
        '{"command":"ls","more":[{"constructor":{"prototype":{"command":"id"}}}]}',
      ].map((raw) => call('Bash', { raw })),
      ...['null', '{"name":"safe-edit","__proto__":{"name":"git-history"}}'].map((raw) =>
        call('activate_skill', { raw }),
      ),
      bash('ls'),
      say(),
    ],
  },
  {
    id: 'errors-results',
    area: 'errors',
    title: '[ADPT-4] shows a text as the tool returned it, another result as JSON, and a missing one as null',
    setup: () => {
      let next = 0
      return { tools: withTools(tool('Bash', () => ODD[next++], { command: { type: 'string' } })) }
    },
    script: [bash('x'), together(...ODD.slice(1).map(() => bash('x'))), say()],
  },
  {
    id: 'errors-answer-ends',
    quick: true,
    area: 'errors',
    title:
      '[ADPT-4, CONF-10] keeps an answer that ends at the limit of tokens, one that names another model, and a refusal',
    setup: { skills: RULED },
    script: [
      { ...say('Half of'), end: 'length' },
      { ...bash('ls'), model: 'a-model-of-another-name' },
      { ...say('All of it.'), model: 'a-model-of-another-name' },
      { ...say('I cannot help with that.'), end: 'refusal' },
      say(),
    ],
    turns: ['Hello', 'Go on', 'And on', 'Again'],
  },
  {
    id: 'errors-odd-ends',
    area: 'errors',
    title:
      '[ADPT-4, CONF-10] runs no call that ends at the limit of tokens, and accepts a message behind it, and behind a stream that ends early',
    setup: { skills: RULED, tools: withTools(tool('Write', () => 'written', { file_path: { type: 'string' } })) },
    script: [{ ...call('Write', { raw: '{"file_path":"a' }), end: 'length' }, say('So.'), say()],
    turns: ['Hello', { another: { script: [{ ...say('That is all.'), end: 'early' }, say()] } }, 'Hello', 'Go on'],
    free: freely(
      'A framework takes such an answer for a failure, for an answer, or asks once more.',
      'systemPrompts',
      'offeredTools',
      'results',
      'history',
      'turnTexts',
      'auditEvents',
      'usage',
      'ended',
    ),
  },
  {
    id: 'errors-endpoint',
    area: 'errors',
    title:
      '[GATE-5, ACT-7, ACT-13, ADPT-4, CONF-10] fails a run whose model call fails or is broken off, runs nothing of it, still restricts the next message, and ends the task whole',
    ...inTasks(
      {
        setup: {
          skills: { ...RULED, hooked: skill('Body of hooked.', 'hooks:', '  post: [tidy]') },
          hooks: [],
          mounts: true,
        },
        script: [
          together(activate('docs'), activate('hooked')),
          { status: 400, message: 'The model is out of order.' },
          together(write('src/a'), read('a')),
          { status: 400, message: 'Again.' },
        ],
        turns: ['  First:\n\n    an indented line\n', '  And the second.\n'],
      },
      {
        setup: { skills: RULED },
        script: [
          activate('reading'),
          { ...saying('I read the whole file.', together(read('a'), read('b'))), end: 'cut' },
          { ...say('Nothing of this arrives.'), end: 'unsent' },
          write('a'),
          say('I went on.'),
        ],
        turns: ['Hello', 'Go on', 'And on'],
      },
    ),
  },
  {
    id: 'errors-step-limit',
    area: 'errors',
    title: '[ADPT-4] makes no more model calls for a message than the host allows, and accepts the next message',
    setup: { maxSteps: 3 },
    script: [read('a.md'), read('b.md'), read('c.md'), read('d.md'), say('Here I am.')],
    turns: ['Hello', 'Go on'],
    free: freely(
      'A framework may drop the last step, and end with a turn or with an error.',
      ...(['ended', 'history', 'results', 'toolRuns', 'auditEvents'] as const),
    ),
  },
])
