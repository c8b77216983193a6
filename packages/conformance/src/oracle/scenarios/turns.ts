import {
  activate,
  bash,
  call,
  deactivate,
  fetchPage,
  read,
  say,
  saying,
  together,
  write,
} from '../../checks/script-steps.ts'
import { isAbout, RULED, scenariosOf, skill } from './define.ts'

const INVOCABLE = {
  placed: skill('Mind [$1] and [$2].', 'allowed-tools: Read Write(docs/**)'),
  internal: skill('Body of internal.', 'user-invocable: false'),
  'person-only': skill('Body for persons.', 'disable-model-invocation: true', 'allowed-tools: Read'),
}

const TRIGGERED = {
  mender: skill(
    'Body of the mender.',
    'allowed-tools: Read',
    'triggers:',
    '  keywords: [regression]',
    '  verbs: [mend]',
  ),
  tracker: skill('Body of the tracker.', 'triggers:', "  patterns: ['\\bABC-[0-9]+\\b']"),
}
const MESSAGE = 'We are mending a regression, see ABC-12.'

/** What a person's message does before the model is called. */
export const turnScenarios = scenariosOf('turns', [
  {
    id: 'turns-invocation',
    title:
      "[ACT-12, ACT-9, GATE-5, CONF-5] activates a person's `/name args` before the first request, says it once behind the message, and keeps both in every later turn",
    setup: { skills: INVOCABLE },
    script: [
      together(fetchPage(), write('docs/a.md')),
      say('One.'),
      bash('ls'),
      say('Two.'),
      say('Three.'),
      say('Four.'),
      activate('internal'),
      say('Five.'),
      say('Six.'),
      fetchPage(),
      say('Seven.'),
      say('Eight.'),
    ],
    turns: [
      '/placed docs/a.md "two words"\nand a second line  ',
      '/internal now',
      '/internal now',
      '/internal now',
      'Do it',
      '/placed b',
      '/person-only',
      'Thanks',
    ],
  },
  {
    id: 'turns-not-invoked',
    title:
      '[ACT-12] treats a message that names no known skill as ordinary text, and lets only a person activate some skills',
    setup: { skills: INVOCABLE },
    script: [activate('person-only'), ...Array.from({ length: 6 }, () => say())],
    turns: ['/unknown placed', '/usr/bin is full', 'Use /placed here', '//placed', '/', '/ placed'],
  },
  {
    id: 'turns-denied',
    title:
      '[ACT-12, ASK-1, ASK-3] asks also where a person activates a skill, and activates nothing where consent is denied',
    setup: () => {
      let asked = 0
      return { skills: INVOCABLE, consent: () => asked++ > 0 }
    },
    script: [fetchPage(), say(), fetchPage(), say()],
    turns: ['/placed a b', '/placed c'],
  },
  ...(['suggest', 'activate', 'off'] as const).map((triggers) => ({
    id: `turns-triggers-${triggers}`,
    title: `[ACT-11, ASK-1, GATE-5] does once, behind the message, what the host wants of triggers: ${triggers}`,
    setup: {
      skills: TRIGGERED,
      session: { turns: { triggers } },
      consent: (request: { readonly skill?: string }) => request.skill === 'mender',
    },
    script: [fetchPage(), say(), together(deactivate(), bash('ls')), say(), say()],
    turns: [MESSAGE, 'Thank you', 'ABC-7 too'],
  })),
  {
    id: 'turns-triggers-asked',
    title: '[ACT-11, ASK-5] does not repeat the start of a turn where a suspended run goes on with an answer',
    needs: ['suspend'],
    setup: { skills: TRIGGERED, consent: 'suspend', answers: (request) => !isAbout(request, 'tracker') },
    script: [together(activate('mender'), activate('tracker')), say(), say()],
    turns: [MESSAGE, 'Thank you'],
  },
  {
    id: 'turns-matched',
    title:
      "[MATCH-1, MATCH-2, SHOW-5] shows the skills that fit a person's message, until the next message, and activates none of them",
    setup: {
      repertoire: { listing: { style: 'matched' } },
      session: { turns: { match: { limit: 1, content: 'all' } } },
    },
    script: [bash('ls'), say(), say()],
    turns: ['Please survey this unfamiliar repository.', 'Correct the text of the documentation.'],
  },
  {
    id: 'turns-matcher',
    title: "[SHOW-5] shows active skills, then those that the host's matcher returns for each step",
    setup: ({ requests }) => {
      const lists = [['repo-survey', 'git-history', 'nobody'], ['git-history', 'safe-edit'], []]
      return {
        repertoire: { listing: { style: 'matched' } },
        session: { turns: { match: () => lists[requests()] ?? [] } },
      }
    },
    script: [activate('safe-edit'), deactivate(), say()],
    turns: ['Hello'],
  },
  {
    id: 'turns-reminder',
    title:
      '[ACT-14, GATE-5, ACT-6] shows once, at the end of the system prompt, the instructions of active skills that the conversation has lost',
    needs: ['compaction'],
    setup: { skills: RULED },
    script: [
      activate('docs', 'a "b"'),
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
    ],
    turns: ['Hello', { forget: true }, 'Go on', { forget: true }, 'And on', 'Thanks'],
  },
  {
    id: 'turns-reminder-resumed',
    title: '[ACT-14, ACT-15] shows what the conversation has lost, with its arguments, also in a fresh process',
    needs: ['compaction', 'resume'],
    setup: { skills: RULED },
    script: [activate('docs', 'docs/"b".md'), say(), fetchPage(), say()],
    turns: ['Hello', { forget: true }, { restart: {} }, 'Go on'],
  },
  {
    id: 'turns-resumed',
    title: '[ACT-12, ACT-14, ACT-15] shows once what a person invoked, and enforces its rules, also in a fresh process',
    needs: ['resume'],
    setup: { skills: INVOCABLE },
    script: [say(), together(write('a.md'), read('a')), saying('So.', call('deactivate_skill')), say()],
    turns: ['/placed docs/a.md b', { restart: {} }, 'Go on'],
  },
])
