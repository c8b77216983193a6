import { messageOf } from '../../text/message.ts'
import { untilAborted } from '../../time-limit.ts'
import type { PlanStep } from './plan.ts'

/** What one step came to. */
export interface PlanStepResult {
  readonly step: number
  readonly tool: string
  readonly ok: boolean
  /** What the tool returned. Absent: it returned nothing, or the step did not run. */
  readonly value?: unknown
  /** Why it failed. A step that was refused did not run. */
  readonly error?: { readonly code?: string; readonly message: string }
}

/** What a plan came to. The steps behind one that failed were not begun, and no step was begun twice. */
export interface PlanRun {
  readonly ok: boolean
  /** In order; with `ok: false` the last one is the one that failed. */
  readonly results: readonly PlanStepResult[]
}

/** What carrying out one step came to. */
export type PlanStepOutcome = Pick<PlanStepResult, 'ok' | 'value' | 'error'>

/**
 * Carries out a plan, one step after the other, and stops at the first that fails: the results so far are kept.
 * @param runStep carries out one step. What it throws is the step's failure
 */
export async function runPlan(
  plan: readonly PlanStep[],
  runStep: (step: PlanStep, options: { readonly signal: AbortSignal }) => Promise<PlanStepOutcome>,
  signal: AbortSignal,
): Promise<PlanRun> {
  const results: PlanStepResult[] = []
  for (const step of plan) {
    signal.throwIfAborted()
    const outcome = await outcomeOf(step, runStep, signal)
    results.push({ step: step.step, tool: step.tool, ...outcome })
    if (!outcome.ok) return { ok: false, results }
  }
  return { ok: true, results }
}

async function outcomeOf(
  step: PlanStep,
  runStep: Parameters<typeof runPlan>[1],
  signal: AbortSignal,
): Promise<PlanStepOutcome> {
  try {
    return await untilAborted(runStep(step, { signal }), signal)
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, error: { message: messageOf(error) } }
  }
}
