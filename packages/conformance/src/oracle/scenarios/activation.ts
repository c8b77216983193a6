import {
  activate,
  bash,
  call,
  deactivate,
  fetchPage,
  read,
  readSkillFile,
  say,
  saying,
  together,
  write,
} from '../../checks/script-steps.ts'
import type { ScriptJob } from '@repertoire/core'
import type { Desk } from '../scenario.ts'
import { RULED, scenariosOf, skill, tool, withTools } from './define.ts'

const HOOKED = {
  lower: skill(
    'Body of lower.',
    'allowed-tools: Read',
    'hooks:',
    '  pre: [lower-check]',
    '  post: [lower-tidy, lower-report]',
  ),
  upper: skill('Body of upper.', 'allowed-tools: Read', 'hooks:', '  pre: [upper-check]', '  post: [upper-tidy]'),
}

const SCRIPTS = {
  runs: {
    body: 'Body of runs.',
    files: {
      'scripts/args.sh': 'echo',
      'scripts/fail.sh': 'false',
      'scripts/flood.sh': 'yes',
      'scripts/wait.sh': 'sleep',
    },
  },
  named: {
    body: 'Body of named.',
    fields: ['allowed-tools: Read run_skill_script(scripts/one.sh)'],
    files: { 'scripts/one.sh': 'one', 'scripts/two.sh': 'two' },
  },
  plain: skill('Body of plain.'),
}

const RUN = 'run_skill_script'
const ARGS = ['a b', '; echo no', '$(id)', '', '--x=*', "it's", '漢字', '{"a":1}', 'tab\there\r\n']

const GREET = ['type: template', 'parameters: { name: { type: string, required: true }, loud: boolean }']
const PLAN =
  '```yaml\nsteps:\n  - tool: Read\n    parameters: { file_path: "{{ file }}" }\n  - tool: Bash\n    parameters: { command: git log }\n  - tool: Write\n    parameters: { file_path: a.md, content: x }\n```'
const VALUE = 'Ann {{ loud }} $& $1 {% if %} </skill_result>'
const MEASURE = tool('measure', (input) => `measured ${JSON.stringify(input)}`, { text: { type: 'string' } })
const EXECUTED = {
  greet: { body: '```\nDear {{ name }}{% if loud %}!{% endif %}\n```', fields: GREET },
  plan: {
    body: PLAN,
    fields: [
      'type: composite',
      'allowed-tools: Read Bash(git log:*)',
      'parameters: { file: { type: string, default: b.md } }',
    ],
  },
  count: { body: '```sh\necho\n```', fields: ['type: script'] },
  kit: { body: 'Use the tool.', fields: ['toolsets: ["kit/index:tools"]'], files: { 'kit/index.mjs': '' } },
}
const toolsets = { loader: { load: () => Promise.resolve([MEASURE]) }, layers: ['project' as const] }

/** A runner that starts nothing, and says what it was to start. */
function runner({ record, stop }: Desk) {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const outputs: Readonly<Record<string, readonly [stdout: string, stderr: string, code: number]>> = {
    'scripts/fail.sh': ['so far\n', 'not found: a & <b>\n', 3],
    'scripts/flood.sh': [
      `first line\n${'x'.repeat(40)}\n`.repeat(5000) + '\u001b[31mlast\u001b[0m \u200bline\n',
      '',
      0,
    ],
  }
  return {
    name: 'desk',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: () => true as const,
    async run({ script, args, signal }: Pick<ScriptJob, 'script' | 'args' | 'signal'>) {
      record('script', { script, args })
      if (script === 'scripts/wait.sh') {
        stop()
        record('script', signal.aborted ? 'It was told to stop.' : 'It was not told to stop.')
      }
      const [stdout, stderr, exitCode] = outputs[script] ?? [`${args.map((each) => `[${each}]`).join('\n')}\n`, '', 0]
      return {
        end: 'exited' as const,
        exitCode,
        stdout: bytes(stdout),
        stderr: bytes(stderr),
        dropped: { stdout: 0, stderr: 0 },
        durationMs: 1,
      }
    },
  }
}

