import { openAdapterSession } from '../../src/adapter.ts'
import {
  memorySource,
  openRepertoire,
  type Outcome,
  type RepertoireOptions,
  type ScriptJob,
  type ScriptResult,
  type ScriptRunner,
} from '../../src/index.ts'

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

export const RESULT: ScriptResult = {
  end: 'exited',
  exitCode: 0,
  stdout: bytes('out'),
  stderr: bytes(''),
  dropped: { stdout: 0, stderr: 0 },
  durationMs: 3,
}

/** A foreign runner, of which core must believe nothing. */
export function runner(
  run: (job: ScriptJob) => unknown,
  supports: (name: string) => unknown = () => true,
): ScriptRunner {
  return {
    name: 'foreign',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: supports as ScriptRunner['supports'],
    run: run as ScriptRunner['run'],
  }
}

interface Run {
  readonly path?: string
  readonly text?: string
  readonly args?: readonly unknown[]
  readonly signal?: AbortSignal
  readonly limits?: NonNullable<RepertoireOptions['scripts']>['limits']
}

/** Lets a model run one script of an active skill. */
export async function runScript(
  using: ScriptRunner,
  { path = 'scripts/a.sh', text = 'echo', args, signal, limits }: Run = {},
): Promise<Outcome> {
  const files = {
    'SKILL.md': '---\nname: pdf\ndescription: Reads PDF files.\n---\nRead.\n',
    [path]: { content: text, executable: true },
  }
  const sources = [memorySource({ layer: 'project', skills: { pdf: files } })]
  const repertoire = await openRepertoire({
    sources,
    scripts: { runner: using, limits },
  })
  const session = openAdapterSession(repertoire, { consent: () => true })
  await session.activate('pdf')
  await session.step({ tools: [] })
  const input = { path, ...(args && { args }) }
  return session.call({ id: 'run', tool: 'run_skill_script', input }, () => undefined, { signal })
}
