import { randomBytes } from 'node:crypto'
import type { FunctionTool } from '@repertoire/core'
import type { ToolRun } from '../check.ts'
import { LATE, within } from '../deadline.ts'
import type { ModelEndpoint } from '../endpoint/endpoint.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import { failure, reasonOf } from '../failure.ts'
import { recordRuns } from '../tools.ts'
import type { Host, HostDriver } from './driver.ts'
import { createModel, type Making } from './model.ts'
import { listed, type Move } from './moves.ts'
import { shownTexts } from './text.ts'
import { type HostSkills, makeWorkspace, type Workspace } from './workspace.ts'

/** What a check of a host uses. */
export interface HostBench {
  readonly driver: HostDriver
  /** Returns a word that occurs nowhere else, so that no host can know it beforehand. */
  word(): string
  /** Makes a working folder with skills. */
  workspace(skills: HostSkills): Promise<Workspace>
  /** Starts a conversation over skills, in its own working folder or in a given one. */
  start(skills: HostSkills | Workspace, options?: ConversationOptions): Promise<HostTrial>
}

/** How a conversation is started. */
export interface ConversationOptions {
  /** The tools of the host. Default: one tool, `lookup`. */
  readonly tools?: readonly FunctionTool[] | undefined
  readonly instructions?: string | undefined
  /** What a person answers to every question. Default true. */
  readonly consent?: boolean | undefined
}

/** One conversation with the host under test. */
export interface HostTrial {
  /** The requests of the conversation so far, oldest first. */
  readonly requests: readonly WireRequest[]
  /** The host's tools that really ran, in starting order. */
  readonly runs: readonly ToolRun[]
  /** What the host asked a person, in its order. */
  readonly questions: readonly unknown[]
  /** What the endpoint refused, since the vendor would refuse it. */
  readonly refused: readonly string[]
  /** Sends a message, lets the model make its moves, and returns what came of each. Throws if one could not be made. */
  send(...moves: readonly Move[]): Promise<readonly Outcome[]>
  /** Does the same, but a move that cannot be made and a host that gives up are results. */
  attempt(...moves: readonly Move[]): Promise<readonly (Outcome | undefined)[]>
  /** Returns what the model is shown of the skills: in the first request, or as the result of the tool that lists. */
  list(): Promise<readonly string[]>
}

/** What the model was shown after a move. */
export interface Outcome {
  /** Everything that the next request shows, as single texts. */
  readonly texts: readonly string[]
  /** The paragraphs of these texts that the request before did not have. */
  readonly fresh: readonly string[]
  /** The results of the move's calls. */
  readonly results: readonly string[]
}

/** Thrown by a check that has nothing to judge in this host. */
export class NotApplicable extends Error {}

export const INSTRUCTIONS = 'You are a careful assistant.'

/** Returns the tool that every conversation has, unless it says otherwise. */
export function lookupTool(answer = 'Nothing was found.'): FunctionTool {
  return {
    name: 'lookup',
    description: 'Looks an order up.',
    inputSchema: {
      type: 'object',
      properties: { order: { type: 'string', description: 'The number of the order.' } },
      required: ['order'],
      additionalProperties: false,
    },
    execute: () => answer,
  }
}

