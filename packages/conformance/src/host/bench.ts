import { randomBytes } from 'node:crypto'
import type { FunctionTool } from '@repertoire/core'
import type { ToolRun } from '../check.ts'
import { LATE, within } from '../deadline.ts'
import type { ModelEndpoint } from '../endpoint/endpoint.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import { failure, reasonOf } from '../failure.ts'
import { recordRuns } from '../tools.ts'
import type { Host, HostDriver } from './driver.ts'
import { createModel } from './model.ts'
import { listing, type Move } from './moves.ts'
import { NotApplicable } from './not-applicable.ts'
import { shownTexts, sinceModel } from './text.ts'
import { type HostSkills, makeWorkspace, type Workspace } from './workspace.ts'

/** What a check of a host uses. */
export interface HostBench {
  readonly driver: HostDriver
  /** Returns a word that occurs nowhere else, so that no host can know it beforehand. */
  word(): string
  /** Makes a working folder with skills. */
  workspace(skills: HostSkills): Promise<Workspace>
  /** Starts a conversation over skills, in a working folder of its own or in a given one. */
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
  readonly workspace: Workspace
  /** The requests of the conversation so far, oldest first. */
  readonly requests: readonly WireRequest[]
  /** The host's tools that really ran, in starting order. */
  readonly runs: readonly ToolRun[]
  /** The messages of the user so far, oldest first. */
  readonly sent: readonly string[]
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
  readonly request: WireRequest
  /** Everything that the request shows, as single texts. */
  readonly texts: readonly string[]
  /** What the conversation had more than before: results of calls, messages after them, and parts of the system prompt. */
  readonly fresh: readonly string[]
  /** The results of the move's calls. */
  readonly results: readonly string[]
}

/** A bench and the means to end it. */
export interface OpenHostBench {
  readonly bench: HostBench
  /** Ends every conversation and returns what went wrong with that. */
  close(): Promise<readonly string[]>
  /** What explains a failure: what the endpoint refused, and mistakes in the driver. */
  remarks(): readonly string[]
}

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
export function openHostBench(driver: HostDriver, endpoint: ModelEndpoint, deadline: number): OpenHostBench {
  const workspaces: Workspace[] = []
  const ends: (() => Promise<void>)[] = []
  const remarks: (() => readonly string[])[] = []
  const place = driver.place ?? 'skills'

  const workspace = async (skills: HostSkills): Promise<Workspace> => {
    const made = await makeWorkspace(place, skills)
    workspaces.push(made)
    return made
  }

  const wait = async <T>(what: string, work: () => Promise<T>, requests: readonly WireRequest[]): Promise<T> => {
    const running = (async () => work())()
    running.catch(() => {})
    let ended: T | typeof LATE
    try {
      ended = await within(deadline, running)
    } catch (error) {
      throw new Error(`${what} failed`, { cause: error })
    }
    if (ended !== LATE) return ended
    throw new Error(`${what} did not end within ${deadline / 1000} s, after ${requests.length} requests to the model.`)
  }

  const start: HostBench['start'] = async (skills, options = {}) => {
    const given = isWorkspace(skills) ? skills : await workspace(skills)
    const { tools = [lookupTool()], instructions = INSTRUCTIONS, consent = true } = options
    const model = createModel(driver, given.folder)
    const play = endpoint.play(model.script, { protocol: driver.protocol })
    const runs: ToolRun[] = []
    const questions: unknown[] = []
    const sent: string[] = []
    let host: Host | undefined
    remarks.push(() => [...model.mistakes, ...play.failures])
    ends.push(async () => {
      try {
        await wait('end', async () => host?.end?.(), model.requests)
      } finally {
        play.close()
      }
    })
    host = await wait(
      'start',
      () =>
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
      model.requests,
    )
    if (typeof host?.send !== 'function') throw failure('start to return an object with `send`', host)

    const attempt = async (moves: readonly Move[]): Promise<unknown> => {
      model.begin(moves)
      try {
        const message = `Please help me with ${word()}.`
        sent.push(message)
        await wait('send', async () => host.send(message), model.requests)
        return undefined
      } catch (error) {
        return error
      }
    }
    const outcomes = (moves: readonly Move[]): readonly (Outcome | undefined)[] => {
      const made = model.made()
      return moves.map((_, index) => {
        const { calls, after } = made[index] ?? {}
        if (calls === undefined || after === undefined) return undefined
        return outcomeOf(calls, after, model.requests[model.requests.indexOf(after) - 1])
      })
    }
    const trial: HostTrial = {
      workspace: given,
      requests: model.requests,
      runs,
      sent,
      questions,
      refused: play.failures,
      async send(...moves) {
        const before = model.requests.length
        const error = await attempt(moves)
        if (error !== undefined) throw error
        if (model.requests.length === before) throw failure('a request to the model after a message', 'none')
        const made = model.made()
        return outcomes(moves).map((outcome, index) => {
          if (outcome !== undefined) return outcome
          const { what, optional } = moves[index]!
          if (made[index]?.calls !== undefined) throw failure(`a request that follows the call to ${what}`, 'none')
          if (optional !== undefined) throw new NotApplicable(optional)
          const offered = model.requests.at(-1)?.tools.map(({ name }) => name)
          throw failure(`the model to be offered a way to ${what}`, offered)
        })
      },
      async attempt(...moves) {
        await attempt(moves)
        return outcomes(moves)
      },
      async list() {
        const moves = listing(driver)
        const before = model.requests.length
        const results = await trial.send(...moves)
        const asked = model.requests.slice(before)
        // A request beside the conversation could show a list that the conversation does not have.
        if (moves.length === 0 && asked.length > 1)
          throw failure('one request for a message that the model answers without a call', `${asked.length} requests`)
        return results[0]?.texts ?? shownTexts(asked[0]!)
      },
    }
    return trial
  }

  return {
    bench: { driver, word, workspace, start },
    remarks: () => remarks.flatMap((each) => each()),
    async close() {
      const ended = await Promise.allSettled(ends.map((end) => end()))
      await Promise.all(workspaces.map((each) => each.discard().catch(() => {})))
      return ended.flatMap((each) => (each.status === 'rejected' ? [reasonOf(each.reason)] : []))
    },
  }
}

function outcomeOf(calls: readonly string[], request: WireRequest, before: WireRequest | undefined): Outcome {
  const results = calls.flatMap((id) => request.messages.filter(({ role, callId }) => role === 'tool' && callId === id))
  return {
    request,
    texts: shownTexts(request),
    // Some vendors take messages of the system between others, and some hosts change their prompt.
    fresh: [...sinceModel(request).map(({ text }) => text), ...addedParts(before?.system ?? '', request.system)],
    results: results.map(({ text }) => text),
  }
}

function addedParts(before: string, after: string): readonly string[] {
  const known = new Set(before.split('\n\n'))
  return after.split('\n\n').filter((part) => part !== '' && !known.has(part))
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
