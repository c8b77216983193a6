import { skillToolName } from '@repertoire/core/adapter'
import { LISTING_STYLES } from '@repertoire/core'
import { activate, bash, call, deactivate, fetchPage, say, together, write } from '../../oracle/steps.ts'
import { isAbout, type Row, RULED, skill } from './define.ts'

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

/** Names that no provider accepts unchanged. Two of them share their first sixty letters. */
const ODD_NAMES = ['技能', 'größe', `${'a'.repeat(63)}x`, `${'a'.repeat(63)}y`]

/** One row for each style of the list, with tools under other names, a matcher of the host's, and a reload on the way. */
const STYLES = LISTING_STYLES.map((style): readonly [string, Row] => {
  const use = (name: string, input = {}) =>
    style === 'tools' ? call(`skill_${name}`, input) : call('use_skill', { name, ...input })
  const lists = [['docs', 'git', 'nobody'], ['git', 'free'], []]
  return [
    `style-${style}`,
    {
      setup: ({ requests }) => ({
        skills: { ...RULED, early: skill('Body of early.') },
        repertoire: {
          listing: { style, guidance: 'full' },
          skillToolNames: { activate: 'use_skill', deactivate: 'leave_skill', readResource: 'open_skill_file' },
        },
        ...(style === 'matched' && { session: { turns: { match: () => lists[requests() % 3] ?? [] } } }),
      }),
      script: [
        use('docs', { args: 'a "b" $&' }),
        together(
          write('src/a.ts'),
          style === 'tools' ? call('Skill_Git') : call('USE_SKILL', { name: 'git' }),
          bash('pwd'),
        ),
        call('leave_skill'),
        {
          reload: { ...RULED, late: skill('Body of late.', 'allowed-tools: Read') },
          next: together(use('early'), use('late')),
        },
        use('early'),
        say('One.'),
        say('Two.'),
      ],
      turns: ['Hello', 'Again'],
    },
  ]
})

/** What a host sets for what the model is shown of skills, and for what a message says of them. */
export const LISTED: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(STYLES),
  'stable-tools': {
    setup: { skills: RULED, repertoire: { listing: { stableTools: true } } },
    script: [activate('docs'), write('src/a.ts'), deactivate(), say()],
  },
  off: { setup: { repertoire: { enabled: false } }, script: [bash('ls'), say()], turns: ['/safe-edit now'] },
  nothing: { setup: { session: { skills: [] } }, script: [activate('repo-survey'), activate('no-survey'), say()] },
  'allowlist-names': {
    setup: { session: { skills: ['safe-edit'] } },
    script: [together(activate('repo-survey'), activate('no-survey')), activate('safe-edit'), say()],
  },
  'odd-names': {
    setup: {
      skills: Object.fromEntries(ODD_NAMES.map((name) => [name, skill(`Body of ${name}.`)])),
      repertoire: { listing: { style: 'tools' } },
    },
    script: [...ODD_NAMES.map((name) => call(skillToolName(name))), say()],
  },
  allowlist: {
    setup: { session: { skills: ['safe-edit'] }, repertoire: { listing: { style: 'tools' } } },
    script: [
      together(
        call('skill_repo-survey'),
        call('skill_no-survey'),
        call('skill_safe-edit', { args: 5 }),
        activate('safe-edit'),
      ),
      call('skill_safe-edit'),
      say(),
    ],
  },
  ...Object.fromEntries(
    (['suggest', 'activate', 'off'] as const).map((triggers): readonly [string, Row] => [
      `triggers-${triggers}`,
      {
        setup: { skills: TRIGGERED, session: { turns: { triggers } }, consent: ({ skill: name }) => name === 'mender' },
        script: [fetchPage(), say(), together(deactivate(), bash('ls')), say(), say()],
        turns: [MESSAGE, 'Thank you', 'ABC-7 too'],
      },
    ]),
  ),
  'triggers-asked': {
    needs: ['suspend'],
    setup: { skills: TRIGGERED, consent: 'suspend', answers: (request) => !isAbout(request, 'tracker') },
    script: [together(activate('mender'), activate('tracker')), say(), say()],
    turns: [MESSAGE, 'Thank you'],
  },
  match: {
    setup: {
      repertoire: { listing: { style: 'matched' } },
      session: { turns: { match: { limit: 1, content: 'all' } } },
    },
    script: [bash('ls'), say(), say()],
    turns: ['Please survey this unfamiliar repository.', 'Correct the text of the documentation.'],
  },
}
