import { isGraphInterrupt } from '@langchain/langgraph'

/** Whether LangGraph says that something called `interrupt`: so that the graph waits, or so that it cannot. */
export function waitsForPerson(error: unknown): boolean {
  if (error === null) return false
  return isGraphInterrupt(error) || isWithoutCheckpointer(error)
}

/** Whether `interrupt` was called in a graph that cannot wait. LangChain wraps what a middleware throws, each time. */
export function isWithoutCheckpointer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return Reflect.get(error, 'lc_error_code') === 'MISSING_CHECKPOINTER' || isWithoutCheckpointer(error.cause)
}
