import { applyArguments } from '../../disclosure/arguments.ts'
import { isObject, type Manifest } from '@repertoire/skill-md/internal'
import { parametersFromText } from '../../execution/parameters/from-text.ts'
import {
  type Execution,
  type ExecutionFailure,
  type ExecutionRequest,
  type Executor,
  type PlanStepRunner,
  openExecutor as openAnyExecutor,
} from '../../execution/execute.ts'
import type { ConsentExecution } from '../../ports/consent.ts'
import type { RefusalCode } from '@repertoire/gate/internal'
import type { InspectedSkill } from '../inspect-skill.ts'
import { type Refused, refused } from '../refusal.ts'
import type { SessionContext } from '../context.ts'

/** What skills of a session are executed with. */
export type ExecutionContext = Pick<SessionContext, 'runStep' | 'scripts'>

/**
 * Whether a call of a skill executes it, and nothing of it is active afterwards. A plan that nothing here carries out is
 * for the model: it is activated as instructions are.
 */
export function isExecuted({ type }: Pick<Manifest, 'type'>, { runStep }: Pick<SessionContext, 'runStep'>): boolean {
  return type === 'script' || type === 'template' || (type === 'composite' && runStep !== undefined)
}

/** Creates what executes the skills of a session. */
export function openExecutor({ scripts }: ExecutionContext, runStep?: PlanStepRunner): Executor {
  return openAnyExecutor({ ...scripts, runStep })
}

/** Returns what a skill is executed with. */
export function executionRequest(inspected: InspectedSkill, args: string | undefined): ExecutionRequest {
  const { skill, manifest, body, definition } = inspected
  const { parameters } = manifest
  if (definition.type === 'instruction') {
    return { name: skill.name, definition: { type: 'instruction', content: applyArguments(body, args) } }
  }
  return { name: skill.name, definition, parameters, input: parametersFromText(parameters, args ?? '') }
}

/** Returns what a call of a skill does at once, for the request for consent; undefined where it is activated. */
export function consentExecution(
  context: ExecutionContext,
  { manifest, definition }: Pick<InspectedSkill, 'manifest' | 'definition'>,
): ConsentExecution | undefined {
  if (!isExecuted(manifest, context)) return undefined
  if (definition.type === 'script') {
    const { type, language } = definition
    return { type, ...(language !== undefined && { language }) }
  }
  if (definition.type !== 'composite') return { type: 'template' }
  return { type: 'composite', tools: [...new Set(definition.steps.map(({ tool }) => tool))] }
}

/** Refuses what would not be executed, before anybody is asked about it. Returns undefined where nothing is known to be wrong. */
export async function executionRefusal(
  context: ExecutionContext,
  inspected: InspectedSkill,
  args: string | undefined,
): Promise<Refused | undefined> {
  if (inspected.definition.type === 'instruction') return undefined
  const failure = await openExecutor(context).check(executionRequest(inspected, args))
  return failure && executionFailed(failure, inspected)
}

const CODES = { DEFINITION_INVALID: 'SKILL_BROKEN' } as const satisfies Partial<
  Record<ExecutionFailure['code'], RefusalCode>
>

/** Returns a failure as the model is told it, with the parameters that the skill takes where those given do not fit. */
export function executionFailed(
  { code, reason }: Pick<ExecutionFailure, 'code' | 'reason'>,
  { manifest: { parameters } }: Pick<InspectedSkill, 'manifest'>,
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
  return refused({ code: code === 'DEFINITION_INVALID' ? CODES[code] : code, reason: reason + hint })
}

/** Whether what was executed reports a failure. */
export function hasExecutionFailed(execution: Execution): boolean {
  if (execution.type === 'composite') return execution.run?.ok === false
  return execution.type === 'script' && !(execution.result.end === 'exited' && execution.result.exitCode === 0)
}
