import type { Execution } from '../../execution/execute.ts'
import { scriptOutputText } from '../../execution/script-output.ts'
import type { PlanRun, StepResult } from '../../execution/composite/run.ts'
import type { ScriptLimits } from '../../ports/script-runner.ts'
import { enclosed, escapeXml, showName } from '@repertoire/skill-md/internal'
import { failureText, resultText } from '../refusal.ts'

/** Characters of one execution that a model is shown. */
const MAX_SHOWN_CHARS = 60_000

/** Characters of one step's result. */
const MAX_STEP_CHARS = 20_000

/** Returns what a model is shown of an execution, cut where it is too long. Nothing in it can end its element. */
export function executionText(execution: Execution, limits: Pick<ScriptLimits, 'timeoutMs'>): string {
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
