import type { FunctionTool, Session } from '@repertoire/core'
import { type ApprovalHandler, createReActLoop, type Model, type ReActLoop } from '@repertoire/react-loop'

export function loopThatAsks(
  model: Model,
  session: Session,
  tools: readonly FunctionTool[],
  approve: ApprovalHandler,
): ReActLoop {
  return createReActLoop({
    model,
    session,
    tools,
    needsApproval: ({ tool }) => tool !== 'Now',
    approve, // (call, { signal }) => …; the calls of one message are asked about at once
  })
}
