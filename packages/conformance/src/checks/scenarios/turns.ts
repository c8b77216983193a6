import { activate, bash, deactivate, fetchPage, read, say, together, write } from '../../oracle/steps.ts'
import { RULED, scenariosOf, skill } from './define.ts'

const INVOCABLE = {
  placed: skill('Mind [$1] and [$2].', 'allowed-tools: Read Write(docs/**)'),
  internal: skill('Body of internal.', 'user-invocable: false'),
  'person-only': skill('Body for persons.', 'disable-model-invocation: true', 'allowed-tools: Read'),
}

/** What a person's message does before the model is called. */
export const turnScenarios = scenariosOf('turns', [
  {
    id: 'turns-invocation',
    title:
      "[ACT-12, ACT-9, ASK-1, ASK-3, GATE-5, CONF-5] activates a person's `/name args` before the first request, says it once behind the message, keeps both in every later turn, and treats a message that names no known skill as ordinary text",
    setup: { skills: INVOCABLE },
    script: [
      say('Zero.'),
      together(fetchPage(), write('docs/a.md')),
      say('One.'),
      bash('ls'),
      say('Two.'),
      say('Three.'),
      activate('internal'),
      say('Four.'),
      fetchPage(),
      say('Five.'),
      say('Six.'),
    ],
    turns: [
      '/unknown /placed',
      '/placed docs/a.md "two words"\nand a second line  ',
      '/internal now',
      '/internal now',
      'Do it',
      '/person-only',
      'Thanks',
    ],
  },
  {
    id: 'turns-reminder',
    title:
      '[ACT-14, ACT-15, GATE-5, ACT-6] shows once, at the end of the system prompt, the instructions of active skills that the conversation has lost, also in a fresh process',
    needs: ['compaction', 'resume'],
    setup: { skills: { ...RULED, ...INVOCABLE } },
    script: [
      activate('docs', 'a "b"'),
      say(),
      together(write('docs/a'), fetchPage()),
      activate('git'),
      say(),
      write('src/a'),
      deactivate(),
      activate('docs', 'a "b"'),
      say(),
      read('a'),
      deactivate(),
      activate('docs'),
      say(),
      say(),
      together(write('a.md'), read('a')),
      say(),
    ],
    turns: [
      'Hello',
      '/placed docs/a.md b',
      { restart: {} },
      'Go on',
      { forget: true },
      'And on',
      { forget: true },
      { restart: {} },
      'Further',
      'Thanks',
    ],
  },
])
