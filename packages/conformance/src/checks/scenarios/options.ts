import { type AuditEvent, type FunctionTool, LISTING_STYLES } from '@repertoire/core'
import { activate, bash, call, deactivate, fetchPage, read, say, together, write } from '../../oracle/steps.ts'
import type { Scenario } from '../../oracle/scenario.ts'
import { inTasks, isAbout, type Task, RULED, scenariosOf, skill, tool } from './define.ts'

const TRIED = together(
  bash('rm -r .'),
  bash('ls'),
  write('src/a.ts'),
  write('docs/a.md'),
  fetchPage(),
  read('secret'),
  read('a'),
)

/** A host that calls nothing as skills do. */
const word = (name: string) => ({ [name]: { type: 'string' } })
const OWN: readonly FunctionTool[] = [
  tool('readDoc', (input) => input, word('file_path')),
  tool('putDoc', (input) => input, { ...word('file_path'), ...word('content') }),
  tool('runCommand', (input) => input, word('cmd')),
  tool('browse', (input) => input, word('url')),
]
const toolMap = {
  readDoc: 'Read',
  putDoc: 'Write',
  runCommand: { as: 'Bash', argument: 'cmd' },
  browse: 'WebFetch',
} as const

const PLAN =
  '```yaml\nsteps:\n  - tool: Read\n    parameters: { file_path: "{{ file }}" }\n  - tool: Write\n    parameters: { file_path: a.md, content: x }\n```'
const HOOKED = { hooked: skill('Body of hooked.', 'hooks:', '  pre: [check]', '  post: [tidy]') }

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
const WHO = { agent: 'the-agent', tenant: 'the-tenant' }
const MESSAGE = 'We are mending a regression, see ABC-12.'

/** A style of the list, with tools under other names, and a reload on the way. */
function listedAs(style: (typeof LISTING_STYLES)[number]): Task {
  const use = (name: string, input = {}) =>
    style === 'tools' ? call(`skill_${name}`, input) : call('use_skill', { name, ...input })
  return {
    setup: {
      skills: { ...RULED, early: skill('Body of early.') },
      repertoire: {
        listing: { style, guidance: 'full' },
        skillToolNames: { activate: 'use_skill', deactivate: 'leave_skill', readResource: 'open_skill_file' },
      },
      ...(style === 'matched' && { session: { turns: { match: {} } } }),
    },
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
  }
}

