import { isSkillError, showName, type ToolCall } from '@repertoire/core'
import { type StepCalls, UNATTENDED_REASON } from '@repertoire/core/adapter'
import { unlessAborted } from './abort.ts'
import type { ApprovalHandler, RunContext } from './options.ts'

/**
 * Obtains the approval of a call that the session allows.
 * @throws {Error} the call is not approved: the model is shown the message. Or the signal's reason
 */
export async function getApproval(context: RunContext, step: StepCalls, judged: ToolCall): Promise<void> {
  const { approve, needsApproval, session, canAsk, signal } = context
  if (approve === undefined) return
  // Cloned, so that the handlers cannot change the call that runs.
  const needed: unknown = await unlessAborted(async () => needsApproval?.(structuredClone(judged)), signal)
  if (needed === false || (await step.preview(judged)).preapproved) return
  if (!canAsk) throw notApproved(judged, UNATTENDED_REASON)
  const { approved, reason } = await ask(context, approve, structuredClone(judged))
  if (!approved) throw notApproved(judged, reason)
  // The task may have ended while the person decided.
  if (session.state.ended) throw notApproved(judged, 'the task has ended')
}

async function ask(
  { session, signal, emit }: RunContext,
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
