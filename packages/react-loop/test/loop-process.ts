/**
 * Takes a stored conversation up as a process that knows nothing else of it, does each job that it is sent, stores it
 * again, and sends back what came of it. Skills are real folders, and what is stored is JSON in a file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import type { Play } from '@repertoire/conformance'
import {
  type ConsentAnswer,
  type FunctionTool,
  isSkillError,
  openRepertoire,
  type SavedSession,
} from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { directorySource } from '@repertoire/core/node'
import { createReActLoop, type LoopEvent, type LoopResult, type Message, openAICompatible } from '../src/index.ts'

/** What a process is told. Crosses as JSON. */
export interface Job {
  readonly protocol: 'native' | 'text'
  readonly streamed: boolean
  readonly model: Pick<Play, 'baseURL' | 'apiKey' | 'model'>
  /** The folder of the skills. */
  readonly skills: string
  /** The file of the conversation. */
  readonly file: string
  readonly sessionSecret?: string
  readonly say?: string
  readonly verdicts?: readonly ConsentAnswer[]
}

/** What is stored. */
export interface Stored {
  readonly messages: readonly Message[]
  readonly session?: SavedSession
  /** The ids of the requests that were open last, by the id of the call. */
  readonly asked: Readonly<Record<string, string>>
}

/** What came of it. */
export interface Report {
  /** How many questions have no answer. */
  readonly open: number
  readonly active: readonly string[]
  readonly runs: readonly string[]
  readonly text: string
  /** The code of core's error. */
  readonly error?: string
}

async function runCalls(job: Job): Promise<Report> {
  const stored: Stored = existsSync(job.file) ? JSON.parse(readFileSync(job.file, 'utf8')) : { messages: [], asked: {} }
  const repertoire = await openRepertoire({
    sources: [directorySource({ root: job.skills, layer: 'project' })],
    sessionSecret: job.sessionSecret,
  })
  const session = openAdapterSession(repertoire, { saved: stored.session })
  const messages: Message[] = [...stored.messages]
  const runs: string[] = []
  let asked = stored.asked
  let text = ''
  for (const verdict of job.verdicts ?? []) session.answer(verdict)
  const openNow = () => session.state.open.filter(({ approved }) => approved === undefined).length

  // A run would ask anew what has no answer yet.
  if (job.say !== undefined || openNow() === 0) {
    if (job.say !== undefined) messages.push({ role: 'user', content: job.say })
    const loop = createReActLoop({
      model: openAICompatible({ ...job.model, maxRetries: 0 }),
      session,
      protocol: job.protocol,
      tools: ['Bash', 'Read'].map(noting),
    })
    const result = job.streamed ? await last(loop.stream([...messages])) : await loop.run([...messages])
    text = result.text
    asked = { ...asked, ...Object.fromEntries((result.consentRequests ?? []).map(({ callId, id }) => [callId, id])) }
    messages.splice(0, messages.length, ...result.messages)
  }
  writeFileSync(job.file, JSON.stringify({ messages, session: session.save(), asked } satisfies Stored))
  return { open: openNow(), active: session.activeSkills, runs, text }

  function noting(name: string): FunctionTool {
    return {
      name,
      description: `The tool ${name}.`,
      inputSchema: { type: 'object', properties: {} },
      execute(input) {
        runs.push(`${name} ${JSON.stringify(input)}`)
        return `${name} ran`
      },
    }
  }
}

async function last(events: AsyncIterable<LoopEvent>): Promise<LoopResult> {
  for await (const event of events) if (event.type === 'finish') return event.result
  throw new Error('The stream has ended without a result.')
}

process.on('message', async (job: Job) => {
  const report = await runCalls(job).catch((error: unknown): Report => {
    if (!isSkillError(error)) throw error
    return { open: 0, active: [], runs: [], text: '', error: error.code }
  })
  process.send!(report)
})
