/**
 * Takes a stored chat up as a process that knows nothing else of it, does each job that it is sent, stores the chat
 * again, and sends back what came of it. Skills are real folders, and what is stored is JSON in a file.
 */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Play } from '@repertoire/conformance'
import { isSkillError, openRepertoire, type SavedSession } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { generateText, isStepCount, type ModelMessage, streamText, tool, type ToolModelMessage } from 'ai'
import { z } from 'zod'
import { approvalResponses, consentRequests, withSkills } from '../src/index.ts'

/** What a process is told. Crosses as JSON. */
export interface Job {
  readonly way: 'generateText' | 'streamText'
  readonly model: Pick<Play, 'baseURL' | 'apiKey' | 'model'>
  /** The folder of the skills. */
  readonly skills: string
  /** The file of the chat. */
  readonly chat: string
  readonly sessionSecret?: string
  readonly say?: string
  /** By the name of the skill. The others that are asked for stay open. */
  readonly answers?: Readonly<Record<string, boolean>>
  /** Answers as they are, whatever is asked. */
  readonly forged?: ToolModelMessage
  /** Looks for no questions before it has the answers, as a server does that only runs a chat on. */
  readonly blindly?: boolean
  /** Runs the model on. Default: with whatever there is to say, and where every question has its answer. */
  readonly run?: boolean
}

/** What is stored of a chat. */
export interface Chat {
  readonly messages: ModelMessage[]
  readonly session?: SavedSession
}

/** What came of it. */
export interface Report {
  /** The skills that consent was asked for when the process began, and when it ended. */
  readonly found: readonly string[]
  readonly open: readonly string[]
  readonly active: readonly string[]
  readonly runs: readonly string[]
  readonly text: string
  /** The code of core's error. */
  readonly error?: string
}

async function carryOut(job: Job): Promise<Report> {
  const { messages, session: saved }: Chat = existsSync(job.chat)
    ? JSON.parse(await readFile(job.chat, 'utf8'))
    : { messages: [] }
  const repertoire = await openRepertoire({
    sources: [directorySource({ root: job.skills, layer: 'project' })],
    sessionSecret: job.sessionSecret,
  })
  const session = repertoire.openSession({ saved })
  const asked = async () => (await consentRequests(session, messages)).map(({ request }) => request.skill ?? '')
  const found = job.blindly === true ? [] : await asked()
  if (job.say !== undefined) messages.push({ role: 'user', content: job.say })
  if (job.answers !== undefined) answer(messages, await answersTo(job.answers))
  if (job.forged !== undefined) answer(messages, job.forged)

  const runs: string[] = []
  let text = ''
  if (job.run ?? (await asked()).length === 0) {
    const run = await runOn()
    messages.push(...run.messages)
    ;({ text } = run)
  }
  const open = await asked()
  await writeFile(job.chat, JSON.stringify({ messages, session: session.save() } satisfies Chat))
  return { found, open, active: session.activeSkills, runs, text }

  async function answersTo(given: NonNullable<Job['answers']>): Promise<ToolModelMessage> {
    const pending = await consentRequests(session, messages)
    const meant = pending.filter(({ request }) => Object.hasOwn(given, request.skill ?? ''))
    return approvalResponses(
      meant,
      meant.map(({ request }) => ({ requestId: request.id, approved: given[request.skill ?? ''] === true })),
    )
  }

  async function runOn(): Promise<{ readonly messages: readonly ModelMessage[]; readonly text: string }> {
    const { baseURL, apiKey, model } = job.model
    const settings = {
      model: createOpenAICompatible({ name: 'loopback', baseURL, apiKey })(model),
      messages,
      maxRetries: 0,
      stopWhen: isStepCount(5),
      ...withSkills(session, { tools: { Bash: noting('Bash'), Read: noting('Read') } }),
    }
    if (job.way === 'generateText') {
      const result = await generateText(settings)
      return { messages: result.responseMessages, text: result.text }
    }
    const failures: unknown[] = []
    const result = streamText({ ...settings, onError: ({ error }) => void failures.push(error) })
    await result.consumeStream()
    if (failures.length > 0) throw failures[0]
    return { messages: await result.responseMessages, text: await result.text }
  }

  function noting(name: string) {
    return tool({
      description: `The tool ${name}.`,
      inputSchema: z.looseObject({}),
      execute: (input) => {
        runs.push(`${name} ${JSON.stringify(input)}`)
        return `${name} ran`
      },
    })
  }
}

/** Adds answers to those that the last message holds already: AI SDK reads them in the last message alone. */
function answer(messages: ModelMessage[], { content }: ToolModelMessage): void {
  const last = messages.at(-1)
  if (last?.role === 'tool') last.content.push(...content)
  else messages.push({ role: 'tool', content })
}

process.on('message', async (job: Job) => {
  const report = await carryOut(job).catch((error: unknown): Report => {
    if (!isSkillError(error)) throw error
    return { found: [], open: [], active: [], runs: [], text: '', error: error.code }
  })
  process.send!(report)
})
