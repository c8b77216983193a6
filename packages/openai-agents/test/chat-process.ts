/** Takes up a stored chat as a process that knows nothing else of it, says or answers something, and stores it. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { type AgentInputItem, type RunResult, type RunState, type StreamedRunResult } from '@openai/agents'
import type { Play } from '@repertoire/conformance'
import {
  memorySessions,
  openRepertoire,
  type SessionRecord,
  type SessionStore,
  withStoredSession,
} from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { agentOf, notingTools, runnerOf } from './agent.ts'
import { skillsRunner } from '../src/index.ts'

/** What a process is told. Crosses as JSON. */
export interface Job {
  readonly stream: boolean
  readonly model: Pick<Play, 'baseURL' | 'apiKey' | 'model'>
  readonly skills: string
  readonly chat: string
  readonly say?: string
  /** Approves or rejects everything that waits, by the SDK's own functions. */
  readonly approve?: boolean
}

interface Chat {
  readonly items: AgentInputItem[]
  readonly state?: string
  readonly session?: SessionRecord | undefined
}

/** What came of it. */
export interface Report {
  /** The skills that consent is asked for. */
  readonly open: readonly string[]
  readonly active: readonly string[]
  readonly runs: readonly string[]
  readonly text: string
}

async function carryOut({ stream, model, skills: root, chat: file, say, approve }: Job): Promise<Report> {
  const chat = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Chat) : { items: [] }
  const sources = [directorySource({ root, layer: 'project' })]
  const repertoire = await openRepertoire({ sources, sessionSecret: 'a key of thirty-two characters...' })
  const sessions = await storeOf(chat.session)
  const skills = skillsRunner({ repertoire, sessions, runner: runnerOf(model) }).task('chat')
  const { runs, tools } = notingTools()
  const agent = agentOf(model, { tools })
  const result = await runOn(await input())
  const open = (await skills.requests(result.state)).map(({ request }) => request.skill ?? '')
  const state = open.length > 0 ? { state: result.state.toString() } : {}
  const session = await sessions.load('chat')
  await writeFile(file, JSON.stringify({ items: result.history, session, ...state } satisfies Chat))
  const stored = { store: sessions, id: 'chat' }
  const active = await withStoredSession(repertoire, stored, async ({ activeSkills }) => activeSkills)
  return { open, active, runs, text: String(result.finalOutput ?? '') }

  async function input(): Promise<AgentInputItem[] | RunState<any, any>> {
    if (say !== undefined) return [...chat.items, { role: 'user', content: say }]
    const waiting = await skills.restore(agent, chat.state ?? '')
    for (const interruption of waiting.getInterruptions()) {
      if (approve === true) waiting.approve(interruption)
      else waiting.reject(interruption, { message: 'not today' })
    }
    return waiting
  }

  async function runOn(
    given: AgentInputItem[] | RunState<any, any>,
  ): Promise<RunResult<any, any> | StreamedRunResult<any, any>> {
    if (!stream) return skills.run(agent, given)
    const streamed = await skills.run(agent, given, { stream: true })
    for await (const _ of streamed);
    await streamed.completed
    return streamed
  }
}

/** A store with the session that was kept. */
async function storeOf(record: SessionRecord | undefined): Promise<SessionStore> {
  const sessions = memorySessions()
  const lease = (await sessions.acquire('chat', { duration: 60_000 }))!
  for (let version = 0; version < (record?.version ?? 0); version++)
    await sessions.save(lease, record?.saved, { ifVersion: version, timeToLive: 3_600_000 })
  await sessions.release(lease)
  return sessions
}

process.on('message', async (job: Job) => void process.send!(await carryOut(job)))