/** What a host sets, and what shows that core was told: each row has its own task. */
const TABLE: readonly (Pick<Scenario, 'id' | 'title'> &
  Partial<Pick<Scenario, 'needs'>> & { readonly rows: readonly Task[] })[] = [
  {
    id: 'options-styles',
    title:
      '[SHOW-2, SHOW-4, MATCH-1, MATCH-3, DISC-5, ADPT-4] lists skills in each style, under the names of the host, also after a reload',
    rows: LISTING_STYLES.map(listedAs),
  },
  {
    id: 'options-listing',
    title:
      '[SHOW-2, SHOW-6, SHOW-8, ACT-11, RUN-4, ADPT-4] passes on what the host sets for the choice of skills, for what a message says of them, and for what carries out plans',
    rows: [
      { setup: { repertoire: { enabled: false } }, script: [bash('ls'), say()], turns: ['/safe-edit now'] },
      {
        setup: { session: { skills: ['safe-edit'] } },
        script: [together(activate('repo-survey'), activate('no-survey')), activate('safe-edit'), say()],
      },
      {
        setup: {
          session: { agent: 'coder', tenant: 'the-tenant', correlationId: 'request-7', environment: 'test' },
          skills: {
            mine: skill('Body of mine.', 'scope:', '  agents: [coder]'),
            theirs: skill('Body of theirs.', 'scope:', '  agents: [writer]'),
            there: skill('Body of there.', 'scope:', '  environments: [test]'),
          },
        },
        script: [activate('mine'), activate('theirs'), activate('there'), bash('ls'), say()],
      },
      {
        setup: {
          skills: TRIGGERED,
          session: { turns: { triggers: 'activate' } },
          consent: ({ skill: name }) => name === 'mender',
        },
        script: [fetchPage(), say(), together(deactivate(), bash('ls')), say(), say()],
        turns: [MESSAGE, 'Thank you', 'ABC-7 too'],
      },
      {
        setup: ({ record }) => ({
          session: { runStep: ({ tool: name, input }) => (record(name, input), `${name} ran`) },
          skills: {
            plan: {
              body: PLAN,
              fields: [
                'type: composite',
                'allowed-tools: Read',
                'parameters: { file: { type: string, default: b.md } }',
              ],
            },
          },
        }),
        script: [activate('plan', '{"file":"c.md"}'), say()],
      },
    ],
  },
  {
    id: 'options-asked',
    title:
      "[ASK-5, SHOW-4, LIB-11, ADPT-4] passes on to core what the host sets, where the framework's own approval asks",
    needs: ['suspend'],
    rows: [
      {
        setup: { skills: TRIGGERED, consent: 'suspend', answers: (request) => !isAbout(request, 'tracker') },
        script: [together(activate('mender'), activate('tracker')), say(), say()],
        turns: [MESSAGE, 'Thank you'],
      },
      {
        setup: {
          skills: RULED,
          consent: 'suspend',
          repertoire: { listing: { style: 'tools' } },
          answers: ({ skill: name }) => (name === 'free' ? { approved: false, reason: 'so it is' } : true),
        },
        script: [call('skill_free', { args: 'all' }), call('skill_git'), call('Skill_Docs'), say()],
      },
      {
        setup: ({ record }) => {
          let [begun, done] = [0, 0]
          const checkpoint = async (): Promise<void> => {
            begun++
            // A server answers later, and not in the same turn of the event loop.
            await new Promise((resolve) => setTimeout(resolve, 5))
            done++
          }
          const answers = (): boolean => {
            record('saved before the question', done > 0 && done === begun)
            return true
          }
          return { skills: HOOKED, consent: 'suspend', hooks: [], answers, session: { checkpoint } }
        },
        script: [activate('hooked'), say()],
      },
    ],
  },
  {
    id: 'options-modes',
    title:
      '[GATE-8, GATE-9, OBS-1, ABUSE-46, ADPT-4] passes on the mode of enforcement, the policy, the folder and the audit of the host',
    rows: [
      {
        setup: { skills: RULED, session: { enforcement: 'advisory', policy: { deny: ['Bash(rm:*)', 'WebFetch'] } } },
        script: [activate('git'), TRIED, say()],
      },
      {
        setup: {
          skills: { ...RULED, survey: skill('Body of survey.', 'context: fork', 'allowed-tools: Read Write Bash') },
          session: {
            policy: { allow: ['Bash', 'Read', 'Write(docs/**)'], deny: ['Bash(rm:*)'], ask: ['Bash(ls:*)'] },
          },
        },
        script: [TRIED, activate('free'), TRIED, activate('survey'), deactivate(), TRIED, say()],
        forks: { 'Body of survey.': [TRIED, say('Done.')] },
      },
      {
        setup: { skills: RULED, session: { cwd: '/project', policy: { protect: ['settings.json'] } } },
        script: [
          write('/elsewhere/settings.json'),
          write('/project/settings.json'),
          activate('docs'),
          together(write('/project/docs/a.md'), write('/elsewhere/docs/a.md')),
          say(),
        ],
      },
      {
        setup: () => {
          let isBroken = true
          const record = ({ type, tool: name }: AuditEvent): void => {
            if (type === 'restriction.violated' || name === 'WebFetch') isBroken = false
            if (isBroken) throw new Error('The disk is full.')
          }
          return { skills: RULED, audit: { required: true, sink: { write: record } } }
        },
        script: [read('a.md'), activate('reading'), fetchPage(), read('b.md'), activate('reading'), say()],
      },
    ],
  },
  {
    id: 'options-resumed',
    title:
      '[ACT-15, ASK-1, ACT-14, GATE-1, GATE-9, ADPT-4] keeps grants, active skills, what they take away, and the table of tools in a fresh process, and takes the other options of that process',
    needs: ['resume'],
    rows: [
      {
        setup: { skills: RULED },
        script: [
          activate('docs'),
          deactivate(),
          activate('never'),
          together(fetchPage(), bash('rm a'), bash('ls')),
          say(),
          together(fetchPage(), bash('rm b'), bash('id')),
          activate('docs'),
          activate('free'),
          say(),
        ],
        turns: ['Hello', { restart: { consent: 'no' } }, 'Go on'],
      },
      {
        setup: {
          tools: OWN,
          skills: { docs: skill('Use `Bash` to look.', 'allowed-tools: Read Write(docs/**) Bash(git log:*) Grep') },
          repertoire: { listing: { guidance: 'full' } },
          session: { toolMap },
        },
        script: [
          activate('docs'),
          say(),
          together(
            call('readDoc', { file_path: 'a.md' }),
            call('putDoc', { file_path: '/docs/a.md', content: 'x' }),
            call('putDoc', { file_path: 'src/a', content: '' }),
            call('runCommand', { cmd: 'git log -3' }),
            call('runCommand', { cmd: 'rm a' }),
            call('browse', { url: 'https://example.com/' }),
            bash('git log'),
            call('Grep'),
          ),
          say(),
        ],
        turns: ['Hello', { restart: {} }, 'Go on'],
      },
      {
        setup: {
          skills: RULED,
          session: { correlationId: 'request-7', ...WHO },
        },
        script: [activate('reading'), write('a.md'), say(), together(write('b.md'), read('secret'), read('a')), say()],
        turns: [
          'Hello',
          { restart: { session: { ...WHO, enforcement: 'advisory', policy: { deny: ['Read(secret)'] } } } },
          'Go on',
        ],
      },
    ],
  },
  {
    id: 'options-lease',
    title:
      '[LIB-11, ACT-15, ADPT-4] begins nothing that could not be saved, and nothing in a session that another process has',
    rows: [
      {
        setup: {
          skills: HOOKED,
          hooks: [],
          session: { checkpoint: () => Promise.reject(new Error('The server is away.')) },
        },
        script: [activate('hooked'), bash('ls'), say()],
      },
      {
        setup: () => {
          const lost = new AbortController()
          const consent = (): boolean => {
            lost.abort(new Error('The lease is lost.'))
            return true
          }
          return {
            skills: HOOKED,
            hooks: [],
            consent,
            session: { until: lost.signal },
          }
        },
        script: [activate('hooked'), bash('ls'), say()],
      },
    ],
  },
]

/** What a host sets for a session, for the repertoire and for the agent: an adapter passes it on as it is. */
export const optionScenarios = scenariosOf(
  'gate',
  TABLE.map(({ rows, ...scenario }) => ({
    ...scenario,
    ...inTasks(...rows),
  })),
)
