import { activate, bash, call, deactivate, fetchPage, read, readSkillFile, say, together } from '../../oracle/steps.ts'
import { RULED, runner, scenariosOf, skill, toolsets } from './define.ts'

const HOOKED = skill('Body of hooked.', 'allowed-tools: Read', 'hooks:', '  pre: [check]', '  post: [tidy, report]')

const ARGS = ['a b', '; echo no', '$(id)', '', '--x=*', "it's", '漢字', '{"a":1}', 'tab\there\r\n']

/** Skills that are executed where they are called, and one that names which of its scripts may run. */
const EXECUTED = {
  greet: {
    body: '```\nDear {{ name }}{% if loud %}!{% endif %}\n```',
    fields: ['type: template', 'parameters: { name: { type: string, required: true }, loud: boolean }'],
  },
  count: { body: '```sh\necho\n```', fields: ['type: script'] },
  named: {
    body: 'Body of named.',
    fields: ['allowed-tools: Read run_skill_script(scripts/one.sh)'],
    files: { 'scripts/one.sh': 'one', 'scripts/two.sh': 'two' },
  },
}
const VALUE = 'Ann {{ loud }} $& $1 {% if %} </skill_result>'
const KIT = { ...skill('Use the tool.', 'toolsets: ["kit/index:kit"]'), files: { 'kit/index.mjs': '' } }
const RUN = 'run_skill_script'

/** What activates a skill, what it brings, and how it is left. */
export const activationScenarios = scenariosOf('activation', [
  {
    id: 'activation-calls',
    title:
      '[ACT-1, ACT-2, ACT-4, ACT-6, ACT-9, ADPT-4, LLM-1, CAT-5, GATE-7] shows instructions once, with what the model passes them, and refuses wrong names and inputs, in the words of core',
    setup: { skills: { convert: skill('Read [$1], [$2] and [$ARGUMENTS].\n\n\tThe rest…  '), ...RULED } },
    script: [
      together(call('activate_skill', { name: 5 }), call('activate_skill', { name: 'docs', args: {} }), activate('')),
      activate('convert', 'a.md "two words"\nsecond line\n\n  third $& $1\t'),
      together(
        activate('convert', 'b.md'),
        activate('convert', 'b.md'),
        call('Activate_Skill', { name: 'convert' }),
        activate('docs', 'not named'),
        activate('unheard-of'),
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
    id: 'activation-hooks',
    title:
      '[ACT-13, ACT-12, ACT-7, GATE-7] runs hooks before an activation and behind its end, each once, and activates nothing where one fails',
    setup: {
      skills: { hooked: HOOKED, failing: skill('Body of failing.', 'hooks:', '  pre: [fail]') },
      hooks: ['tidy', 'fail'],
    },
    script: [
      activate('hooked', 'the args'),
      activate('failing'),
      deactivate(),
      fetchPage(),
      activate('hooked'),
      say(),
      say(),
    ],
    turns: ['Hello', '/failing now'],
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
      },
      models: { strong: [read('by-strong.md'), deactivate()] },
    },
    script: [activate('bright'), read('a.md'), activate('vague'), read('b.md'), deactivate(), say()],
  },
  {
    id: 'activation-mount',
    title:
      '[ACT-5, ACT-13, GATE-4, ACT-15] gives private copies of skills to a task where a person agrees, also in a fresh process, and removes them with the skill or in the end',
    needs: ['resume'],
    setup: {
      mounts: true,
      skills: {
        kept: { ...HOOKED, files: { 'scripts/run.sh': 'exit 0\n', 'references/a.md': 'A.\n' } },
        left: skill('Body of left.'),
      },
      hooks: [],
      consent: (request) => request.args !== 'no',
    },
    script: [
      activate('kept', 'no'),
      activate('left'),
      read('private:/.skills/left/SKILL.md'),
      deactivate(),
      together(read('private:/.skills/left/SKILL.md'), activate('kept', 'the args')),
      together(readSkillFile('private:/.skills/kept/references/a.md'), read('private:/.skills/kept/scripts/run.sh')),
      say(),
      together(read('private:/.skills/kept/scripts/run.sh'), read('a')),
      say(),
    ],
    turns: ['Hello', { restart: {} }, 'Go on'],
  },
  {
    id: 'execution-skills',
    title:
      '[RUN-2, RUN-3, RUN-7, RUN-12] executes templates and scripts where they are called, and the scripts of active skills with arguments as the model wrote them, in the words of core',
    setup: (desk) => ({ skills: EXECUTED, repertoire: { scripts: { runner: runner(desk) } } }),
    script: [
      activate('greet', JSON.stringify({ name: VALUE })),
      activate('greet', '{"nmae":"Bo","loud":"yes"}'),
      together(activate('count', 'a "b c"'), bash('ls')),
      call(RUN, { path: 'scripts/one.sh' }),
      activate('named'),
      together(
        call(RUN, { path: 'scripts/one.sh', args: ARGS }),
        call(RUN, { path: 'scripts/two.sh' }),
        call(RUN, { path: 'scripts/one.sh', args: 'a b' }),
      ),
      say('I went on.'),
      say(),
    ],
    turns: ['Hello', '/greet Ann true'],
  },
  {
    id: 'execution-toolset',
    area: 'execution',
    title: '[RUN-10] offers the tools that a skill brings while it is active, also in a fresh process',
    needs: ['resume'],
    setup: { skills: { kit: KIT }, repertoire: { toolsets } },
    script: [
      activate('kit'),
      call('measure_kit', { text: 'a b' }),
      deactivate(),
      call('measure_kit', { text: 'c' }),
      activate('kit'),
      say(),
      call('measure_kit', { text: 'd' }),
      say(),
    ],
    turns: ['Hello', { restart: {} }, 'Go on'],
  },
])
