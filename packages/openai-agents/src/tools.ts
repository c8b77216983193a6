import type { ToolCall } from '@repertoire/core'
import { CARRIER, failureText, readArguments, standsFor, UNATTENDED_REASON } from '@repertoire/core/adapter'
import { type FunctionTool, invokeFunctionTool, type RunContext, type Tool } from '@openai/agents'
import { type AnyAgent, beginStep, type Binding, type SkillStep } from './binding.ts'

type AnyTool = FunctionTool<any, any, any>
type Details = Parameters<AnyTool['invoke']>[2]

/** The host's tools behind the gate, and after them the skill tools that models have been shown. */
export function gatedTools(binding: Binding, agent: AnyAgent, tools: readonly Tool<any>[]): Tool<any>[] {
  const any = { type: 'object', properties: {}, required: [], additionalProperties: true }
  const carrier = { name: CARRIER, description: 'Never shown to models.', inputSchema: any }
  // A run that waited goes on with the tools that it had.
  const step = (): Promise<SkillStep> => binding.steps.get(agent) ?? beginStep(binding, agent, tools)
  const of: ToolParts = { binding, step, agent }
  return [
    ...tools.map((tool) => (tool.type === 'function' ? gated(of, tool) : tool)),
    ...[...binding.skillTools.values(), carrier].map((definition) => skillTool(of, definition)),
  ]
}

/** What the tools of an agent are made of. */
interface ToolParts {
  readonly binding: Binding
  readonly agent: AnyAgent
  /** Returns the step that the agent is in. */
  readonly step: () => Promise<SkillStep>
}

const never = async (): Promise<boolean> => false

/** Says what waits for a person: what the session asks about, and what it permits and the host asks about. */
function approvalOf(
  { binding, step }: ToolParts,
  name: string,
  ofHost: AnyTool['needsApproval'],
): AnyTool['needsApproval'] {
  return async (context, input, id = '') => {
    const call = { id, tool: name, input }
    const { waits, approvable } = binding.readied.get(id) ?? (await (await step()).preview(call, { asks: true }))
    // In as many steps for each call: those of one message are carried out in their order.
    return waits !== undefined || (approvable && !binding.unattended ? ofHost : never)(context, input as never, id)
  }
}

/** A host's tool, every run of which passes the session. */
function gated(of: ToolParts, tool: AnyTool): AnyTool {
  const { binding, agent, step } = of
  binding.gated.add(tool.name)
  // Waiting for a person takes none of the tool's time.
  const { timeoutMs: _, ...others } = tool

  async function execute({ input, ...call }: ToolCall, context: RunContext, details: Details): Promise<unknown> {
    if (binding.unattended && (await tool.needsApproval(context, input, call.id))) {
      const { preapproved } = await (await step()).preview({ ...call, input })
      if (!preapproved) throw new ShownError(`The call was not run: ${UNATTENDED_REASON}. Go on without it.`)
    }
    const value: unknown = await invokeFunctionTool({
      tool,
      runContext: context,
      input: JSON.stringify(input),
      ...(details && { details }),
    })
    const failure = FAILURES.get(details?.toolCall ?? {})
    if (failure !== undefined) throw failure
    return value
  }

  return {
    ...others,
    needsApproval: approvalOf(of, tool.name, tool.needsApproval),
    async invoke(context: RunContext, written: string, details?: Details) {
      const id = details?.toolCall?.callId ?? ''
      const options = { signal: details?.signal, fork: binding.fork(binding, agent, context.context) }
      try {
        const call = { id, tool: tool.name, input: readArguments(written) }
        const outcome = await (await step()).call(call, (judged) => execute(judged, context, details), options)
        if (!outcome.ok) binding.unfinished.add(id)
        return outcome.text ?? (outcome.ok ? outcome.value : null) ?? null
      } catch (error) {
        if (error instanceof ShownError) return error.message
        throw error
      } finally {
        binding.readied.delete(id)
      }
    },
  }
}

/** A failure whose message the model is shown. */
class ShownError extends Error {}

/** The failures that `errorFunction` has made results, by their calls. */
const FAILURES = new WeakMap<object, ShownError>()

/**
 * For the option `errorFunction` of `tool`: shows the model the error alone, and lets the audit record a failed call.
 * The SDK's own makes every error a result like others, before the session sees it.
 */
export function errorFunction(
  _context: unknown,
  error: unknown,
  details?: { readonly toolCall?: object | undefined },
): string {
  const text = failureText(error)
  if (details?.toolCall) FAILURES.set(details.toolCall, new ShownError(text, { cause: error }))
  return text
}

function skillTool(
  of: ToolParts,
  { name, inputSchema, ...tool }: { readonly name: string; readonly description: string; readonly inputSchema: object },
): AnyTool {
  const { binding, agent, step } = of
  return {
    ...tool,
    name,
    parameters: inputSchema as AnyTool['parameters'],
    type: 'function',
    strict: false,
    isEnabled: async () => true,
    needsApproval: approvalOf(of, name, never),
    async invoke({ context }: RunContext, written: string, details?: Details) {
      const id = details?.toolCall?.callId ?? ''
      const options = { signal: details?.signal, fork: binding.fork(binding, agent, context) }
      const call = { id, tool: name, input: readArguments(written) }
      const { meant, turn } = standsFor(call)
      binding.unfinished.add(id)
      binding.readied.delete(id)
      if (turn !== undefined)
        return (await binding.session.beginTurn(turn.message, { ...options, id: turn.id })).text ?? ''
      return (await (await step()).call(meant, () => undefined, options)).text ?? ''
    },
  }
}
