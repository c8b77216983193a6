import { checkScripts } from '../../execution/check-scripts.ts'
import type { ScriptSettings } from '../../execution/settings.ts'
import type { ScriptCheck } from '../../ports/script-runner.ts'
import { waitFor } from '../../time-limit.ts'
import type { InspectedSkill } from '../inspect-skill.ts'

/** How long a runner may read the scripts of a skill before somebody is asked: the question then goes without. */
const CHECK_MS = 3_000

/**
 * What a person should know of a skill's scripts before agreeing to them: which its runner would not run, and which use
 * for certain what it lacks. Only a runner that reads scripts is asked. Undefined: nothing is known.
 * @throws the signal's reason
 */
export async function checkAgreed(
  settings: ScriptSettings | undefined,
  { scripts, runner, folder }: Pick<InspectedSkill, 'scripts' | 'runner' | 'folder'>,
  signal: AbortSignal | undefined,
): Promise<readonly ScriptCheck[] | undefined> {
  if (settings === undefined || runner === undefined || scripts.length === 0) return undefined
  if (typeof settings.runner.inspect !== 'function') return undefined
  try {
    const checks = await waitFor(checkScripts(folder, settings.runner), CHECK_MS, signal)
    signal?.throwIfAborted()
    if (typeof checks === 'symbol') return undefined
    const told = checks.filter(
      ({ problem, missing }) => problem !== undefined || missing?.some(({ certain }) => certain),
    )
    return told.length > 0 ? told : undefined
  } catch {
    // What cannot be read is refused where it is run, and the folder is measured again after the answer.
    signal?.throwIfAborted()
    return undefined
  }
}
