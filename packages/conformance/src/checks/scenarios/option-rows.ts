import type { AuditEvent, FunctionTool } from '@repertoire/core'
import { activate, bash, call, deactivate, fetchPage, read, say, together, write } from '../../oracle/steps.ts'
import type { Setup } from '../../oracle/scenario.ts'
import { type Row, RULED, runner, skill, tool, withTools } from './define.ts'
import { EXECUTED } from './executed.ts'
import { LISTED } from './listed.ts'

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
const HOOKED = { hooked: skill('Body of hooked.', 'hooks:', '  pre: [check]', '  post: [tidy]') }

/** What a host sets for a session, for the repertoire and for the agent. */
export const ROWS: Readonly<Record<string, Row>> = {
  ...LISTED,
  granted: {
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
  scope: {
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
  advisory: {
    setup: { skills: RULED, session: { enforcement: 'advisory', policy: { deny: ['Bash(rm:*)', 'WebFetch'] } } },
    script: [activate('git'), TRIED, say()],
  },
  preapprove: {
    setup: { skills: RULED, session: { enforcement: 'preapprove', policy: { deny: ['Bash(rm:*)'] } } },
    script: [activate('never'), TRIED, activate('docs'), TRIED, say()],
  },
  'preapprove-approval': {
    needs: ['approval'],
    setup: { skills: RULED, approval: { tools: ['Bash'] }, session: { enforcement: 'preapprove' } },
    script: [bash('git log'), activate('git'), bash('git log -3'), bash('git log; id'), bash('ls'), say()],
  },
  'from-top': {
    setup: { skills: RULED, session: { enforcement: { from: 'top' } } },
    script: [
      activate('reading'),
      activate('git'),
      together(bash('git log'), bash('git log; id'), fetchPage()),
      deactivate(),
      together(bash('git log'), read('a')),
      say(),
    ],
  },
  policy: {
    setup: {
      skills: { ...RULED, survey: skill('Body of survey.', 'context: fork', 'allowed-tools: Read Write Bash') },
      session: { policy: { allow: ['Bash', 'Read', 'Write(docs/**)'], deny: ['Bash(rm:*)'], ask: ['Bash(ls:*)'] } },
    },
    script: [TRIED, activate('free'), TRIED, activate('survey'), deactivate(), TRIED, say()],
    forks: { 'Body of survey.': [TRIED, say('Done.')] },
  },
  cwd: {
    setup: { skills: RULED, session: { cwd: '/project', policy: { protect: ['settings.json'] } } },
    script: [
      write('/elsewhere/settings.json'),
      write('/project/settings.json'),
      activate('docs'),
      together(write('/project/docs/a.md'), write('/elsewhere/docs/a.md')),
      say(),
    ],
  },
  'tool-map': {
    needs: ['resume'],
    setup: own,
    script: [ownSteps[0]!, say(), ...ownSteps.slice(1)],
    turns: ['Hello', { restart: {} }, 'Go on'],
  },
  'tool-map-asked': { needs: ['suspend'], setup: { ...own, consent: 'suspend' }, script: ownSteps },
  'later-mode': {
    needs: ['resume'],
    setup: {
      skills: RULED,
      session: { enforcement: 'advisory', correlationId: 'request-7', agent: 'the-agent', tenant: 'the-tenant' },
    },
    script: [activate('reading'), write('a.md'), say(), together(write('b.md'), read('secret'), read('a')), say()],
    turns: [
      'Hello',
      { restart: { session: { policy: { deny: ['Read(secret)'] }, agent: 'the-agent', tenant: 'the-tenant' } } },
      'Go on',
    ],
  },
  plan: {
    setup: ({ record }) => ({
      session: { runStep: ({ tool: name, input }) => (record(name, input), `${name} ran`) },
      skills: {
        plan: {
          body: PLAN,
          fields: ['type: composite', 'allowed-tools: Read', 'parameters: { file: { type: string, default: b.md } }'],
        },
      },
    }),
    script: [activate('plan', '{"file":"c.md"}'), say()],
  },
  parameters: {
    setup: (desk) => ({
      skills: {
        greet: skill(
          '```\nDear {{ name }}{% if loud %}!{% endif %}\n```',
          'type: template',
          'parameters: { name: { type: string, required: true }, loud: boolean }',
        ),
        count: skill('```sh\necho\n```', 'type: script'),
      },
      repertoire: { listing: { style: 'tools' }, scripts: { runner: runner(desk) } },
    }),
    script: [
      call('skill_greet', { name: 'Ann', loud: true }),
      call('skill_greet', { nmae: 'Ann', loud: 'yes' }),
      call('skill_greet', { name: '', loud: null }),
      call('skill_count', { args: 'x y' }),
      say(),
    ],
  },
  problems: {
    setup: { skills: HOOKED, hooks: ['tidy'] },
    script: [activate('hooked'), deactivate(), activate('hooked'), say()],
  },
  'own-tools-asked': {
    needs: ['suspend'],
    setup: {
      skills: RULED,
      consent: 'suspend',
      repertoire: { listing: { style: 'tools' } },
      answers: ({ skill: name }) => (name === 'free' ? { approved: false, reason: 'so it is' } : true),
    },
    script: [call('skill_free', { args: 'all' }), call('skill_git'), call('Skill_Docs'), say()],
  },
  checkpoint: {
    needs: ['suspend'],
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
  'executed-asked': {
    setup: (desk) => ({ skills: EXECUTED, consent: 'suspend', repertoire: { scripts: { runner: runner(desk) } } }),
    script: [activate('count', 'a'), together(activate('greet', '{"name":"Bo"}'), bash('ls')), say()],
    turns: ['Hello'],
  },
  'checkpoint-fails': {
    setup: {
      skills: HOOKED,
      hooks: [],
      session: { checkpoint: () => Promise.reject(new Error('The server is away.')) },
    },
    script: [activate('hooked'), bash('ls'), say()],
  },
  until: {
    setup: ({ record }) => {
      const lost = new AbortController()
      const consent = (): boolean => {
        lost.abort(new Error('The lease is lost.'))
        return true
      }
      return {
        skills: HOOKED,
        hooks: [],
        tools: withTools(tool('Bash', (input) => (record('ran', input), 'ran'))),
        consent,
        session: { until: lost.signal },
      }
    },
    script: [activate('hooked'), bash('ls'), say()],
  },
  'audit-fails': {
    setup: { skills: RULED, audit: { write: () => Promise.reject(new Error('The disk is full.')) } },
    script: [activate('reading'), read('a'), say('I went on.')],
  },
  'audit-required': {
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
}
