import { isObject, showHidden, showName, enclosed, escapeXml } from '@repertoire/skill-md/internal'
import { applyArguments } from '../../disclosure/arguments.ts'
import type { PlanRun, PlanStepResult } from '../../execution/composite/run.ts'
import {
  type Execution,
  type ExecutionFailure,
  type ExecutionOutcome,
  type ExecutionRequest,
  openExecutor,
} from '../../execution/execute.ts'
import { parametersFromText } from '../../execution/parameters/from-text.ts'
import { hasSucceeded, scriptOutputText, toScriptOutput } from '../../execution/script-output.ts'
import { DEFAULT_SCRIPT_LIMITS, type ScriptSettings } from '../../execution/settings.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ScriptLimits } from '../../ports/script-runner.ts'
import type { SessionContext } from '../context.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import { cutMarked, cutText, type Refused, refused, shownResult } from '../refusal.ts'

export function executionRequest(inspected: InspectedSkill, args: string | undefined): ExecutionRequest {
  const { skill, manifest, body, definition } = inspected
  const { parameters } = manifest
  if (definition.type === 'instruction') {
    const content = applyArguments(body, args, { names: manifest.arguments, folder: skill.location })
    return { name: skill.name, definition: { type: 'instruction', content } }
  }
  return { name: skill.name, definition, parameters, input: parametersFromText(parameters, args) }
}

/** Refuses what would not be executed, before anybody is asked. Returns undefined where no reason is known. */
export async function executionRefusal(
  context: SessionContext,
  inspected: InspectedSkill,
  args: string | undefined,
): Promise<Refused | undefined> {
  if (inspected.definition.type === 'instruction') return undefined
  const failure = await openExecutor({ ...context.scripts, environment: {} }).check(executionRequest(inspected, args))
  return failure && executionFailed(failure, inspected)
}

export function executionOutcome(
  outcome: ExecutionOutcome,
  inspected: InspectedSkill,
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

/** Returns a failure as the model is told it, with the parameters that the skill takes where those given do not fit. */
function executionFailed(
  { code, reason, detail }: Omit<ExecutionFailure, 'ok'>,
  { manifest: { parameters } }: InspectedSkill,
): Refused {
  const properties = parameters?.['properties']
  const hint =
    code === 'INPUT_INVALID' && isObject(properties)
      ? ` It takes a JSON object with: ${
          Object.keys(properties)
            .map((name) => JSON.stringify(name))
            .join(', ') || 'nothing'
        }.`
      : ''
  return refused({ code: code === 'DEFINITION_INVALID' ? 'SKILL_BROKEN' : code, reason: reason + hint, detail })
}

function hasExecutionFailed(execution: Execution): boolean {
  if (execution.type === 'composite') return execution.run?.ok === false
  return execution.type === 'script' && !hasSucceeded(execution.result)
}

/** Characters of one execution that a model is shown. */
const MAX_SHOWN_CHARS = 60_000

/** Characters of one step's result. */
const MAX_STEP_CHARS = 20_000

/** Returns what a model is shown of an execution, cut if it is too long. Nothing in it can end its element. */
function executionText(execution: Execution, limits: Pick<ScriptLimits, 'timeout'>): string {
  if (execution.type === 'script') {
    return scriptOutputText({ skill: execution.name, result: execution.result, limits })
  }
  const text = contentOf(execution)
  const attributes = ` type="${execution.type}"${hasExecutionFailed(execution) ? ' failed="true"' : ''}`
  return skillResultText(execution.name, attributes, text, MAX_SHOWN_CHARS, '(empty)')
}

/**
 * Returns the result of a skill as the model is shown it. Nothing in it can end its element.
 * @param attributes of its element, each after a space
 * @param empty shown in place of a text without characters
 */
export function skillResultText(
  name: string,
  attributes: string,
  text: string,
  maxChars: number,
  empty: string,
): string {
  const shown = cutText(text, maxChars)
  const isCut = shown.length < text.length
  return [
    `<skill_result name="${escapeXml(showName(name))}"${attributes}${isCut ? ' truncated="true"' : ''}>`,
    shown.trim() === '' ? empty : enclosed(shown).trim(),
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
  if (ok) return `All steps are done: ${count} of ${count}.`
  return `Step ${results.length} of ${count} failed, and none after it was begun: ${errorText(results.at(-1)!)} What was done before it is done: do not do it again.`
}

function errorText({ error: { code, message } = { message: '' } }: PlanStepResult): string {
  const text = cutMarked(showHidden(message), MAX_STEP_CHARS)
  return code === undefined ? text : `${code}: ${text}`
}

function stepText(result: PlanStepResult): string {
  const { step, tool, ok, value } = result
  const head = `Step ${step}, \`${showName(tool)}\`: ${ok ? 'done' : 'failed'}.`
  return value === undefined ? head : `${head}\n${shownResult(value, MAX_STEP_CHARS)}`
}
