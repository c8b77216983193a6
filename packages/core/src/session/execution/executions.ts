import type { CatalogView } from '../../catalog/view.ts'
import { hasFailed } from '../../audit/tool-result.ts'
import type { StepOutcome } from '../../execution/composite/run.ts'
import type { PlanStep } from '../../execution/composite/plan.ts'
import type { ExecutionOutcome } from '../../execution/execute.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { quoteName } from '../../text/quote.ts'
import { type PostHookContext, runPostHooks } from '../activation/hooks.ts'
import { type PreparationContext, type PreparedActivation, prepareActivation } from '../activation/prepare.ts'
import { gateCall } from '../calls/gate-call.ts'
import { type Refused, refused } from '../calls/refusal.ts'
import type { SessionContext } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import type { ActiveSkill } from '../state/state.ts'
import {
  type ExecutionContext,
  executionFailed,
  executionRequest,
  hasExecutionFailed,
  openExecutor,
} from './request.ts'
import { executionText } from './result-text.ts'
import { broughtTools } from '../toolsets/brought-tools.ts'
import { runBroughtTool } from '../toolsets/run-tool.ts'
import { skillOfStep } from './skill-of-step.ts'

/** A prepared skill that is to be executed. */
export interface RequestedExecution {
  readonly prepared: PreparedActivation
  /** The stack of the step that requests it. */
  readonly active: readonly ActiveSkill[]
}

/** What a session's executions work with. */
export interface ExecutionsContext {
  readonly context: PreparationContext['context'] &
    PostHookContext['context'] &
    ExecutionContext &
    Pick<SessionContext, 'cwd' | 'toolNames'>
  readonly state: PreparationContext['state']
  readonly view: CatalogView
  readonly hostTools: () => readonly string[] | undefined
  readonly lifetime: Pick<Lifetime, 'endSignal' | 'runExclusive'>
}

/** The executions of a session. */
export interface Executions {
  /**
   * Executes a skill. Other calls go on beside it. Returns undefined where the session ended first.
   * @throws the signal's reason
   */
  run(execution: RequestedExecution, signal: AbortSignal | undefined): Promise<Outcome | undefined>
  /** Waits until nothing is executed any more. */
  settled(): Promise<void>
}

/** How deep composite skills nest: one that calls one, and so on. */
const MAX_PLAN_DEPTH = 8

/** Steps that one call carries out, in all composite skills together. */
const MAX_ALL_STEPS = 1_000

/** Where in a plan an execution is. */
interface Place {
  /** The stack that it is judged by, itself included. */
  readonly stack: readonly ActiveSkill[]
  /** The composite skills that it is in, itself included. */
  readonly path: readonly string[]
  /** Counted over the whole call. */
  readonly count: { steps: number }
  readonly signal: AbortSignal
}

