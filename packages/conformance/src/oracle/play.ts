import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConsentAnswer, ConsentRequest } from '@repertoire/core'
import { LATE, within } from '../deadline.ts'
import { type AdapterDriver, type Conversation, isPresentIn, type Turn as End, type Variant } from '../driver.ts'
import type { ModelEndpoint } from '../endpoint/endpoint.ts'
import { reasonOf } from '../failure.ts'
import type { Run, Scenario, Turn } from './scenario.ts'
import { openStage, STOPPED } from './stage.ts'

/** So many questions in a row may follow on answers. */
const MAX_ASKING = 20

/** How long a client may take to leave an answer that is stopped, in milliseconds. */
const MAX_STOP_MS = 5_000

/** A session may take 50 ms to end with its run: in rounds, so that a process that is stopped meanwhile waits too. */
const SETTLE_ROUNDS = 10
const SETTLE_MS = 5

/** What a scenario is played with. */
export interface PlayWith {
  readonly driver: AdapterDriver
  readonly variant: Variant
  readonly endpoint: ModelEndpoint
  /** How long a turn may take, in milliseconds. */
  readonly deadline: number
}

/** Plays a scenario with an adapter, and returns what was seen: one turn after the other, and the end of the task. */
export async function playScenario(
  scenario: Scenario,
  { driver, variant, endpoint, deadline }: PlayWith,
): Promise<Run> {
  const root = join(tmpdir(), `repertoire-play-${crypto.randomUUID()}`)
  const can = (capability: 'abort' | 'resume'): boolean => isPresentIn(driver, variant, capability)
  let abort = new AbortController()
  const stop = (): void => abort.abort(new Error(STOPPED))
  const stage = openStage(scenario, { driver, variant, endpoint, root, stop })
  const { seen } = stage
  const failed: string[] = []
  let first: ConsentRequest | undefined
  let open: readonly ConsentRequest[] = []
  let conversation = await stage.start()

  const options = () => (can('abort') ? { signal: abort.signal } : {})

  /** The person's answers, of which the last question has the first: calls are carried out in their own order. */
  const answersTo = (requests: readonly ConsentRequest[]): readonly ConsentAnswer[] =>
    requests.toReversed().map((request) => {
      const answer = stage.setup().answers?.(request) ?? true
      return { requestId: request.id, ...(typeof answer === 'boolean' ? { approved: answer } : answer) }
    })

  /** Notes what a run has ended with; what it asks is answered unless it is to be left. */
  async function follow(turn: string, of: Conversation, running: Promise<End>, isLeft = false): Promise<void> {
    try {
      let end = await running
      for (let asked = 0; end.status === 'asking'; asked++) {
        end.requests.forEach(stage.ask)
        open = end.requests
        first ??= open[0]
        if (isLeft || asked === MAX_ASKING) break
        end = await of.answer(answersTo(open), options())
      }
      seen.ends.push({ turn, end: end.status === 'done' ? `done: ${end.text}` : `status: ${end.status}` })
    } catch (error) {
      const reason = reasonOf(error)
      const told = stage.router.errors.find((text) => reason.includes(text))
      const why = told ?? (stage.router.isBroken() ? 'the answer is broken off' : reason)
      seen.ends.push({ turn, end: abort.signal.aborted ? 'stopped' : `failed: ${why}` })
    }
  }

  function send(
    of: Conversation,
    text: string,
    { isLeft, answers }: { readonly isLeft?: boolean; readonly answers?: readonly ConsentAnswer[] } = {},
  ): Promise<void> {
    abort = new AbortController()
    seen.written.push(text)
    stage.beginRun()
    return follow(JSON.stringify(text), of, of.send(text, { ...options(), ...(answers && { answers }) }), isLeft)
  }

  async function take(turn: Turn): Promise<void> {
    if (typeof turn === 'string') return send(conversation, turn)
    if ('leave' in turn) return send(conversation, turn.leave, { isLeft: true })
    if ('instead' in turn) {
      const answers = turn.answered && { answers: answersTo(open.slice(0, 1)) }
      return send(conversation, turn.instead, answers)
    }
    if ('forget' in turn) return conversation.forget!()
    if ('reload' in turn) return stage.reload(turn.reload, true)
    if ('answer' in turn) {
      const isStale = turn.answer === 'stale'
      const answers = answersTo(open).map((answer) => (isStale ? { ...answer, requestId: first!.id } : answer))
      return follow('the answer', conversation, conversation.answer(answers, options()), isStale)
    }
    if ('beside' in turn) {
      const other = await stage.start({ isBeside: true })
      await send(other, turn.beside)
      return other.end()
    }
    if ('restart' in turn) {
      const saved: unknown = JSON.parse(JSON.stringify(await conversation.save()))
      conversation = await stage.start({ saved, changed: turn.restart })
      return
    }
    await conversation.end()
    conversation = await stage.start({ another: turn.another })
  }

  /** Takes the turns until one of them does not end, or cannot be taken at all. */
  async function takeAll(): Promise<void> {
    for (const [index, turn] of scenario.turns.entries()) {
      const label = typeof turn === 'string' ? JSON.stringify(turn) : `turn ${index + 1}`
      const taken = take(turn)
      taken.catch(() => {})
      if ((await within(deadline, taken)) === LATE) {
        seen.ends.push({ turn: label, end: `not within ${deadline} ms` })
        stop()
        stage.close()
        return
      }
      // A host may save whenever a conversation rests; what it saves later must be what is there then.
      if (can('resume')) await conversation.save().catch(() => undefined)
      // A session that ends with its run may still be ending where the run has failed.
      for (let round = 0; stage.endsWithRuns && round < SETTLE_ROUNDS; round++)
        await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      seen.active.push({ turn: label, skills: [...stage.endedSkills(), ...(await conversation.active())] })
    }
  }

  /** Ends the task, and notes what is left of it. */
  async function endTask(): Promise<void> {
    const left = await within(
      deadline,
      conversation.end().then(() => conversation.active()),
    )
    if ((await within(MAX_STOP_MS, stage.router.stopped())) === LATE) seen.left.push('a model call that is not stopped')
    if (left === LATE) seen.left.push('a task that does not end')
    else seen.left.push(...left.map((skill) => `the skill ${skill}, active`))
  }

  try {
    for (const part of [takeAll, endTask])
      await part().catch((error: unknown) => failed.push(`an error: ${reasonOf(error)}`))
    for (const repertoire of stage.repertoires) await within(deadline, repertoire.close())
    if (existsSync(join(root, 'private', 'the-task'))) seen.left.push('the private copies of skills')
    seen.left.push(...failed, ...stage.close())
    const run = withoutBodies(stage.run())
    if (stage.setup().mounts !== true) return run
    return JSON.parse(JSON.stringify(run).replaceAll(JSON.stringify(root).slice(1, -1), '/mounts')) as Run
  } finally {
    if (existsSync(root)) await rm(root, { recursive: true })
  }
}

/** What was sent is not kept: aspects do without it, and a reference is kept for all variants. */
function withoutBodies({ conversations, ...run }: Run): Run {
  const read = conversations.map(({ name, exchanges }) => ({
    name,
    exchanges: exchanges.map(({ request, ...exchange }) => ({ ...exchange, request: { ...request, raw: undefined } })),
  }))
  return { ...run, conversations: read }
}
