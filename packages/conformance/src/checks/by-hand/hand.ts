import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rm } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Conversation, Turn } from '../../driver.ts'
import { LATE, within } from '../../deadline.ts'
import { isPresentIn } from '../../driver.ts'
import type { CallStep } from '../../endpoint/script.ts'
import type { WireRequest } from '../../endpoint/wire.ts'
import { failure, textFailure } from '../../failure.ts'
import type { PlayWith } from '../../oracle/play.ts'
import type { CheckFacts, Exchange, Part } from '../../oracle/scenario.ts'
import { openStage, type Stage, STOPPED } from '../../oracle/stage.ts'
import { call } from '../../oracle/steps.ts'

/** A check of what two runs cannot show: what differs from framework to framework, or happens at the same time. */
export interface HandCheck extends CheckFacts, Part {
  /** Resolves if the adapter behaves; rejects with what was seen and what was expected. */
  readonly run: (hand: Hand) => Promise<void>
}

/** What a check by hand works with. */
export interface Hand {
  readonly conversation: Conversation
  /** What is noted, such as the tools that ran. */
  readonly seen: Stage['seen']
  /** Whether the session goes on after a run. */
  readonly continues: boolean
  /** The requests of the agent so far with their answers, oldest first. */
  readonly exchanges: () => readonly Exchange[]
  readonly requests: () => readonly WireRequest[]
  /** Sends a message or answers, with a signal that the setup can abort. Resolves with nothing where the run fails. */
  readonly run: (work: (signal: AbortSignal) => Promise<Turn>) => Promise<Turn | undefined>
  /** Resolves when every model call is left that a person has stopped. */
  readonly stopped: () => Promise<void>
  readonly reload: Stage['reload']
  /** Starts another conversation over the same repertoire, which plays the list `beside` of `forks`. */
  readonly beside: () => Promise<Conversation>
  /** Goes on in a fresh process. */
  readonly restart: () => Promise<Conversation>
}

/** How long the conversations of a check that is over may take to end, in milliseconds. */
const MAX_CLEANUP_MS = 5_000

/** Runs a check by hand. @throws {Error} what was expected, and what was seen */
export async function runByHand(check: HandCheck, { driver, variant, endpoint, deadline }: PlayWith): Promise<void> {
  const root = join(tmpdir(), `repertoire-check-${crypto.randomUUID()}`)
  let abort = new AbortController()
  const stop = (): void => abort.abort(new Error(STOPPED))
  const stage = openStage(check, { driver, variant, endpoint, root, stop })
  const conversations: Conversation[] = []
  const start = async (how?: Parameters<Stage['start']>[0]): Promise<Conversation> => {
    const conversation = await stage.start(how)
    conversations.push(conversation)
    return conversation
  }
  const exchanges: Hand['exchanges'] = () => stage.run().conversations[0]?.exchanges ?? []
  const work = async (): Promise<void> => {
    const conversation = await start()
    return check.run({
      conversation,
      seen: stage.seen,
      continues: isPresentIn(driver, variant, 'continuation'),
      exchanges,
      requests: () => exchanges().map(({ request }) => request),
      run(begin) {
        abort = new AbortController()
        return begin(abort.signal).catch(() => undefined)
      },
      stopped: () => stage.router.stopped(),
      reload: stage.reload,
      beside: () => start({ isBeside: true }),
      restart: async () => start({ saved: JSON.parse(JSON.stringify(await conversation.save())) as unknown }),
    })
  }
  const refused: string[] = []
  try {
    if ((await within(deadline, work())) === LATE)
      throw failure(`the check to be over within ${deadline} ms`, 'that it still runs')
  } finally {
    stop()
    const ends = conversations.map((each) => each.end().catch(() => undefined))
    await within(Math.min(deadline, MAX_CLEANUP_MS), Promise.all(ends))
    refused.push(...stage.close())
    await rm(root, { recursive: true, force: true })
  }
  same('the requests that are refused', refused, [])
}

/** The model hands the conversation over to another agent. */
export function handOver(agent: string): CallStep {
  return call(`hand over to ${agent}`)
}

/** Asserts that two values are deeply equal. */
export function same(what: string, seen: unknown, expected: unknown): void {
  if (isDeepStrictEqual(seen, expected)) return
  if (typeof seen === 'string' && typeof expected === 'string') throw textFailure(what, seen, expected)
  throw failure(`${what} to be ${JSON.stringify(expected)}`, seen)
}

/** Returns the text of a call's result if it is first shown; an empty text if it is not. */
export function resultOf(requests: readonly WireRequest[], callId: string): string {
  return requests.flatMap(({ messages }) => messages).find((message) => message.callId === callId)?.text ?? ''
}

/** The tools of the host that ran, each with its input. */
export function runsOf({ seen }: Hand): readonly string[] {
  return seen.toolRuns.map(({ tool, input }) => `${tool} ${Object.values(input ?? {}).join(' ')}`)
}