/** Opens the bench of one check. Every await on the host ends after `deadline` milliseconds. */
export function openHostBench(driver: HostDriver, endpoint: ModelEndpoint, deadline: number) {
  const workspaces: Workspace[] = []
  const ends: (() => Promise<void>)[] = []
  const remarks: (readonly string[])[] = []
  const place = driver.place ?? 'skills'

  const workspace = async (skills: HostSkills): Promise<Workspace> => {
    const made = await makeWorkspace(place, skills)
    workspaces.push(made)
    return made
  }

  const wait = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const running = (async () => work())()
    running.catch(() => {})
    const ended = await within(deadline, running).catch((cause: unknown) => {
      throw new Error(`${what} failed`, { cause })
    })
    if (ended !== LATE) return ended
    throw new Error(`${what} did not end within ${deadline / 1000} s.`)
  }

  const start: HostBench['start'] = async (skills, options = {}) => {
    const given = isWorkspace(skills) ? skills : await workspace(skills)
    const { tools = [lookupTool()], instructions = INSTRUCTIONS, consent = true } = options
    const model = createModel(driver, given.folder)
    const play = endpoint.play(model.script, { protocol: driver.protocol })
    const runs: ToolRun[] = []
    const questions: unknown[] = []
    let host: Host | undefined
    remarks.push(play.failures)
    ends.push(async () => {
      try {
        await wait('end', async () => host?.end?.())
      } finally {
        play.close()
      }
    })
    host = await wait('start', () =>
      driver.start({
        endpoint: { baseURL: play.baseURL, apiKey: play.apiKey, model: play.model },
        folder: given.folder,
        workspace: given.project,
        home: given.home,
        tools: recordRuns(tools, runs),
        instructions,
        onConsent(question) {
          questions.push(question)
          return consent
        },
      }),
    )
    if (typeof host?.send !== 'function') throw failure('start to return an object with `send`', host)

    /** Sends a message and lets the model make its moves. `sent` is rejected if the host gave up. */
    const attempt = async (moves: readonly Move[]) => {
      const makings = model.begin(moves)
      const [sent] = await Promise.allSettled([wait('send', () => host.send(`Please help me with ${word()}.`))])
      return { makings, sent, outcomes: makings.map((making) => outcomeOf(making)) }
    }
    const trial: HostTrial = {
      requests: model.requests,
      runs,
      questions,
      refused: play.failures,
      async send(...moves) {
        const before = model.requests.length
        const { makings, sent, outcomes } = await attempt(moves)
        if (sent.status === 'rejected') throw sent.reason
        if (model.requests.length === before) throw failure('a request to the model after a message', 'none')
        return outcomes.map((outcome, index) => {
          if (outcome !== undefined) return outcome
          const { move, calls } = makings[index]!
          if (calls !== undefined) throw failure(`a request that follows ${move.what}`, 'none')
          if (move.absent !== undefined) throw new NotApplicable('The model cannot name what is not there.')
          const offered = model.requests.at(-1)?.tools.map(({ name }) => name)
          throw failure(`the model to be offered a way of ${move.what}`, offered)
        })
      },
      attempt: async (...moves) => (await attempt(moves)).outcomes,
      async list() {
        const before = model.requests.length
        if (driver.list !== undefined) {
          const move: Move = { what: 'listing the skills', messages: (_, at) => listed(driver.list?.(at)) }
          return (await trial.send(move))[0]!.texts
        }
        await trial.send()
        const asked = model.requests.slice(before)
        // A request beside the conversation could show a list that the conversation does not have.
        if (asked.length > 1)
          throw failure('one request for a message that the model answers without a call', `${asked.length} requests`)
        return shownTexts(asked[0]!)
      },
    }
    return trial
  }

  const bench: HostBench = { driver, word, workspace, start }
  return {
    bench,
    /** What the endpoint has refused, and mistakes in the driver: they explain a failure. */
    remarks: () => remarks.flat(),
    /** Ends every conversation, and returns what went wrong with that. */
    async close(): Promise<readonly string[]> {
      const ended = await Promise.allSettled(ends.map((end) => end()))
      await Promise.all(workspaces.map((each) => each.discard().catch(() => {})))
      return ended.flatMap((each) => (each.status === 'rejected' ? [reasonOf(each.reason)] : []))
    },
  }
}

/** Undefined if the move could not be made, or the host sent nothing after it. */
function outcomeOf({ calls, before, after }: Making): Outcome | undefined {
  if (calls === undefined || after === undefined) return undefined
  const results = calls.flatMap((id) => after.messages.filter(({ role, callId }) => role === 'tool' && callId === id))
  const known = new Set(before === undefined ? [] : partsOf(before))
  return {
    texts: shownTexts(after),
    fresh: partsOf(after).filter((part) => !known.has(part)),
    results: results.map(({ text }) => text),
  }
}

function partsOf(request: WireRequest): readonly string[] {
  return shownTexts(request).flatMap((text) => text.split('\n\n'))
}

/** Letters only, so that no format has to escape them. */
function word(): string {
  return `zq${randomBytes(6)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`
}

function isWorkspace(value: HostSkills | Workspace): value is Workspace {
  return typeof value['discard'] === 'function'
}
