import { untilAborted } from '../../time-limit.ts'
import { stepData, type StepData, type Plan, type PlanStep } from './plan.ts'

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
 * Carries out a plan, one step after the other, and stops at the first that fails: the results so far are kept. A step
 * that uses the result of an earlier one gets it in its parameters, and nowhere else: which tool is called stays as it was.
 * @param runStep carries out one step. What it throws is the step's failure
 * @throws the signal's reason
 */
export async function runPlan(
  { plan, stepWith }: Plan,
  runStep: (step: PlanStep, options: { readonly signal: AbortSignal }) => Promise<PlanStepOutcome>,
  signal: AbortSignal,
): Promise<PlanRun> {
  const results: PlanStepResult[] = []
  const named = new Map<string, StepData>()
  for (const planned of plan) {
    signal.throwIfAborted()
    const step = stepWith(planned, named)
    const outcome = 'problem' in step ? notBegun(step.problem) : await outcomeOf(step, runStep, signal)
    results.push({ step: planned.step, tool: planned.tool, ...outcome })
    if (!outcome.ok) return { ok: false, results }
    if (planned.name !== undefined) named.set(planned.name, stepData(outcome.value))
  }
  return { ok: true, results }
}

function notBegun(problem: string): PlanStepOutcome {
  return { ok: false, error: { message: `It was not begun. ${problem}` } }
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

function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return 'The step failed, and the error that it threw cannot be shown.'
  }
}
