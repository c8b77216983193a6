import type { Repertoire, Session } from '@repertoire/core'
import { askInTerminal, type AskInTerminalOptions } from '@repertoire/core/node'

/** Does a task. The person at the terminal answers each question. */
export function runAtTerminal<Result>(
  repertoire: Repertoire,
  task: (session: Session) => Promise<Result>,
  terminal?: AskInTerminalOptions,
): Promise<Result> {
  return repertoire.runTask({ consent: askInTerminal(terminal) }, task)
}
