import { isSkillError, quoteName, showName, enclosed, escapeXml } from '@repertoire/skill-md/internal'
import type { Execution, ExecutionOutcome } from '../../execution/execute.ts'
import { scriptOutputText, toScriptOutput } from '../../execution/script-output.ts'
import { DEFAULT_SCRIPT_LIMITS, type ScriptSettings } from '../../execution/settings.ts'
import type { Outcome } from '@repertoire/gate/internal'
import type { ScriptFile, ScriptLimits } from '../../ports/script-runner.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import type { PinnedFolders } from '../activation/pinned-folders.ts'
import { failureText, type Refused, resultText } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { readSkillFiles } from '../scripts/agreed.ts'
import type { ActiveSkill } from '../state/state.ts'
import { executionFailed, hasExecutionFailed } from './request.ts'
import type { PlanRun, StepResult } from '../../execution/composite/run.ts'

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
    return refuse.scriptNotRun(code, `The script of the skill ${quoteName(skill.name)}`, error)
  }
}

/** Characters of one execution that a model is shown. */
const MAX_SHOWN_CHARS = 60_000

/** Characters of one step's result. */
const MAX_STEP_CHARS = 20_000

/** Returns what a model is shown of an execution, cut where it is too long. Nothing in it can end its element. */
function executionText(execution: Execution, limits: Pick<ScriptLimits, 'timeoutMs'>): string {
  if (execution.type === 'script') {
    return scriptOutputText({ skill: execution.name, result: execution.result, limits })
  }
  const text = contentOf(execution)
  const shown = cut(text, MAX_SHOWN_CHARS)
  const isCut = shown.length < text.length
  const failed = execution.type === 'composite' && execution.run?.ok === false ? ' failed="true"' : ''
  return [
    `<skill_result name="${escapeXml(showName(execution.name))}" type="${execution.type}"${failed}${isCut ? ' truncated="true"' : ''}>`,
    shown.trim() === '' ? '(empty)' : enclosed(shown).trim(),
    ...(isCut ? [`Cut after ${shown.length} of ${text.length} characters.`] : []),
    '</skill_result>',
  ].join('\n')
}

function contentOf(execution: Exclude<Execution, { type: 'script' }>): string {
  if (execution.type === 'template') return execution.text
  if (execution.type === 'instruction') return execution.content
  const { plan, run } = execution
  if (run === undefined) return JSON.stringify(plan)
  // First, so that it is seen however long the results are.
  return [endText(plan.length, run), ...run.results.map(stepText)].join('\n')
}

function endText(count: number, { ok, results }: PlanRun): string {
  if (ok) return count === 1 ? 'The step is done.' : `All ${count} steps are done.`
  const missing = count - results.length
  const rest = missing === 0 ? '' : `, and the ${missing} after it ${missing === 1 ? 'was' : 'were'} not begun`
  return `Step ${results.length} of ${count} failed${rest}: ${errorText(results.at(-1))} What was done before it is done: do not do it again.`
}

function errorText(result: StepResult | undefined): string {
  const { code, message = '' } = result?.error ?? {}
  const text = cutMarked(failureText(new Error(message)), MAX_STEP_CHARS)
  return code === undefined ? text : `${code}: ${text}`
}

function stepText(result: StepResult): string {
  const { step, tool, ok, value } = result
  const head = `Step ${step}, \`${showName(tool)}\`: ${ok ? 'done' : 'failed'}.`
  return value === undefined ? head : `${head}\n${cutMarked(safeResult(value), MAX_STEP_CHARS)}`
}

/** A tool may return what refers to itself. */
function safeResult(value: unknown): string {
  try {
    return resultText(value)
  } catch {
    return '(the result cannot be shown)'
  }
}

function cutMarked(text: string, limit: number): string {
  return text.length > limit ? `${cut(text, limit)}… (cut after ${limit} of ${text.length} characters)` : text
}

/** Never in the middle of a character. */
function cut(text: string, limit: number): string {
  return text.slice(0, limit).replace(text.length > limit ? /[\uD800-\uDBFF]$/ : /$^/, '')
}
