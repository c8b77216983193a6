import { isInvocationId } from './stand-in.ts'

/**
 * Returns a function that gives each call of a message its own id: the model's, unless it is empty or was used
 * before. Some servers number the calls of every message anew, and weak models repeat an id in one message; what is
 * judged or agreed to for a call is kept by its id, and must never hold for another one. An id of a call that stands
 * for a person's `/name` is not a model's to give.
 * @param used the ids of the conversation's earlier calls
 * @returns call it once for each call, in the order of the model
 */
export function uniqueCallIds(used: Iterable<string> = []): (written: string | undefined) => string {
  const taken = new Set(used)
  return (written) => {
    const isUsable = written !== undefined && written !== '' && !taken.has(written) && !isInvocationId(written)
    const id = isUsable ? written : `call_${crypto.randomUUID()}`
    taken.add(id)
    return id
  }
}
