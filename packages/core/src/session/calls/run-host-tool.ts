import type { ToolCall } from '@repertoire/gate/internal'
import { ABORTED, isThenable, waitFor } from '../../time-limit.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'

/** A call of a host's tool that is permitted, and the stack that it was judged by. */
interface PermittedCall {
  readonly call: ToolCall
  readonly active: readonly ActiveSkill[]
}

/**
 * Runs a tool of the host's until the signal aborts. A tool that ignores the signal goes on: what it ends with then is
 * dropped, and the audit records it as `tool.late`.
 * @throws the signal's reason, at once; what the tool throws
 */
export async function runHostTool(
  { audit }: Pick<SessionContext, 'audit'>,
  { call, active }: PermittedCall,
  execute: (call: ToolCall) => unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  signal?.throwIfAborted()
  const running = execute(call)
  if (signal === undefined || !isThenable(running)) return running
  const value = await waitFor(running, Infinity, signal)
  if (value !== ABORTED) return value
  const late = { type: 'tool.late', call, active } as const
  Promise.resolve(running).then(
    () => audit?.record({ ...late, outcome: 'succeeded' }),
    (error: unknown) => audit?.record({ ...late, outcome: 'failed', error }),
  )
  throw signal.reason
}
