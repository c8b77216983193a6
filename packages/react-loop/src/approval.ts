import { isSkillError, showName, type ToolCall } from '@repertoire/core'
import { type AdapterSession, UNATTENDED_REASON } from '@repertoire/core/adapter'
import { unlessAborted } from './abort.ts'
import type { LoopEvent } from './events.ts'

/** The decision on a call. Only `true`, or `approved: true`, approves it. `reason`: why not, in words for the model. */
export type Approval = boolean | { readonly approved: boolean; readonly reason?: string }

/**
 * Decides whether a call may run, for example by asking a person. It is called for one call at a time, and never while
 * the session asks for consent. If it throws, or takes longer than the session's `consent.timeout`, the call is denied.
 * @param call with the tool's real name and a copy of the authorised input
 */
export type ApprovalHandler = (
  call: ToolCall,
  options: { readonly signal?: AbortSignal },
) => Approval | Promise<Approval>

/** A host's approval of calls of its own tools, in addition to what skills allow. */
export interface ApprovalOptions {
  /**
   * Called only for calls of the host's tools that skills and policy allow, before they run. In the session's mode
   * `preapprove`, calls that the active skills list run without it. In a sub-agent nobody is asked: a call that needs
   * approval is denied there. Default: no call needs approval.
   */
  readonly approve?: ApprovalHandler | undefined
  /** Which calls need approval: every call unless this returns `false`. If it throws, the call fails. Default: all. */
  readonly needsApproval?: ((call: ToolCall) => boolean | Promise<boolean>) | undefined
}

/** What the approval of a call needs. */
export interface ApprovalContext extends ApprovalOptions {
  readonly session: AdapterSession
  /** Whether a person can be asked; false in a sub-agent. */
  readonly canAsk: boolean
  readonly signal: AbortSignal | undefined
  readonly emit: (event: LoopEvent) => void
}

/**
 * Obtains the approval of a call that the session allows.
 * @throws {Error} the call is not approved: the model is shown the message. Or the signal's reason
 */
export async function getApproval(context: ApprovalContext, judged: ToolCall): Promise<void> {
  const { approve, needsApproval, session, canAsk, signal } = context
  if (approve === undefined) return
  // Cloned, so that the handlers cannot change the call that runs.
  const needed: unknown = await unlessAborted(async () => needsApproval?.(structuredClone(judged)), signal)
  if (needed === false || (await session.inspect(judged)).preapproved) return
  if (!canAsk) throw notApproved(judged, UNATTENDED_REASON)
  const { approved, reason } = await ask(context, approve, structuredClone(judged))
  if (!approved) throw notApproved(judged, reason)
  // The task may have ended while the person decided.
  if (session.state.ended) throw notApproved(judged, 'the task has ended')
}

async function ask(
  { session, signal, emit }: ApprovalContext,
  approve: ApprovalHandler,
  call: ToolCall,
): Promise<{ readonly approved: boolean; readonly reason: string }> {
  try {
    const answer: unknown = await session.question(
      () => {
        emit({ type: 'approval-request', call })
        return approve(call, { signal })
      },
      { signal },
    )
    return readAnswer(answer)
  } catch (error) {
    signal?.throwIfAborted()
    return { approved: false, reason: reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const code = isSkillError(error) ? error.code : undefined
  if (code === 'SESSION_ENDED') return 'the task has ended'
  return code === 'TIMED_OUT' ? 'nobody answered in time' : 'consent could not be requested'
}

function readAnswer(answer: unknown): { readonly approved: boolean; readonly reason: string } {
  const fields = typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {}
  const { approved, reason } = fields
  return {
    approved: answer === true || approved === true,
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason : 'it was not approved',
  }
}

function notApproved({ tool }: ToolCall, why: string): Error {
  return new Error(`The call of "${showName(tool)}" was not run: ${why}. Go on without it.`)
}
