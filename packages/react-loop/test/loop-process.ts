/**
 * Takes a stored conversation up as a process that knows nothing else of it, does each job that it is sent, stores it again,
 * and sends back what came of it. Skills are real folders, and what is stored is JSON in a file.
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
import { directorySource } from '@repertoire/core/node'
import { createReActLoop, type Message, openAICompatible } from '../src/index.ts'

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
    ...(job.sessionSecret !== undefined && { sessionSecret: job.sessionSecret }),
  })
  const session = repertoire.openSession({ ...(stored.session !== undefined && { saved: stored.session }) })
  const messages: Message[] = [...stored.messages]
  const runs: string[] = []
  let asked = stored.asked
  let text = ''
  for (const verdict of job.verdicts ?? []) session.answer(verdict)
  const openNow = () => session.state.open.filter(({ approved }) => approved === undefined).length

  // A run would ask anew what has no answer yet.
  if (job.say !== undefined || openNow() === 0) {
    if (job.say !== undefined) messages.push({ role: 'user', content: job.say })
    const stopped = new AbortController()
    const loop = createReActLoop({
      model: openAICompatible({ ...job.model, maxRetries: 0 }),
      session,
      protocol: job.protocol,
      tools: ['Bash', 'Read'].map(noting),
      onConsent: () => {
        // One question is asked at a time; the requests of the other calls are open by then.
        asked = { ...asked, ...Object.fromEntries(session.state.open.map(({ callId, id }) => [callId, id])) }
        setImmediate(() => stopped.abort())
        return new Promise(() => {})
      },
    })
    // What stands when the questions are asked; the results of calls that were given up are none.
    const before: Message[] = []
    const options = { signal: stopped.signal, onMessage: (message: Message) => void before.push(message) }
    const input = [...messages]
    try {
      if (job.streamed) {
        for await (const event of loop.stream(input, options)) if (event.type === 'finish') ({ text } = event.result)
      } else ({ text } = await loop.run(input, options))
    } catch (error) {
      if (!stopped.signal.aborted) throw error
      before.splice(before.findLastIndex(({ role }) => role === 'assistant') + 1)
    }
    messages.push(...before)
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

process.on('message', async (job: Job) => {
  const report = await runCalls(job).catch((error: unknown): Report => {
    if (!isSkillError(error)) throw error
    return { open: 0, active: [], runs: [], text: '', error: error.code }
  })
  process.send!(report)
})
