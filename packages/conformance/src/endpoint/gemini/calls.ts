import { isDeepStrictEqual } from 'node:util'
import { callInput } from '../call-input.ts'
import type { SentMessage } from '../dialect.ts'
import type { Fields } from '../fields.ts'
import type { ModelFile } from '../files.ts'
import type { WireCall } from '../wire.ts'

/** A content whose parts have been read. */
export interface Content {
  readonly at: string
  readonly role: 'user' | 'model'
  readonly text: string
  /** What the signatures of its parts hold; empty without any. */
  readonly reasoning: string
  readonly files: readonly ModelFile[]
  readonly calls: readonly Call[]
  readonly results: readonly Result[]
}

/** A function call of the model, as the client sends it back. */
export interface Call {
  /** Absent: the client keeps no ids. */
  readonly id: string | undefined
  readonly tool: string
  readonly args: Fields
  /** Whether it carries a thought signature. */
  readonly signed: boolean
}

/** A function response. */
export interface Result {
  readonly at: string
  readonly id: string | undefined
  readonly tool: string
  readonly text: string
}

/** The result of pairing one content: the model's calls with their ids, or the ids that its results answer. */
export interface Paired {
  readonly calls?: readonly WireCall[]
  readonly ids?: readonly string[]
}

/**
 * Checks the order of contents, and finds for every call its id and for every result its call. Consecutive contents of
 * one role are allowed, but the results of one turn stand together in one content.
 * Gemini API, errors "Please ensure that function call turn comes immediately after a user turn or after a function
 * response turn", "… that function response turn comes immediately after a function call turn", "… that the number of
 * function response parts is equal to the number of function call parts of the function call turn".
 *
 * @returns by the index of the content
 * @throws {TypeError} naming the content
 */
export function pairCalls(contents: readonly Content[], sent: readonly SentMessage[]): ReadonlyMap<number, Paired> {
  const scripted = scriptedIds(contents, sent)
  const paired = new Map<number, Paired>()
  let open: readonly WireCall[] = []
  for (const [index, { at, role, calls, results }] of contents.entries()) {
    if (open.length > 0 || results.length > 0) {
      if (open.length === 0) throw new TypeError(`${at} has a functionResponse, and no functionCall comes before it.`)
      if (results.length !== open.length) {
        throw new TypeError(
          `${at} has ${results.length} of the ${open.length} functionResponses that the functionCalls before it need. ` +
            'They stand in one content, directly behind the calls.',
        )
      }
      const strict = contents[index - 1]?.calls.some(({ id }) => id !== undefined) === true
      paired.set(index, { ids: callIdsOf(results, open, strict) })
    }
    if (calls.length > 0 && contents[index - 1]?.role !== 'user') {
      throw new TypeError(`${at} has a functionCall, and comes neither behind the user nor behind functionResponses.`)
    }
    open = calls.map(({ id, tool, args }, n) => ({
      id: id ?? scripted.get(index)?.[n] ?? `unknown_${index + 1}_${n + 1}`,
      tool,
      arguments: JSON.stringify(args),
    }))
    if (role === 'model') paired.set(index, { calls: open })
  }
  if (open.length > 0)
    throw new TypeError(`The contents end with ${open.length} functionCalls and no functionResponse.`)
  return paired
}

/**
 * Returns the id of the call of each result: matched by id where the client keeps ids, otherwise by name and order.
 * @param strict the client gave ids with the calls, so that an id beside a result must be one of them
 */
function callIdsOf(results: readonly Result[], open: readonly WireCall[], strict: boolean): string[] {
  const waiting = [...open]
  return results.map(({ at, id, tool }) => {
    const byId = id === undefined ? -1 : waiting.findIndex((call) => call.id === id)
    const byName = strict && id !== undefined ? -1 : waiting.findIndex((call) => call.tool === tool)
    const found = byId === -1 ? byName : byId
    const [call] = found === -1 ? [] : waiting.splice(found, 1)
    if (call?.tool === tool) return call.id
    throw new TypeError(`${at} is of "${tool}"${id === undefined ? '' : ` ("${id}")`}, which is not called before it.`)
  })
}

/**
 * Finds the ids of calls that the client sent back without ids: its contents of the role `model` are matched with the
 * messages that the model sent, from the end, since a conversation may have lost its beginning. Calls that a client has
 * repaired match by their names.
 */
function scriptedIds(
  contents: readonly Content[],
  sent: readonly SentMessage[],
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>()
  let rest = sent.map(({ scripted }) => scripted.calls).filter((calls) => calls.length > 0)
  for (const [index, { calls }] of [...contents.entries()].toReversed()) {
    if (calls.length === 0) continue
    const hasSameTools = (said: readonly WireCall[]): boolean =>
      said.length === calls.length && said.every(({ tool }, n) => tool === calls[n]?.tool)
    const hasSameCalls = (said: readonly WireCall[]): boolean =>
      hasSameTools(said) && said.every((call, n) => isDeepStrictEqual(callInput(call.arguments), calls[n]?.args))
    const last = rest.findLastIndex(hasSameCalls)
    const at = last === -1 ? rest.findLastIndex(hasSameTools) : last
    if (at === -1) continue
    found.set(
      index,
      rest[at]!.map(({ id }) => id),
    )
    rest = rest.slice(0, at)
  }
  return found
}
