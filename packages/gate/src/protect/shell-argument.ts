import type { ToolArgument } from '../ports/tool.ts'
import type { ReadCall } from '../call.ts'

/** The argument with a call's command, if its tool runs commands, or may be one that does: a server's tool for one. */
export function shellArgument({ argument, maybe }: Pick<ReadCall, 'argument' | 'maybe'>): ToolArgument | undefined {
  if (argument !== undefined) return argument.kind === 'shell' ? argument : undefined
  return maybe.map((use) => use.argument).find((each) => each?.kind === 'shell')
}