/** What activates a skill, what it brings, and how it is left. */
export const activationScenarios = scenariosOf('activation', [
  {
    id: 'activation-arguments',
    title:
      '[ACT-1, ACT-4, ACT-6, ACT-9, ADPT-4] shows instructions once, with what the model passes them, in the words of core',
    setup: { skills: { convert: skill('Read [$1], [$2] and [$ARGUMENTS].\n\n\tThe rest…  '), ...RULED } },
    script: [
      activate('convert', 'a.md "two words"\nsecond line\n\n  third $& $1\t'),
      together(
        activate('convert', 'b.md'),
        activate('convert', 'b.md'),
        activate('convert'),
        activate('docs', 'not named'),
      ),
      together(activate('convert', 'c.md'), activate('docs')),
      deactivate(),
      deactivate(),
      activate('convert', 'c.md'),
      say(),
      activate('convert', 'd.md'),
      say(),
    ],
    turns: ['Hello', 'Go on'],
  },
  {
    id: 'activation-wrong',
    title:
      '[ACT-2, LLM-1, CAT-5, GATE-7] refuses wrong names and wrong inputs in the words of core, and activates nothing',
    script: [
      together(activate('safe_edit'), activate('Safe-Edit'), activate('unheard-of'), activate('')),
      together(
        call('activate_skill', { name: 5 }),
        call('activate_skill', {}),
        call('activate_skill', { name: 'safe-edit', args: {} }),
        call('activate_skill', { names: ['safe-edit'] }),
      ),
      call('Activate_Skill', { name: 'safe-edit' }),
      say(),
    ],
    turns: ['Hello'],
  },
  {
    id: 'activation-hooks',
    title:
      '[ACT-13, ACT-7, GATE-7] runs hooks before an activation and behind its end, top of the stack first, each once',
    setup: { skills: HOOKED, hooks: ['upper-tidy'] },
    script: [activate('lower', 'the args'), activate('upper'), deactivate(), fetchPage(), activate('upper'), say()],
    turns: ['Hello'],
  },
  {
    id: 'activation-hook-fails',
    title:
      '[ACT-13, ACT-12, GATE-7] activates nothing where a hook fails, for the model and for a person, and runs it once',
    setup: { skills: HOOKED, hooks: ['lower-check', 'upper-check'] },
    script: [activate('lower'), fetchPage(), say(), say()],
    turns: ['Hello', '/upper now'],
  },
  {
    id: 'activation-hooks-resumed',
    title: '[ACT-13, ACT-15] runs the hooks of the end in the process in which the task ends',
    needs: ['resume'],
    setup: { skills: HOOKED, hooks: [] },
    script: [activate('lower', 'the args'), say(), read('a'), say()],
    turns: ['Hello', { restart: {} }, 'Go on'],
  },
  {
    id: 'activation-model',
    level: 'SHOULD',
    title:
      '[ACT-16] calls the model that an active skill names, and its own again afterwards or where there is no such model',
    setup: {
      skills: {
        bright: skill('Body.', 'model: strong'),
        vague: skill('Body.', 'model: unheard-of'),
        modest: skill('Body.', 'model: inherit'),
      },
      models: { strong: [read('by-strong.md'), deactivate()] },
    },
    script: [
      activate('bright'),
      read('a.md'),
      activate('vague'),
      read('b.md'),
      deactivate(),
      activate('modest'),
      read('c.md'),
      say(),
    ],
    turns: ['Hello'],
  },
  {
    id: 'activation-mount',
    title:
      '[ACT-5, GATE-4, ACT-15] gives private copies of skills to a task, also in a fresh process, and removes them in the end',
    needs: ['resume'],
    setup: { mounts: true },
    script: [
      activate('release-notes'),
      together(
        readSkillFile('private:/.skills/release-notes/references/style.md'),
        read('private:/.skills/release-notes/scripts/collect.sh'),
      ),
      say(),
      together(read('private:/.skills/release-notes/scripts/collect.sh'), read('a')),
      say(),
    ],
    turns: ['Hello', { restart: {} }, 'Go on'],
  },
  {
    id: 'activation-mount-left',
    title: '[ACT-5, ASK-3] makes no private copy where consent is denied, and removes one with its skill',
    setup: { mounts: true, consent: (request) => request.args === 'now' },
    script: [
      activate('release-notes'),
      activate('release-notes', 'now'),
      deactivate(),
      read('private:/.skills/release-notes/SKILL.md'),
      say(),
    ],
    turns: ['Hello'],
  },
  {
    id: 'scripts-run',
    area: 'scripts',
    title:
      '[RUN-7, RUN-12] offers and runs scripts while their skill is active, with arguments as the model wrote them',
    setup: (desk) => ({ skills: SCRIPTS, repertoire: { scripts: { runner: runner(desk) } } }),
    script: [
      call(RUN, { path: 'scripts/args.sh' }),
      activate('plain'),
      activate('runs'),
      together(call(RUN, { path: 'scripts/args.sh', args: ARGS }), readSkillFile('scripts/args.sh')),
      call(RUN, { path: 'scripts/flood.sh' }),
      call(RUN, { path: 'scripts/fail.sh' }),
      deactivate(),
      activate('named'),
      together(
        call(RUN, { path: 'scripts/two.sh' }),
        call(RUN, { path: 'SKILL.md' }),
        call(RUN, { path: 'scripts/one.sh', args: 'a b' }),
        call(RUN, { path: 'scripts/one.sh' }),
      ),
      say('I went on.'),
    ],
    turns: ['Hello'],
  },
  {
    id: 'scripts-stopped',
    area: 'scripts',
    needs: ['abort'],
    title: '[RUN-9] stops a script that is running when its run is stopped',
    setup: (desk) => ({ skills: SCRIPTS, repertoire: { scripts: { runner: runner(desk) } } }),
    script: [activate('runs'), call(RUN, { path: 'scripts/wait.sh' }), say()],
    turns: ['Hello'],
    free: { auditEvents: 'What has stopped first is a matter of time.' },
  },
  {
    id: 'activation-broken-meanwhile',
    title:
      '[ACT-2, ACT-3] activates what a folder holds when the model calls, and nothing of one that has broken since it was listed',
    setup: { skills: { early: skill('The old body.'), late: skill('Body of late.') } },
    script: [
      {
        reload: { early: skill('The new body.'), late: skill('', 'allowed-tools: Bash(git:*') },
        next: together(activate('early'), activate('late')),
        untold: true,
      },
      say(),
    ],
    turns: ['Hello'],
  },
  {
    id: 'execution-skills',
    area: 'execution',
    title: '[RUN-2, RUN-3, RUN-4] executes templates, scripts and plans where they are called, in the words of core',
    setup: (desk) => ({ skills: EXECUTED, repertoire: { scripts: { runner: runner(desk) } } }),
    script: [
      activate('greet', JSON.stringify({ name: VALUE })),
      activate('greet', '{"name":"Bo","loud":true}'),
      activate('greet', '{"nmae":"Bo","loud":"yes"}'),
      activate('count', 'a "b c"'),
      activate('plan'),
      together(read('b.md'), bash('rm b.md')),
      deactivate(),
      say(),
      say(),
    ],
    turns: ['Hello', '/greet Ann true'],
  },
  {
    id: 'execution-own-tools',
    area: 'execution',
    title:
      '[RUN-2, SHOW-4] offers the parameters of skills as the inputs of their own tools, and passes them on as they are',
    setup: (desk) => ({
      skills: EXECUTED,
      repertoire: { listing: { style: 'tools' }, scripts: { runner: runner(desk) } },
    }),
    script: [
      call('skill_greet', { name: 'Ann', loud: true }),
      call('skill_greet', { nmae: 'Ann', loud: 'yes' }),
      call('skill_greet', { name: '', loud: null }),
      call('skill_count', { args: 'x y' }),
      say(),
    ],
    turns: ['Hello'],
  },
  {
    id: 'execution-asked',
    area: 'execution',
    needs: ['suspend'],
    title: '[RUN-3, ASK-5] runs what waited for an answer once, after the yes',
    setup: (desk) => ({ skills: EXECUTED, consent: 'suspend', repertoire: { scripts: { runner: runner(desk) } } }),
    script: [activate('count', 'a'), together(activate('greet', '{"name":"Bo"}'), bash('ls')), say()],
    turns: ['Hello'],
  },
  {
    id: 'execution-toolset',
    area: 'execution',
    title: '[RUN-10] offers the tools that a skill brings while it is active, also in a fresh process',
    needs: ['resume'],
    setup: { skills: EXECUTED, repertoire: { toolsets } },
    script: [
      activate('kit'),
      call('measure', { text: 'a b' }),
      deactivate(),
      call('measure', { text: 'c' }),
      activate('kit'),
      say(),
      call('measure', { text: 'd' }),
      say(),
    ],
    turns: ['Hello', { restart: {} }, 'Go on'],
  },
  {
    id: 'activation-own-tool-of-the-host',
    title:
      "[SHOW-4, CAT-4] keeps running the host's tool where a reload finds a skill whose own tool would have the same name",
    setup: {
      skills: { early: skill('Body of early.') },
      repertoire: { listing: { style: 'tools' } },
      tools: withTools(tool('skill_late', () => 'of the host')),
    },
    script: [{ reload: { late: skill('Body of late.') }, next: call('skill_late') }, say()],
    turns: ['Hello'],
    free: { ended: 'Frameworks word the error themselves.' },
  },
  {
    id: 'activation-words-before',
    title: '[CONF-5] keeps words of the model beside activations, refusals and calls of the host',
    setup: { skills: RULED },
    script: [
      saying(' First.\n', together(activate('docs'), read('a'))),
      saying('Then \t', write('src/a')),
      saying('…', bash('ls')),
      saying('Last.', deactivate()),
      say('  Done.\n\n'),
    ],
    turns: ['Hello'],
  },
])
