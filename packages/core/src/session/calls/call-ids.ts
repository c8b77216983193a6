/**
 * Returns a function that gives each call of a message an id of its own: the model's, unless it is empty or was used
 * before. Some servers number the calls of every message anew, and weak models repeat an id in one message; what is
 * judged or agreed to for a call is kept by its id, and must never hold for another one.
 * @param used the ids of the conversation's earlier calls
 * @returns call it once for each call, in the order of the model
 */
export function uniqueCallIds(used: Iterable<string> = []): (written: string | undefined) => string {
  const taken = new Set(used)
  return (written) => {
    const id = written === undefined || written === '' || taken.has(written) ? `call_${crypto.randomUUID()}` : written
    taken.add(id)
    return id
  }
}
