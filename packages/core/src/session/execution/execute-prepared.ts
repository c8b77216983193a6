import type { AuditedRun } from '../../audit/events.ts'
import { hasFailed } from '../../audit/tool-result.ts'
import type { PlanStep } from '../../execution/composite/plan.ts'
import type { PlanStepOutcome } from '../../execution/composite/run.ts'
import { openExecutor } from '../../execution/execute.ts'
import { inlineInterpreter } from '../../execution/inline-script.ts'
import { canonicalTool } from '@repertoire/gate/internal'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { type Skill, quoteName } from '@repertoire/skill-md/internal'
import { runPostHooks } from '../activation/hooks.ts'
import { type PreparedActivation, prepareActivation, type RequestedRun } from '../activation/prepare.ts'
import { copyCall } from '../call-arguments.ts'
import { permitCall, runPermitted } from '../calls/gate-call.ts'
import { askWhileWaiting } from '../consent/asking.ts'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { ActiveSkill } from '../state/state.ts'
import { providedTools } from '../toolsets/provided-tools.ts'
import { executionOutcome, executionRequest } from './request-and-outcome.ts'
import { type RequestedSkill, type SkillCallScope, skillOfStep } from '../requested-skill.ts'
import { auditedRun, endedRun, permitScript, readAgreed, runSkillScript } from '../scripts/run-script.ts'

/** How deep composite skills nest: one that calls one, and so on. */
const MAX_PLAN_DEPTH = 8

/** Steps that one call carries out, in all composite skills together. */
const MAX_ALL_STEPS = 1_000

interface PlanPosition {
  /** The stack that it is judged by, itself included. */
  readonly stack: readonly ActiveSkill[]
  /** The composite skills that it is in, itself included. */
  readonly path: readonly string[]
  /** Counted over the whole call. */
  readonly count: { steps: number }
  readonly signal: AbortSignal
}

