import { isSkillError, quoteName } from '@repertoire/skill-md/internal'
import type { ExecutionOutcome } from '../../execution/execute.ts'
import { DEFAULT_SCRIPT_LIMITS, type ScriptSettings } from '../../execution/settings.ts'
import { toScriptOutput } from '../../execution/script-output.ts'
import type { Outcome } from '@repertoire/gate/internal'
import type { ScriptFile } from '../../ports/script-runner.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import type { PinnedFolders } from '../activation/pinned-folders.ts'
import { failureReason, type Refused, refused } from '../refusal.ts'
import { readSkillFiles } from '../scripts/skill-files.ts'
import type { ActiveSkill } from '../state/state.ts'
import { executionFailed, hasExecutionFailed } from './request.ts'
import { executionText } from './result-text.ts'

/** Returns what an execution came to, with the text that the model is shown. */
export function executionOutcome(
  outcome: ExecutionOutcome,
  inspected: Pick<InspectedSkill, 'manifest'>,
  scripts: ScriptSettings | undefined,
): Outcome {
  if (!outcome.ok) return executionFailed(outcome, inspected)
  const { value } = outcome
  const failure = hasExecutionFailed(value) && { failed: true }
  const text = executionText(value, scripts?.limits ?? DEFAULT_SCRIPT_LIMITS)
  if (value.type !== 'script') return { ok: true, value: { ...value, ...failure }, text }
  const { type, name, interpreter, result } = value
  return { ok: true, value: { type, name, ...toScriptOutput({ skill: name, interpreter, result }), ...failure }, text }
}

/**
 * Reads the files that a skill's own script may use, as they were agreed to.
 * @throws the signal's reason
 */
export async function readAgreedFiles(
  pinnedFolders: Pick<PinnedFolders, 'openFiles'>,
  skill: ActiveSkill,
  signal: AbortSignal,
): Promise<readonly ScriptFile[] | Refused> {
  try {
    return await readSkillFiles(pinnedFolders, skill, signal)
  } catch (error) {
    signal.throwIfAborted()
    const code = isSkillError(error) && error.code === 'RESOURCE_TOO_LARGE' ? 'SCRIPT_UNAVAILABLE' : 'SCRIPT_CHANGED'
    return refused({
      code,
      reason: `The script of the skill ${quoteName(skill.name)} was not run. ${failureReason(error)}`,
    })
  }
}
