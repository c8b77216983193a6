import { activate, bash, call, deactivate, fetchPage, read, readSkillFile, say, together } from '../../oracle/steps.ts'
import { inTasks, RULED, runner, scenariosOf, skill } from './define.ts'
import { EXECUTED, MEASURE, RUN, SCRIPTS, VALUE } from './executed.ts'

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

const ARGS = ['a b', '; echo no', '$(id)', '', '--x=*', "it's", '漢字', '{"a":1}', 'tab\there\r\n']

const toolsets = { loader: { load: () => Promise.resolve([MEASURE]) }, layers: ['project' as const] }

/** What activates a skill, what it brings, and how it is left. */
export const activationScenarios = scenariosOf('activation', [
  {
    id: 'activation-calls',
    title:
      '[ACT-1, ACT-2, ACT-4, ACT-6, ACT-9, ADPT-4, LLM-1, CAT-5, GATE-7] shows instructions once, with what the model passes them, and refuses wrong names and inputs, in the words of core',
    ...inTasks(
      {
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
    ),
  },
  {
    id: 'activation-hooks',
    title:
      '[ACT-13, ACT-12, ACT-7, GATE-7] runs hooks before an activation and behind its end, top of the stack first, each once, and activates nothing where one fails',
    setup: {
      skills: { ...HOOKED, failing: skill('Body of failing.', 'hooks:', '  pre: [fail]') },
      hooks: ['upper-tidy', 'fail'],
    },
    script: [
      activate('lower', 'the args'),
      activate('upper'),
      activate('failing'),
      deactivate(),
      fetchPage(),
      activate('upper'),
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
      '[ACT-5, ACT-13, GATE-4, ACT-15] gives private copies of skills to a task where a person agrees, also in a fresh process, and removes them with the skill or in the end',
    needs: ['resume'],
    setup: {
      mounts: true,
      skills: {
        kept: { ...HOOKED.lower, files: { 'scripts/run.sh': 'exit 0\n', 'references/a.md': 'A.\n' } },
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
      '[RUN-2, RUN-3, RUN-4, RUN-7, RUN-12] executes templates, scripts and plans where they are called, and the scripts of active skills with arguments as the model wrote them, in the words of core',
    ...inTasks(
      {
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
    ),
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
])