export function executePrepared(
  scope: SkillCallScope,
  { prepared: first, active }: RequestedRun,
  until: AbortSignal,
): Promise<Outcome> {
  const { context, lifetime, hostTools } = scope
  const { audit } = context

  /** Executes what was prepared, between its two events, and runs its hooks after it whatever becomes of it. */
  async function execute(prepared: PreparedActivation, position: PlanPosition): Promise<Outcome> {
    const { call, active: skill, inspected, args } = prepared
    const isScript = inspected.definition.type === 'script'
    const by = scriptRun(inspected)
    let ended: AuditedRun | undefined
    context.use.record(skill.name)
    const run = async (): Promise<Outcome> => {
      const what = `The script of the skill ${quoteName(skill.name)}`
      const agreed = isScript ? await readAgreed(context, skill, what, position.signal) : undefined
      if (agreed !== undefined && 'ok' in agreed) return agreed
      const executor = openExecutor({
        ...context.scripts,
        environment: agreed?.environment,
        runStep: (step, { signal }) => runStep(prepared, step, { ...position, signal }),
      })
      const request = { ...executionRequest(inspected, args), files: agreed?.files, signal: position.signal }
      const outcome = await executor.execute(request)
      if (by !== undefined && outcome.ok && outcome.value.type === 'script') ended = endedRun(by, outcome.value.result)
      return executionOutcome(outcome, inspected, context.scripts)
    }
    try {
      const event = { type: 'execution', call, active: position.stack.slice(0, -1), skill } as const
      const script = { skill: skill.name, path: inspected.fileName }
      const audited = by === undefined ? event : { ...event, script, run: by, runOf: () => ended ?? by }
      return await (audit?.run(audited, run, { signal: position.signal }) ?? run())
    } finally {
      await runPostHooks(scope, skill)
    }
  }

  /** What runs the skill's own script; undefined if it has none. */
  function scriptRun({ definition }: PreparedActivation['inspected']): AuditedRun | undefined {
    if (definition.type !== 'script' || context.scripts === undefined) return undefined
    const { script, language } = definition
    return auditedRun(context.scripts, inlineInterpreter(script, language) ?? '')
  }

  async function runStep(
    prepared: PreparedActivation,
    step: PlanStep,
    position: PlanPosition,
  ): Promise<PlanStepOutcome> {
    if (++position.count.steps > MAX_ALL_STEPS)
      return tooLarge(`it would take more than ${MAX_ALL_STEPS} steps`, position.path)
    // A copy, as of a model's call: what one tool does to its input is not seen by the steps after it.
    const copy = copyCall({ id: `${prepared.call.id}/${step.step}`, tool: step.tool, input: step.parameters })
    if (!('judged' in copy)) return failed(copy)
    const call = copy.judged
    const child = skillOfStep(call, scope)
    if (child !== undefined) return 'ok' in child ? failed(child) : runChild(call, child, position)
    return runTool(call, position)
  }

  /** A child skill is asked about like any other, and its rights are what it and all above it permit. */
  async function runChild(
    call: ToolCall,
    requested: RequestedSkill,
    { stack, path, count, signal }: PlanPosition,
  ): Promise<PlanStepOutcome> {
    const { name } = requested.skill
    const childPath = [...path, name]
    if (path.includes(name)) return failed(refuse.planCycle(name, childPath))
    if (childPath.length > MAX_PLAN_DEPTH) return tooLarge(`skills nest at most ${MAX_PLAN_DEPTH} deep`, childPath)
    const scopeOfStep = { ...scope, active: () => stack }
    const activating = { by: 'model', canFork: false, canWait: false } as const
    const prepared = await askWhileWaiting(scope, signal, () =>
      lifetime.runExclusive(() => prepareActivation(scopeOfStep, call, requested, activating, signal), signal),
    )
    if ('ok' in prepared) return refuseStep(call, stack, prepared, requested.skill)
    const outcome = await execute(prepared, { stack: [...stack, prepared.active], path: childPath, count, signal })
    if (!outcome.ok) return failed(outcome)
    // Its results say what its plan was.
    const { failed: hasChildFailed, plan: _plan, ...value } = outcome.value as { failed?: boolean; plan?: unknown }
    if (hasChildFailed !== true) return { ok: true, value }
    return { ok: false, value, error: { message: `The skill ${quoteName(name)} failed.` } }
  }

  async function runTool(call: ToolCall, { stack, signal }: PlanPosition): Promise<PlanStepOutcome> {
    if (context.scripts !== undefined && canonicalTool(call.tool, [context.toolNames.runScript]) !== undefined) {
      return runScript(call, { stack, signal })
    }
    const provided = providedTools(context, stack, hostTools())
    const scopeOfStep = { ...scope, active: () => stack }
    const permitted = await askWhileWaiting(scope, signal, () =>
      permitCall(scopeOfStep, provided, call, { signal, canWait: false }),
    )
    if (!permitted.ok) return refuseStep(call, stack, permitted)
    const start = (judged: ToolCall): unknown => context.runStep!(judged, { signal })
    const outcome = await runPermitted(scopeOfStep, provided, call, permitted, start, { signal })
    if (!outcome.ok) return failed(outcome)
    const { value } = outcome
    if (!hasFailed(value)) return { ok: true, value }
    return { ok: false, value, error: { message: 'The tool says that it failed.' } }
  }

  async function refuseStep(
    call: ToolCall,
    stack: readonly ActiveSkill[],
    refused: Refused,
    skill?: Skill,
  ): Promise<PlanStepOutcome> {
    await audit?.recordRefusal(call, stack, refused.refusal, { skill })
    return failed(refused)
  }

  /** A script of the skill whose plan it is, or of another one that is active. */
  async function runScript(
    call: ToolCall,
    { stack, signal }: Pick<PlanPosition, 'stack' | 'signal'>,
  ): Promise<PlanStepOutcome> {
    const scopeOfStep = { ...scope, active: () => stack }
    const permitted = await askWhileWaiting(scope, signal, () =>
      permitScript(scopeOfStep, call, { signal, canWait: false }),
    )
    const outcome = 'ok' in permitted ? permitted : await runSkillScript(scopeOfStep, permitted, signal)
    if (!outcome.ok) return refuseStep(call, stack, outcome)
    const { value } = outcome
    return hasFailed(value) ? { ok: false, value, error: { message: 'The script failed.' } } : { ok: true, value }
  }

  const top = first.active
  return execute(first, { stack: [...active, top], path: [top.name], count: { steps: 0 }, signal: until })
}

function failed({ refusal: { code, reason } }: Refused): PlanStepOutcome {
  return { ok: false, error: { code, message: reason } }
}

function tooLarge(why: string, path: readonly string[]): PlanStepOutcome {
  return failed(refuse.planTooLarge(why, path))
}
