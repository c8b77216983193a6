import type { CallStep, ScriptedCall, ScriptStep, WireRequest } from '@repertoire/conformance'
import type { Decide } from './consent.ts'
import { refusalIn } from './events.ts'

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
const NOTES = '## 1.1.0\n\n### New\n\n- Ask for the tide in any harbour.\n'

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
  (request) => calls({ tool: 'Bash', input: { command: `sh ${quoted(namedScript(request))}` } }),
  calls({ tool: 'Write', input: { file_path: 'CHANGELOG.md', content: NOTES } }),
  { text: 'The typo is corrected, and the release notes are in CHANGELOG.md. No code was changed.' },
]

/** The person of the story: agrees to every skill but one. */
export const decideInStory: Decide = ({ skill }) =>
  Promise.resolve(
    skill === 'test-first-fix' ? { approved: false, reason: 'there is no bug to be fixed' } : { approved: true },
  )

function calls(...list: readonly ScriptedCall[]): CallStep {
  return { calls: list }
}

/** The script's path, which the refusal to read it names. */
function namedScript({ messages }: WireRequest): string {
  for (const { text } of messages.toReversed()) {
    const [, path] = /: '?([^:']+\.sh)'? \(or/.exec(refusalIn(text)?.reason ?? '') ?? []
    if (path !== undefined) return path
  }
  throw new TypeError('The model was not told how the script of release-notes is run.')
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
