/** Takes up a stored chat as a process that knows nothing else of it, says or answers something, and stores it. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { Mastra } from '@mastra/core/mastra'
import { InMemoryStore } from '@mastra/core/storage'
import type { Play } from '@repertoire/conformance'
import {
  memorySessions,
  openRepertoire,
  type SessionRecord,
  type SessionStore,
  withStoredSession,
} from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { configOf } from './agent.ts'
import { skillsAgent } from '../src/index.ts'

/** What a process is told. Crosses as JSON. */
export interface Job {
  readonly stream: boolean
  readonly model: Pick<Play, 'baseURL' | 'apiKey' | 'model'>
  readonly skills: string
  readonly chat: string
  readonly say?: string
  /** Approves or declines the call that waits, by Mastra's own functions. */
  readonly approve?: boolean
}

interface Chat {
  readonly session?: SessionRecord | undefined
  /** What Mastra stores of a run that waits. */
  readonly waiting: readonly { readonly workflowName: string; readonly runId: string; readonly snapshot: unknown }[]
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
  const chat = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Chat) : undefined
  const sources = [directorySource({ root, layer: 'project' })]
  const repertoire = await openRepertoire({ sources, sessionSecret: 'a key of thirty-two characters...' })
  const sessions = await storeOf(chat?.session)
  const { runs, config } = configOf(model)
  const agent = skillsAgent(config, { repertoire, sessions })
  const storage = new InMemoryStore()
  const mastra = new Mastra({ agents: { agent }, storage, logger: false })
  const workflows = (await mastra.getStorage()!.getStore('workflows'))!
  for (const { snapshot, ...run } of chat?.waiting ?? [])
    await workflows.persistWorkflowSnapshot({ ...run, snapshot: snapshot as never })

  const { text, finishReason, runId = '' } = await ended()
  const pending = finishReason === 'suspended' ? await agent.requests(runId) : []
  const stored = await workflows.listWorkflowRuns()
  const waiting = pending.length > 0 ? stored.runs : []
  await writeFile(file, JSON.stringify({ session: await sessions.load('chat'), waiting } satisfies Chat))
  const kept = { store: sessions, id: 'chat' }
  const active = await withStoredSession(repertoire, kept, async ({ activeSkills }) => activeSkills)
  return { open: pending.map(({ request }) => request.skill ?? ''), active, runs, text }

  async function ended() {
    const memory = { memory: { thread: 'chat', resource: 'person' } }
    if (say !== undefined) return stream ? whole(await agent.stream(say, memory)) : agent.generate(say, memory)
    const given = { runId: chat!.waiting[0]!.runId }
    const [{ toolCallId } = { toolCallId: '' }] = await agent.requests(given.runId)
    const options = { ...given, toolCallId }
    if (approve === true)
      return stream ? whole(await agent.approveToolCall(options)) : agent.approveToolCallGenerate(options)
    const declined = { ...options, reason: 'not today' }
    return stream ? whole(await agent.declineToolCall(declined)) : agent.declineToolCallGenerate(declined)
  }
}

async function whole(output: Awaited<ReturnType<ReturnType<typeof skillsAgent>['stream']>>) {
  for await (const _ of output.fullStream);
  return output.getFullOutput()
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
