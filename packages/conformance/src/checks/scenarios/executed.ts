import { skill, tool } from './define.ts'

/** A skill with scripts, one that names those that may run, and one without. */
export const SCRIPTS = {
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

const GREET = ['type: template', 'parameters: { name: { type: string, required: true }, loud: boolean }']
const PLAN =
  '```yaml\nsteps:\n  - tool: Read\n    parameters: { file_path: "{{ file }}" }\n  - tool: Bash\n    parameters: { command: git log }\n  - tool: Write\n    parameters: { file_path: a.md, content: x }\n```'
export const VALUE = 'Ann {{ loud }} $& $1 {% if %} </skill_result>'
export const MEASURE = tool('measure', (input) => `measured ${JSON.stringify(input)}`, { text: { type: 'string' } })
/** Skills that are executed where they are called. */
export const EXECUTED = {
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

/** The tool that runs scripts. */
export const RUN = 'run_skill_script'
