import { isGraphInterrupt } from '@langchain/langgraph'

/** Whether LangGraph threw because of a call of `interrupt`, in a graph that can wait or in one that cannot. */
export function waitsForPerson(error: unknown): boolean {
  if (error === null) return false
  return isGraphInterrupt(error) || isWithoutCheckpointer(error)
}

/** Whether `interrupt` was called in a graph that cannot wait. Each middleware wraps the error once more. */
export function isWithoutCheckpointer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return Reflect.get(error, 'lc_error_code') === 'MISSING_CHECKPOINTER' || isWithoutCheckpointer(error.cause)
}
