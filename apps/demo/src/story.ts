import type { CallStep, ScriptedCall, ScriptStep } from '@repertoire/conformance'
import type { Decide } from './run.ts'

/** What the scripted model is asked to do. */
export const TASK = 'Correct the typo in docs/intro.md, then write the release notes.'

/** The initial files of every adapter's folder, by commit. */
export const COMMITS: readonly Commit[] = [
  {
    message: 'Tell when the tide turns',
    tag: 'v1.0.0',
    files: { 'src/main.ts': 'export const hours = 6.21\n' },
  },
  {
    message: 'Tell it for any harbour',
    files: { 'src/harbours.ts': "export const harbours = ['Dover', 'Brest']\n" },
  },
  {
    message: 'Add an introduction',
    files: { 'docs/intro.md': '# Welcome\n\nTide tells when teh tide turns, in any harbour.\n' },
  },
]

/** One commit of the little repository that the story plays in. */
export interface Commit {
  readonly message: string
  readonly tag?: string
  readonly files: Readonly<Record<string, string>>
}

const CORRECTED = '# Welcome\n\nTide tells when the tide turns, in any harbour.\n'
const NOTES = '## 1.1.0: Any harbour\n\n### New\n\n- Ask for the tide in any harbour.\n'

/** The script of a skill, with arguments. */
const HEADING: ScriptedCall = {
  tool: 'run_skill_script',
  input: { skill: 'release-notes', path: 'scripts/heading.sh', args: ['1.1.0', 'Any harbour'] },
}

/**
 * What the model does, one step a request. The model mostly does as it is told, but also tries what it must not, to
 * show what happens then.
 */
export const SCRIPT: readonly ScriptStep[] = [
  calls({ tool: 'Read', input: { file_path: 'docs/intro.md' } }),
  calls({ tool: 'activate_skill', input: { name: 'safe-edit' } }),
  calls({ tool: 'Write', input: { file_path: 'docs/intro.md', content: CORRECTED } }),
  calls(
    { tool: 'Write', input: { file_path: 'src/main.ts', content: '' } },
    { tool: 'Delete', input: { file_path: 'src/main.ts' } },
    { tool: 'Bash', input: { command: 'git diff && rm -rf src' } },
  ),
  calls({ tool: 'Bash', input: { command: 'git diff --stat' } }),
  calls({ tool: 'deactivate_skill', input: {} }),
  calls(
    { tool: 'activate_skill', input: { name: 'release-notes' } },
    { tool: 'activate_skill', input: { name: 'test-first-fix' } },
  ),
  calls(
    { tool: 'read_skill_resource', input: { path: 'scripts/collect.sh' } },
    { tool: 'read_skill_resource', input: { path: 'references/style.md' } },
  ),
  calls({ tool: 'Bash', input: { command: "git log --format='%h %s' v1.0.0..HEAD" } }, HEADING),
  calls({ tool: 'Write', input: { file_path: 'CHANGELOG.md', content: NOTES } }),
  calls({ tool: 'deactivate_skill', input: {} }),
  calls(HEADING, asked('word-count', { text: NOTES })),
  calls(
    asked('commit-message', { summary: 'Tell what is new in 1.1.0', area: 'documentation' }),
    asked('commit-message', { summary: 'Tell what is new in 1.1.0', area: 'docs', issue: 7 }),
  ),
  calls({ tool: 'activate_skill', input: { name: 'release-check' } }),
  calls(
    { tool: 'Bash', input: { command: 'git status --short' } },
    { tool: 'Read', input: { file_path: 'CHANGELOG.md' } },
    { tool: 'Bash', input: { command: 'git push' } },
  ),
  { text: 'The typo is corrected, and the release notes are in CHANGELOG.md. No code was changed.' },
]

/** What the story is about, by the first step of each part. */
export const CHAPTERS: ReadonlyMap<number, string> = new Map([
  [1, 'No skill is active: every tool may be used.'],
  [2, 'The model activates safe-edit. A person is asked first.'],
  [3, 'safe-edit allows Read, Write(docs/**) and Bash(git diff:*). Other calls are refused, also of hidden tools.'],
  [6, 'The rules end with the skill. A person denies another activation.'],
  [8, 'A script of the active skill runs in a virtual shell, but cannot be read. A reference can.'],
  [11, 'The script of a skill that is no longer active does not run.'],
  [13, 'Skills of other types: a script, a template with checked parameters, a plan.'],
  [15, 'The plan allows what its steps need. A push is no part of it.'],
])

/** The person of the story: agrees to every skill but one. */
export const decideInStory: Decide = ({ skill }) =>
  skill === 'test-first-fix' ? { approved: false, reason: 'there is no bug to be fixed' } : { approved: true }

function calls(...list: readonly ScriptedCall[]): CallStep {
  return { calls: list }
}

/** A skill that is called with parameters, as JSON. */
function asked(name: string, parameters: object): ScriptedCall {
  return { tool: 'activate_skill', input: { name, args: JSON.stringify(parameters) } }
}