/** Creates the executions of one session. */
export function createExecutions({ context, state, view, hostTools, lifetime }: ExecutionsContext): Executions {
  const { audit } = context
  const running = new Set<Promise<unknown>>()

  /** Executes what was prepared, between its two events, and runs its hooks after it whatever becomes of it. */
  async function execute(prepared: PreparedActivation, place: Place): Promise<Outcome> {
    const { call, active: skill, inspected, args } = prepared
    const run = async (): Promise<Outcome> => {
      const executor = await openExecutor(context, (step, { signal }) => runStep(prepared, step, { ...place, signal }))
      const request = { ...executionRequest(inspected, args), signal: place.signal }
      return outcomeOf(await executor.execute(request), prepared)
    }
    try {
      const event = { type: 'execution', call, active: place.stack.slice(0, -1), skill } as const
      return await (audit?.run(event, run, { signal: place.signal }) ?? run())
    } finally {
      await runPostHooks({ context, state }, skill)
    }
  }

  async function runStep(prepared: PreparedActivation, step: PlanStep, place: Place): Promise<StepOutcome> {
    if (++place.count.steps > MAX_ALL_STEPS)
      return tooLarge(`it would take more than ${MAX_ALL_STEPS} steps`, place.path)
    const call: ToolCall = { id: `${prepared.call.id}/${step.step}`, tool: step.tool, input: step.parameters }
    const child = skillOfStep(call, { view, toolNames: context.toolNames, hostTools: hostTools() })
    if (child !== undefined) return 'ok' in child ? failed(child) : runChild(call, child, place)
    return runTool(call, place)
  }

  /** A child skill is asked about like any other, and its rights are what it and all above it permit. */
  async function runChild(
    call: ToolCall,
    requested: Parameters<typeof prepareActivation>[2],
    { stack, path, count, signal }: Place,
  ): Promise<StepOutcome> {
    const { name } = requested.skill
    const childPath = [...path, name]
    if (path.includes(name)) {
      const reason = `The skill ${quoteName(name)} was not executed: it would run itself (${shownPath(childPath)}).`
      return failed(refused({ code: 'PLAN_CYCLE', reason }))
    }
    if (childPath.length > MAX_PLAN_DEPTH) return tooLarge(`skills nest at most ${MAX_PLAN_DEPTH} deep`, childPath)
    const preparation = { context, state, active: () => stack, hostTools }
    const prepared = await lifetime.runExclusive(
      () => prepareActivation(preparation, call, requested, { by: 'model', canFork: false }, signal),
      signal,
    )
    if ('ok' in prepared) {
      await audit?.recordRefusal(call, stack, prepared.refusal, { skill: requested.skill })
      return failed(prepared)
    }
    const outcome = await execute(prepared, { stack: [...stack, prepared.active], path: childPath, count, signal })
    if (!outcome.ok) return failed(outcome)
    // Its results say what its plan was.
    const { failed: hasChildFailed, plan: _plan, ...value } = outcome.value as { failed?: boolean; plan?: unknown }
    if (hasChildFailed !== true) return { ok: true, value }
    return { ok: false, value, error: { message: `The skill ${quoteName(name)} failed.` } }
  }

  async function runTool(call: ToolCall, { stack, signal }: Place): Promise<StepOutcome> {
    const brought = broughtTools(context, stack, hostTools())
    const permitted = await gateCall(context, stack, brought.names, call)
    if (!permitted.ok) {
      await audit?.recordRefusal(call, stack, permitted.refusal)
      return failed(permitted)
    }
    if (permitted.advised !== undefined) await audit?.recordRefusal(call, stack, permitted.advised, { enforced: false })
    const run = async (): Promise<Outcome> => {
      signal.throwIfAborted()
      const tool = brought.tools.get(permitted.value.tool)
      if (tool !== undefined) return runBroughtTool(tool, permitted.value, signal)
      return { ok: true, value: await context.runStep!(permitted.value, { signal }) }
    }
    const outcome = await (audit?.run({ type: 'tool', call: permitted.value, active: stack }, run, { signal }) ?? run())
    if (!outcome.ok) return failed(outcome)
    const { value } = outcome
    if (!hasFailed(value)) return { ok: true, value }
    return { ok: false, value, error: { message: 'The tool says that it failed.' } }
  }

  return {
    async run({ prepared, active }, signal) {
      const { endSignal } = lifetime
      const until = signal === undefined ? endSignal : AbortSignal.any([signal, endSignal])
      const place: Place = {
        stack: [...active, prepared.active],
        path: [prepared.active.name],
        count: { steps: 0 },
        signal: until,
      }
      const execution = execute(prepared, place)
      running.add(execution)
      try {
        return await execution
      } catch (error) {
        signal?.throwIfAborted()
        if (endSignal.aborted) return undefined
        throw error
      } finally {
        running.delete(execution)
      }
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

function outcomeOf(outcome: ExecutionOutcome, { inspected }: PreparedActivation): Outcome {
  if (!outcome.ok) return executionFailed(outcome, inspected)
  const { value } = outcome
  const failure = hasExecutionFailed(value) && { failed: true }
  return { ok: true, value: { ...value, ...failure }, text: executionText(value, { timeoutMs: 60_000 }) }
}

function failed({ refusal: { code, reason } }: Refused): StepOutcome {
  return { ok: false, error: { code, message: reason } }
}

function tooLarge(why: string, path: readonly string[]): StepOutcome {
  return failed(refused({ code: 'PLAN_TOO_LARGE', reason: `This step was not begun: ${why} (${shownPath(path)}).` }))
}

function shownPath(path: readonly string[]): string {
  return path.map(quoteName).join(' → ')
}
