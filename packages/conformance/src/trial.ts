import type { EndedSkills } from './ended-skills.ts'
import type { ToolRun, Trial } from './check.ts'
import type { Conversation, Turn } from './driver.ts'
import type { Play } from './endpoint/play.ts'
import { failure, show } from './failure.ts'
import type { Operations } from './operations.ts'

/** So many answers in a row may lead to further requests. With more, a check that answers each would never end. */
const MAX_ASKING = 20

/** What a trial needs. */
export interface TrialParts {
  /** `trial 1`, as messages name it. */
  readonly name: string
  readonly conversation: Conversation
  readonly play: Play
  /** Further models, by the names that skills use. */
  readonly models: ReadonlyMap<string, Play>
  readonly runs: readonly ToolRun[]
  readonly operations: Operations
  /** Absent: the session goes on after a run. */
  readonly ends?: EndedSkills | undefined
  /** A handler in the session's options answers every request for consent. */
  readonly isHandled: boolean
  /** Throws when the check is over. */
  readonly guard: () => void
  /** Passed to `send` and `answer` together with the check's own signal, if the adapter can be aborted. */
  readonly stop?: AbortSignal | undefined
  /** Makes the repertoire scan its sources again. */
  readonly reload: () => Promise<unknown>
  /** Called with the result of `save`, as JSON. */
  readonly onSave: (json: string) => void
}

/** Wraps an adapter's conversation as a trial, and checks the shape of what it returns. */
export function createTrial({
  name,
  conversation,
  play,
  models,
  runs,
  operations,
  isHandled,
  guard,
  ends,
  stop,
  reload,
  onSave,
}: TrialParts): Trial {
  let ended: Promise<void> | undefined
  let asking = 0
  const run = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    operations.run(`${what} of ${name}`, async () => {
      guard()
      return work()
    })
  /** A run's options, with the check's own signal; undefined if there is no signal. */
  const optionsOf = (signal: AbortSignal | undefined) => {
    const signals = [signal, stop].filter((each) => each !== undefined)
    return signals.length === 0 ? undefined : { signal: signals.length === 1 ? signals[0]! : AbortSignal.any(signals) }
  }
  /** Checks a turn, since a driver may be written in JavaScript. */
  function turnOf(call: string, turn: Turn): Turn {
    if (turn?.status === 'done' && typeof turn.text === 'string') return turn
    if (turn?.status !== 'asking' || !Array.isArray(turn.requests))
      throw failure(`${call} to return { status: 'done', text } or { status: 'asking', requests }`, turn)
    if (isHandled) throw failure(`${call} to ask the handler in the options \`session\` of the task`, turn)
    return turn
  }

  return {
    send(text, { signal } = {}) {
      const options = optionsOf(signal)
      const call = `send(${show(text, 60)})`
      ends?.begin()
      return run(call, async () => turnOf(call, await conversation.send(text, options)))
    },
    answer(answers, { signal } = {}) {
      const options = optionsOf(signal)
      return run('answer', async () => {
        const turn = turnOf('answer', await conversation.answer(answers, options))
        asking = turn.status === 'asking' ? asking + 1 : 0
        if (asking < MAX_ASKING) return turn
        throw failure(`a turn to go on after ${MAX_ASKING} answers in a row`, turn)
      })
    },
    save: () =>
      run('save', async () => {
        const json: string | undefined = JSON.stringify(await conversation.save())
        if (json === undefined) throw failure('save to return a JSON value', 'undefined')
        onSave(json)
        return JSON.parse(json) as unknown
      }),
    forget: () =>
      run('forget', async () => {
        if (conversation.forget !== undefined) return conversation.forget()
        throw new TypeError('The conversation has no `forget`. Add it, or declare the capability `compaction` absent.')
      }),
    active: () =>
      run('active', async () => {
        const active = await conversation.active()
        // What is active although its session has ended is shown too.
        return ends === undefined || ended !== undefined ? active : [...ends.names(), ...active]
      }),
    reload: () => run('reload', async () => void (await reload())),
    end: () => (ended ??= operations.run(`end of ${name}`, async () => conversation.end())),
    model: play.model,
    requests: play.requests,
    answers: play.answers,
    requestsTo: (model) => models.get(model)?.requests ?? [],
    runs,
    resultOf: (callId) => resultOf(play, callId),
  }
}

/**
 * A result is sent again with every later request, and may be shortened there: what counts is how it was first shown.
 */
function resultOf({ requests }: Play, callId: string): string {
  let first: string | undefined
  for (const [index, { messages }] of requests.entries()) {
    const results = messages.filter((message) => message.role === 'tool' && message.callId === callId)
    if (results.length > 1) throw failure(`one result of ${callId} in request ${index + 1}`, results)
    first ??= results[0]?.text
  }
  if (first !== undefined) return first
  const shown = requests.flatMap(({ messages }) => messages.flatMap((message) => message.callId ?? []))
  throw failure(`a request that contains the result of ${callId}`, [...new Set(shown)])
}
