import type { Session, ToolCall } from '@repertoire/core'
import { UNATTENDED_REASON } from '@repertoire/core/adapter'
import { asSchema, type ModelMessage, type ToolApprovalStatus, type ToolSet } from 'ai'
import { recordAnswers, type Recorded } from './answers.ts'
import { type HostTool, nothing, type SkillTools } from './tools.ts'

/** What AI SDK tells about a call when it asks whether the call may run. */
interface ApprovalQuestion {
  readonly toolCall: {
    readonly toolCallId: string
    readonly toolName: string
    readonly input: unknown
    readonly providerExecuted?: boolean
  }
  readonly tools: ToolSet | undefined
  readonly toolsContext: unknown
  readonly runtimeContext: unknown
  readonly messages: ModelMessage[]
}

/** `ToolApprovalConfiguration` of whatever tools. */
export type HostApproval =
  | ((question: any) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>)
  | Readonly<
      Record<
        string,
        ToolApprovalStatus | ((input: any, options: any) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>)
      >
    >

/** What the decision over a call's approval is made of. */
interface ApprovalParts {
  readonly session: Session
  readonly skillTools: SkillTools
  /** The host's tools as the host gave them. */
  readonly hostTools: ToolSet
  /** The same tools behind the gate. */
  readonly gatedTools: ToolSet
  readonly toolApproval: HostApproval | undefined
  /** Whether there is somebody who can approve a call of a host's tool. */
  readonly attended: boolean
  readonly recorded: Recorded
}

/** Whether a call has to be approved: an activation by the session's question, a host's tool by what the host says. */
export function approvalOf(parts: ApprovalParts): (question: ApprovalQuestion) => Promise<ToolApprovalStatus> {
  const { session, skillTools, hostTools, gatedTools, attended, recorded } = parts

  async function ofSkillTool(call: ToolCall, messages: ModelMessage[]): Promise<ToolApprovalStatus> {
    // The answer is in the messages: the session judges by it when the call runs, and asks nothing anew.
    if ((await recordAnswers(session, messages, recorded)).has(call.id)) return undefined
    const request = await session.consentFor(call)
    return request === undefined ? undefined : { type: 'user-approval', reason: request.text }
  }

  async function statusOf(call: ToolCall, tool: HostTool, question: ApprovalQuestion): Promise<ToolApprovalStatus> {
    const status = await hostStatus(parts.toolApproval, tool, question)
    if (typeOf(status) !== 'user-approval') return status
    if (await session.isPreapproved(call)) return undefined
    return attended ? status : { type: 'denied', reason: UNATTENDED_REASON }
  }

  return async (question) => {
    const { toolCall, tools, messages } = question
    const { toolCallId: id, toolName, input } = toolCall
    const call = { id, tool: toolName, input }
    if (skillTools.names.has(toolName)) return ofSkillTool(call, messages)
    const tool = own(hostTools, toolName)
    if (tool === undefined) {
      if (toolCall.providerExecuted === true) return undefined
      // Of a conversation that was stored: the tool of a skill that is not listed, or is gone. AI SDK would leave the
      // call without a result; what is to be said of it is the session's to say.
      skillTools.add(toolName)
      return ofSkillTool(call, messages)
    }
    const status = await statusOf(call, tool, question)
    if (toolCall.providerExecuted === true) return status
    // Not every tool runs through our `execute`: some run in the client, some AI SDK runs in a way of its own.
    const gatedLater =
      own(tools, toolName)?.execute !== undefined &&
      own(tools, toolName)?.execute === own(gatedTools, toolName)?.execute
    if (gatedLater && typeOf(status) !== 'user-approval') return status
    const refused = await session.refusalOf(call)
    // Nobody is asked about a call that is refused whatever the answer.
    if (gatedLater) return refused === undefined ? status : undefined
    if (refused === undefined && typeOf(status) === 'user-approval') return status
    const outcome = await session.call(call, nothing)
    return outcome.ok ? status : { type: 'denied', reason: outcome.text }
  }
}

// As AI SDK resolves it where it is given the host's configuration itself.
async function hostStatus(
  config: HostApproval | undefined,
  tool: HostTool,
  question: ApprovalQuestion,
): Promise<ToolApprovalStatus> {
  if (typeof config === 'function') return config(question)
  const { toolCall, messages, runtimeContext } = question
  const { toolCallId, toolName, input } = toolCall
  const status = own(config, toolName)
  if (typeof status === 'function') {
    return status(input, { toolCallId, messages, runtimeContext, toolContext: await contextOf(tool, question) })
  }
  if (status !== undefined && status !== null) return status
  const { needsApproval } = tool
  if (typeof needsApproval !== 'function') return needsApproval === true ? 'user-approval' : undefined
  const needed = await needsApproval(input, { toolCallId, messages, context: await contextOf(tool, question) })
  return needed ? 'user-approval' : undefined
}

async function contextOf(tool: HostTool, { toolCall, toolsContext }: ApprovalQuestion): Promise<unknown> {
  const context = own(toolsContext as Record<string, unknown> | undefined, toolCall.toolName)
  if (tool.contextSchema === undefined) return context
  const result = await asSchema<unknown>(tool.contextSchema).validate?.(context)
  if (result?.success === false) throw result.error
  return result === undefined ? context : result.value
}

function typeOf(status: ToolApprovalStatus): string | undefined {
  return typeof status === 'object' ? status.type : status
}

function own<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
}
