import { readArguments } from '@repertoire/core/adapter'
import type { ToolCallRepairFunction, ToolSet } from 'ai'
import { RefusedCallError } from './refused-call.ts'
import type { Steps } from './steps.ts'
import { doNothing, type SkillTools } from './tools.ts'

type Call = Parameters<ToolCallRepairFunction<ToolSet>>[0]['toolCall']

/**
 * Handles the calls that AI SDK cannot match with a tool: a name in another case, an unknown name, arguments that are
 * not JSON. They pass the session like any other call, which refuses them with core's messages.
 */
export function repairOf(
  steps: Steps,
  skillTools: SkillTools,
  repairToolCall: ToolCallRepairFunction<ToolSet> | undefined,
): ToolCallRepairFunction<ToolSet> {
  return async (options) => {
    const { toolCallId: id, toolName, input: written } = options.toolCall
    const step = await steps.of(id)
    const tool = step.toolName(toolName) ?? toolName
    const offered = Object.hasOwn(options.tools, tool)
    const input = readArguments(written)
    // The model calls a skill that did not fit into the list.
    if (!offered && skillTools.owns(tool) && !skillTools.names.has(tool) && typeof input === 'object') {
      skillTools.add(tool, options.tools)
      return { ...options.toolCall, toolName: tool }
    }
    // An input that is not an object would only come back here.
    if (tool !== toolName && offered && typeof input === 'object') return { ...options.toolCall, toolName: tool }
    const repaired = await repairToolCall?.(options)
    if (repaired !== undefined && repaired !== null) return repaired
    const isSkillTool = skillTools.names.has(tool)
    // A skill tool that the host has removed from this step is not called here either.
    if (isSkillTool && !offered) return null
    const outcome = await step.call({ id, tool, input }, doNothing)
    return outcome.ok ? null : refusedAs(options.toolCall, new RefusedCallError(outcome))
  }
}

/**
 * AI SDK marks a call that it cannot read as invalid, and shows the model the error. Replacing that error is the only
 * way to choose its text: a repair that throws is reported as a failed repair.
 */
function refusedAs(call: Call, refusal: RefusedCallError): Call {
  return {
    ...call,
    get toolName(): string {
      throw refusal
    },
  }
}
