import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aiSdkDriver } from '@repertoire/ai-sdk/conformance'
import {
  activate,
  type AdapterDriver,
  call,
  type Conversation,
  type ModelEndpoint,
  openModelEndpoint,
  say,
} from '@repertoire/conformance'
import {
  type AuditEvent,
  type FunctionTool,
  memorySessions,
  memorySource,
  openRepertoire,
  type SessionStore,
} from '@repertoire/core'
import { langchainDriver } from '@repertoire/langchain/conformance'
import { mastraDriver } from '@repertoire/mastra/conformance'
import { openaiAgentsDriver } from '@repertoire/openai-agents/conformance'
import { openFileSessions, openSessions, postgresEngine } from '@repertoire/storage'
import { startPostgres } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Where a host keeps what is of its tenants. */
interface Place {
  readonly sessions: (tenant: string) => Promise<SessionStore>
  /** Keeps the messages of a chat, and a thread of LangGraph with the session in it. */
  readonly write: (tenant: string, chat: string) => Promise<unknown>
  readonly read: (tenant: string) => Promise<string>
  readonly close: () => Promise<void>
}

function memoryPlace(): Place {
  const stores = new Map(['one', 'other'].map((tenant) => [tenant, memorySessions({ tenant })]))
  const chats = new Map<string, string>()
  return {
    sessions: async (tenant) => stores.get(tenant)!,
    write: async (tenant, chat) => chats.set(tenant, chat),
    read: async (tenant) => chats.get(tenant)!,
    close: async () => undefined,
  }
}

async function filePlace(): Promise<Place> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'repertoire-tenants-')))
  const opened: { close(): void }[] = []
  return {
    async sessions(tenant) {
      const store = await openFileSessions({ path: join(folder, 'sessions.sqlite'), tenant })
      opened.push(store)
      return store
    },
    write: (tenant, chat) => writeFile(join(folder, tenant), chat),
    read: (tenant) => readFile(join(folder, tenant), 'utf8'),
    async close() {
      for (const store of opened) store.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function postgresPlace(): Promise<Place> {
  const server = await startPostgres()
  const pool = new Pool(server.options('postgres'))
  await pool.query('CREATE TABLE chats (tenant text PRIMARY KEY, chat text)')
  const put = 'INSERT INTO chats VALUES ($1, $2) ON CONFLICT (tenant) DO UPDATE SET chat = $2'
  return {
    sessions: (tenant) => openSessions({ engine: postgresEngine({ pool }), tenant }),
    write: (tenant, chat) => pool.query(put, [tenant, chat]),
    read: async (tenant) => (await pool.query('SELECT chat FROM chats WHERE tenant = $1', [tenant])).rows[0].chat,
    async close() {
      await pool.end()
      await server.close()
    },
  }
}

const STORES = [
  { store: 'the memory', prepare: memoryPlace },
  { store: 'a file', prepare: filePlace },
  { store: 'PostgreSQL', prepare: postgresPlace },
]

/** Each in a variant whose sessions are kept. */
const ADAPTERS: readonly { readonly adapter: string; readonly driver: AdapterDriver; readonly variant: string }[] = [
  { adapter: 'ai-sdk', driver: aiSdkDriver, variant: 'skillsAgent.stream' },
  { adapter: 'langchain', driver: langchainDriver, variant: 'invoke' },
  { adapter: 'mastra', driver: mastraDriver, variant: 'kept generate' },
  { adapter: 'openai-agents', driver: openaiAgentsDriver, variant: 'kept stream' },
]

const skills = {
  careful: { 'SKILL.md': '---\nname: careful\ndescription: Looks.\nallowed-tools: Read\n---\nLOOK FIRST.\n' },
}

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

describe.for(STORES)('two tenants with sessions in $store', ({ prepare }) => {
  let place: Place
  beforeAll(async () => {
    place = await prepare()
  })
  afterAll(() => place.close())

  it.for(ADAPTERS)(
    '[ACT-8, ACT-15, ABUSE-146] share no answer, skill or session of one id, and open none of the other: $adapter',
    async ({ adapter, driver, variant }) => {
      const events: AuditEvent[] = []
      const repertoire = await openRepertoire({
        sources: [memorySource({ layer: 'project', skills })],
        sessionSecret: 'key',
        audit: { write: (event) => void events.push(event) },
      })
      const id = `chat of ${adapter}`
      const ran: string[] = []
      const start = async (tenant: string, script: Parameters<ModelEndpoint['play']>[0], keptFor?: string) => {
        const bash: FunctionTool = {
          name: 'Bash',
          description: 'Runs.',
          inputSchema: { type: 'object', properties: { command: { type: 'string' } } },
          execute: () => ran.push(tenant) && 'Ran.',
        }
        return driver.start({
          variant,
          endpoint: endpoint.play(script),
          repertoire,
          session: { id, tenant },
          sessions: await place.sessions(keptFor ?? tenant),
          instructions: 'Be brief.',
          tools: [bash],
          maxSteps: 10,
          ...(keptFor !== undefined && { saved: JSON.parse(await place.read(keptFor)) }),
        })
      }
      const keep = async (tenant: string, conversation: Conversation) =>
        place.write(tenant, JSON.stringify(await conversation.save()))

      const tenants = ['one', 'other']
      await Promise.all(
        tenants.map(async (tenant) => {
          const conversation = await start(tenant, [activate('careful'), say()])
          const turn = await conversation.send('Hello')
          const requests = turn.status === 'asking' ? turn.requests : []
          expect(requests.map(({ skill }) => skill)).toEqual(['careful'])
          const answers = requests.map((request) => ({ requestId: request.id, approved: tenant === 'one' }))
          expect(await conversation.answer(answers)).toEqual({ status: 'done', text: 'Done.' })
          await keep(tenant, conversation)
        }),
      )
      const active = await Promise.all(
        tenants.map(async (tenant) => {
          const conversation = await start(tenant, [call('Bash', { command: 'id' }), say()], tenant)
          await conversation.send('Go on')
          await keep(tenant, conversation)
          return conversation.active()
        }),
      )
      expect([active, ran]).toEqual([[['careful'], []], ['other']])
      const crossing = async () => (await start('other', [say()], 'one')).send('Go on')
      await expect(crossing()).rejects.toMatchObject({ code: 'STATE_INVALID' })
      const of = (type: AuditEvent['type']) => events.filter((event) => event.type === type)
      expect(of('skill.activated').map(({ tenant }) => tenant)).toEqual(['one'])
      expect(events.flatMap(({ code, tenant }) => (code === 'TOOL_NOT_ALLOWED' ? [tenant] : []))).toEqual(['one'])
      for (const type of ['consent.asked', 'consent.answered'] as const)
        expect(new Set(of(type).map(({ tenant }) => tenant))).toEqual(new Set(tenants))
      await Promise.all(
        tenants.map(async (tenant) => {
          const conversation = await start(tenant, [], tenant)
          await conversation.end()
        }),
      )
      await repertoire.close()
    },
  )
})
