import type { FunctionTool } from '@repertoire/core'
import { activate, bash, call, deactivate, fetchPage, read, say, together, write } from '../../checks/script-steps.ts'
import type { Setup, Turn } from '../scenario.ts'
import { RULED, scenariosOf, skill, tool } from './define.ts'

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
const own: Setup = {
  tools: OWN,
  skills: { docs: skill('Use `Bash` to look.', 'allowed-tools: Read Write(docs/**) Bash(git log:*) Grep') },
  repertoire: { listing: { guidance: 'full' } },
  session: { toolMap },
}
const ownSteps = [
  activate('docs'),
  together(
    call('readDoc', { file_path: 'a.md' }),
    call('putDoc', { file_path: '/docs/a.md', content: 'x' }),
    call('putDoc', { file_path: 'src/a', content: '' }),
  ),
  together(
    call('runCommand', { cmd: 'git log -3' }),
    call('runCommand', { cmd: 'rm a' }),
    call('browse', { url: 'https://example.com/' }),
    bash('git log'),
    call('Grep'),
  ),
  say(),
]

const PLAN =
  '```yaml\nsteps:\n  - tool: Read\n    parameters: { file_path: "{{ file }}" }\n  - tool: Write\n    parameters: { file_path: a.md, content: x }\n```'

const LATER: readonly Turn[] = ['Hello', { restart: {} }, 'Go on']

/** Every option of a session, and some of the repertoire, must reach core: each row shows what it changes. */
const ROWS: Readonly<
  Record<
    string,
    Setup & { readonly steps?: Parameters<typeof scenariosOf>[1][number]['script']; readonly turns?: readonly Turn[] }
  >
> = {
  allowlist: {
    session: { skills: ['safe-edit'] },
    repertoire: { listing: { style: 'tools' } },
    steps: [
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
  scope: {
    session: { agent: 'coder', tenant: 'the-tenant', correlationId: 'request-7', environment: 'test' },
    skills: {
      mine: skill('Body of mine.', 'scope:', '  agents: [coder]'),
      theirs: skill('Body of theirs.', 'scope:', '  agents: [writer]'),
      there: skill('Body of there.', 'scope:', '  environments: [test]'),
    },
    steps: [together(activate('mine'), activate('theirs'), activate('there')), bash('ls'), say()],
  },
  advisory: {
    session: { enforcement: 'advisory', policy: { deny: ['Bash(rm:*)', 'WebFetch'] } },
    steps: [activate('git'), TRIED, say()],
  },
  preapprove: {
    session: { enforcement: 'preapprove', policy: { deny: ['Bash(rm:*)'] } },
    steps: [activate('never'), TRIED, activate('docs'), TRIED, say()],
  },
  'from-top': {
    session: { enforcement: { from: 'top' } },
    steps: [
      activate('reading'),
      activate('git'),
      together(bash('git log'), bash('git log; id'), fetchPage()),
      deactivate(),
      together(bash('git log'), read('a')),
      say(),
    ],
  },
  policy: {
    session: { policy: { allow: ['Bash', 'Read', 'Write(docs/**)'], deny: ['Bash(rm:*)'], ask: ['Bash(ls:*)'] } },
    steps: [TRIED, activate('free'), TRIED, deactivate(), TRIED, say()],
  },
  cwd: {
    session: { cwd: '/project', policy: { protect: ['settings.json'] } },
    steps: [
      write('/elsewhere/settings.json'),
      write('/project/settings.json'),
      activate('docs'),
      together(write('/project/docs/a.md'), write('/elsewhere/docs/a.md')),
      say(),
    ],
  },
  'tool-map': { ...own, steps: ownSteps },
  'tool-root': { ...own, session: { toolMap, toolRoot: '/' }, steps: ownSteps },
  'tool-map-asked': { ...own, consent: 'suspend', steps: ownSteps },
  plan: {
    session: ({ record }: { readonly record: (tool: string, input: unknown) => void }) => ({
      runStep: (step: { readonly tool: string; readonly input: unknown }) => (
        record(step.tool, step.input),
        `${step.tool} ran`
      ),
    }),
    skills: {
      plan: {
        body: PLAN,
        fields: ['type: composite', 'allowed-tools: Read', 'parameters: { file: { type: string, default: b.md } }'],
      },
    },
    steps: [activate('plan', '{"file":"c.md"}'), say()],
  } as never,
  problems: {
    skills: { hooked: skill('Body of hooked.', 'hooks:', '  post: [tidy]') },
    hooks: ['tidy'],
    steps: [activate('hooked'), deactivate(), activate('hooked'), say()],
  },
  'later-mode': {
    session: { enforcement: 'advisory' },
    steps: [activate('reading'), write('a.md'), say(), together(write('b.md'), read('secret'), read('a')), say()],
    turns: ['Hello', { restart: { session: { policy: { deny: ['Read(secret)'] } } } }, 'Go on'],
  },
  'later-names': { ...own, steps: [ownSteps[0]!, say(), ...ownSteps.slice(1)], turns: LATER },
  'later-ids': {
    session: { correlationId: 'request-7', agent: 'the-agent', tenant: 'the-tenant' },
    steps: [activate('reading'), say(), read('a'), say()],
    turns: ['Hello', { restart: { session: { agent: 'the-agent', tenant: 'the-tenant' } } }, 'Go on'],
  },
  'audit-fails': {
    audit: { write: () => Promise.reject(new Error('The disk is full.')) },
    steps: [activate('reading'), read('a'), say('I went on.')],
  },
}

/** What a host sets for a session, which an adapter passes on as it is. */
export const optionScenarios = [
  ...scenariosOf(
    'gate',
    Object.entries(ROWS).map(([name, { steps = [], turns = ['Hello'], ...setup }]) => ({
      id: `options-${name}`,
      title: `[ADPT-4, GATE-8, GATE-9, ASK-4] passes what the host sets for a session on to core: ${name}`,
      ...(turns.length > 1 && { needs: ['resume' as const] }),
      ...(setup.consent === 'suspend' && { needs: ['suspend' as const] }),
      setup: (desk: { readonly record: (tool: string, input: unknown) => void }) => ({
        skills: RULED,
        ...setup,
        ...(name === 'allowlist' && { skills: undefined as never }),
        ...(typeof setup.session === 'function' && {
          session: (setup.session as (given: typeof desk) => Setup['session'])(desk),
        }),
      }),
      script: steps,
      turns,
    })),
  ),
  ...scenariosOf('audit', [
    {
      id: 'audit-required',
      title:
        "[OBS-3, ABUSE-100, GATE-7] refuses an action that must be recorded and cannot be, before anything runs, in core's words",
      setup: () => {
        let isBroken = true
        return {
          skills: RULED,
          audit: {
            required: true,
            sink: {
              write({ type, tool: name }: { readonly type: string; readonly tool?: string }) {
                if (type === 'restriction.violated' || name === 'WebFetch') isBroken = false
                if (isBroken) throw new Error('The disk is full.')
              },
            },
          },
        }
      },
      script: [read('a.md'), activate('reading'), fetchPage(), read('b.md'), activate('reading'), say()],
      turns: ['Hello'],
    },
  ]),
]
