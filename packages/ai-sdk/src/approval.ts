import { clientConsentRequest, type ToolCall } from '@repertoire/core'
import { type AdapterSession, UNATTENDED_REASON } from '@repertoire/core/adapter'
import { asSchema, type ModelMessage, type ToolApprovalStatus, type ToolSet } from 'ai'
import { recordAnswers } from './answers.ts'
import type { Saves } from './saves.ts'
import type { Steps } from './steps.ts'
import { type HostTool, doNothing, type SkillTools } from './tools.ts'

/** What AI SDK passes when it asks whether a call may run. */
export interface ApprovalQuestion {
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

/** `ToolApprovalConfiguration` of any tools. */
export type HostApproval =
  | ((question: any) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>)
  | Readonly<
      Record<
        string,
        ToolApprovalStatus | ((input: any, options: any) => ToolApprovalStatus | PromiseLike<ToolApprovalStatus>)
      >
    >

/** What the decision about a call's approval needs. */
interface ApprovalParts {
  readonly session: AdapterSession
  readonly steps: Steps
  readonly skillTools: SkillTools
  /** The host's tools, unchanged. */
  readonly hostTools: ToolSet
  /** The same tools behind the gate. */
  readonly gatedTools: ToolSet
  readonly toolApproval: HostApproval | undefined
  /** Whether a person can approve calls of the host's tools. */
  readonly canApprove: boolean
  readonly saves: Pick<Saves, 'trySave'>
  /** The run's signal, if it is known. */
  readonly abortSignal?: AbortSignal | undefined
}

/** Whether a call needs approval: the session decides for an activation, the host's settings for a host's tool. */
export function approvalOf(parts: ApprovalParts): (question: ApprovalQuestion) => Promise<ToolApprovalStatus> {
  const { session, steps, skillTools, hostTools, gatedTools, canApprove, saves } = parts
  async function ofSession(call: ToolCall, messages: ModelMessage[]): Promise<ToolApprovalStatus> {
    // The answer is in the messages: the session uses it when the call runs, and does not ask again.
    if ((await recordAnswers(session, messages)).has(call.id)) {
      steps.leave(call.id, messages.at(-1)!)
      return undefined
    }
    const step = await steps.of(call.id)
    const { waits: request } = await step.preview(call, { signal: parts.abortSignal, asks: true })
    await saves.trySave()
    if (request === undefined) return undefined
    // It may be shown in a browser, which is not to know the folders of the server.
    return { type: 'user-approval', reason: clientConsentRequest(request).text }
  }

  async function statusOf(call: ToolCall, tool: HostTool, question: ApprovalQuestion): Promise<ToolApprovalStatus> {
    const status = await hostStatus(parts.toolApproval, tool, question)
    if (typeOf(status) !== 'user-approval') return status
    if ((await (await steps.of(call.id)).preview(call)).preapproved) return undefined
    return canApprove ? status : { type: 'denied', reason: UNATTENDED_REASON }
  }

  return async (question) => {
    const { toolCall, tools, messages } = question
    const { toolCallId: id, toolName, input } = toolCall
    const call = { id, tool: toolName, input }
    if (skillTools.names.has(toolName)) return ofSession(call, messages)
    const tool = ownProperty(hostTools, toolName)
    if (tool === undefined) {
      if (toolCall.providerExecuted === true) return undefined
      // In a stored conversation: the tool of a skill that is not listed, or no longer exists. AI SDK would leave the
      // call without a result; the session's refusal is the result.
      skillTools.add(toolName)
      return ofSession(call, messages)
    }
    const ofHost = await statusOf(call, tool, question)
    // What the host denies is not asked about; one question is the session's and the host's.
    const status = typeOf(ofHost) === 'denied' ? ofHost : ((await ofSession(call, messages)) ?? ofHost)
    if (toolCall.providerExecuted === true) return status
    // Not every tool runs through our `execute`: some run in the client, others in AI SDK itself.
    const gatedLater =
      ownProperty(tools, toolName)?.execute !== undefined &&
      ownProperty(tools, toolName)?.execute === ownProperty(gatedTools, toolName)?.execute
    if (gatedLater && typeOf(status) !== 'user-approval') return status
    const step = await steps.of(id)
    const { refusal: refused } = await step.preview(call)
    // A call that would be refused anyway needs no question.
    if (gatedLater) return refused === undefined ? status : undefined
    if (refused === undefined && typeOf(status) === 'user-approval') return status
    const outcome = await step.call(call, doNothing)
    return outcome.ok ? status : { type: 'denied', reason: outcome.text }
  }
}

// As AI SDK resolves the host's configuration.
async function hostStatus(
  config: HostApproval | undefined,
  tool: HostTool,
  question: ApprovalQuestion,
): Promise<ToolApprovalStatus> {
  if (typeof config === 'function') return config(question)
  const { toolCall, messages, runtimeContext } = question
  const { toolCallId, toolName, input } = toolCall
  const status = ownProperty(config, toolName)
  if (typeof status === 'function') {
    return status(input, { toolCallId, messages, runtimeContext, toolContext: await contextOf(tool, question) })
  }
  if (status !== undefined && status !== null) return status
  const { needsApproval } = tool
  if (typeof needsApproval !== 'function') return needsApproval === true ? 'user-approval' : undefined
  const options = { toolCallId, messages, context: await contextOf(tool, question) }
  // Version 6 has one context for all tools.
  const needed = await needsApproval(input, { ...options, experimental_context: runtimeContext } as typeof options)
  return needed ? 'user-approval' : undefined
}

async function contextOf(tool: HostTool, { toolCall, toolsContext }: ApprovalQuestion): Promise<unknown> {
  const context = ownProperty(toolsContext as Record<string, unknown> | undefined, toolCall.toolName)
  if (tool.contextSchema === undefined) return context
  const result = await asSchema<unknown>(tool.contextSchema).validate?.(context)
  if (result?.success === false) throw result.error
  return result === undefined ? context : result.value
}

function typeOf(status: ToolApprovalStatus): string | undefined {
  return typeof status === 'object' ? status.type : status
}

function ownProperty<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
}
