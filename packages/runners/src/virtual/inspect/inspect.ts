import type { ScriptInspection, ScriptJob } from '@repertoire/core'
import { loadShell } from '../shell.ts'
import { inspectJavaScript } from './javascript.ts'
import { inspectPython } from './python.ts'
import { inspectShell } from './shell.ts'

/** Places that one refusal names. */
const MAX_PLACES = 3

const NOTHING: ScriptInspection = { missing: [], unknown: [] }

/**
 * What is known of a script before the virtual shell runs it.
 * @throws {SkillError} SCRIPT_NOT_STARTED: the package is not installed
 */
export async function inspectScript({
  interpreter,
  script,
  files,
}: Pick<ScriptJob, 'interpreter' | 'script' | 'files'>): Promise<ScriptInspection> {
  const file = files.find(({ path }) => path === script)
  const shell = await loadShell()
  if (file === undefined) return NOTHING
  if (interpreter === 'sh' || interpreter === 'bash') return inspectShell(shell, files, script)
  if (interpreter === 'python3' || interpreter === 'python') return inspectPython(new TextDecoder().decode(file.bytes))
  if (interpreter === 'node') return inspectJavaScript(new TextDecoder().decode(file.bytes), script)
  return NOTHING
}

/** Why a script is not run, as a text; undefined: it is. */
export function refusalOf(
  { refused = [] }: ScriptInspection,
  { script, interpreter }: Pick<ScriptJob, 'script' | 'interpreter'>,
): string | undefined {
  if (refused.length === 0) return undefined
  const shown = refused
    .slice(0, MAX_PLACES)
    .map(({ path, line, reason }) => `line ${line}${path === script ? '' : ` of "${path}"`}: ${reason}`)
  const more = refused.length > shown.length ? ` (and ${refused.length - shown.length} more)` : ''
  const real = interpreter === 'node' ? 'Node' : 'a shell of a system'
  return `The virtual shell would run it otherwise than ${real}. ${shown.join('; ')}${more}. Change the script, or use a runner with ${real}, such as bubblewrap.`
}
