import type { Session, ToolCall } from '@repertoire/core'
import { UNATTENDED_REASON } from '@repertoire/core/adapter'
import { unlessAborted } from './abort.ts'
import type { LoopEvent } from './events.ts'

/** What is said of a call. Only `true`, or `approved: true`, is a yes. `reason`: why not, in words for the model. */
export type Approval = boolean | { readonly approved: boolean; readonly reason?: string }

/**
 * Says whether a call may run: asks a person, or decides. The calls of one message are asked about side by side. A throw
 * is a no.
 * @param call under the tool's real name, with a copy of the input that was judged
 */
export type ApprovalHandler = (
  call: ToolCall,
  options: { readonly signal?: AbortSignal },
) => Approval | Promise<Approval>

/** A host's own approval of the calls of its own tools, beside what skills allow. */
export interface ApprovalOptions {
  /**
   * Is asked about a call of a host's tool that skills and policy allow, before it runs, and never about another. In the
   * session's mode `preapprove`, what the active skills list runs without it. In a sub-agent nobody is asked: a call
   * that needs approval is denied there. Default: no call needs approval.
   */
  readonly approve?: ApprovalHandler | undefined
  /** Which calls need it: all for which this does not say `false`. A throw is the call's failure. Default: all. */
  readonly needsApproval?: ((call: ToolCall) => boolean | Promise<boolean>) | undefined
}

/** What the approval of a call works on. */
export interface ApprovalContext extends ApprovalOptions {
  readonly session: Session
  /** Whether somebody is there to be asked: not in a sub-agent. */
  readonly attended: boolean
  readonly signal: AbortSignal | undefined
  readonly emit: (event: LoopEvent) => void
}

/**
 * Gets the approval of a call that the session allows.
 * @throws {Error} it is not given: its message is what the model is shown. Or the signal's reason
 */
export async function getApproval(context: ApprovalContext, judged: ToolCall): Promise<void> {
  const { approve, needsApproval, session, attended, signal } = context
  if (approve === undefined) return
  // What is asked about is what runs, whatever is done with what is given away here.
  const needed: unknown = await unlessAborted(async () => needsApproval?.(structuredClone(judged)), signal)
  if (needed === false || (await session.isPreapproved(judged))) return
  if (!attended) throw notApproved(judged, UNATTENDED_REASON)
  const { approved, reason } = await ask(context, approve, structuredClone(judged))
  if (!approved) throw notApproved(judged, reason)
  // An answer takes its time.
  if (session.state.ended) throw notApproved(judged, 'the task has ended')
}

async function ask(
  { signal, emit }: ApprovalContext,
  approve: ApprovalHandler,
  call: ToolCall,
): Promise<{ readonly approved: boolean; readonly reason: string }> {
  emit({ type: 'approval-request', call })
  try {
    const answer: unknown = await unlessAborted(
      async () => approve(call, { ...(signal !== undefined && { signal }) }),
      signal,
    )
    return readAnswer(answer)
  } catch {
    signal?.throwIfAborted()
    return { approved: false, reason: 'the question could not be asked' }
  }
}

function readAnswer(answer: unknown): { readonly approved: boolean; readonly reason: string } {
  const given = typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : {}
  const { approved, reason } = given
  return {
    approved: answer === true || approved === true,
    reason: typeof reason === 'string' && reason.trim() !== '' ? reason : 'it was not approved',
  }
}

function notApproved({ tool }: ToolCall, why: string): Error {
  return new Error(`The call of ${JSON.stringify(tool)} was not run: ${why}. Go on without it.`)
}
