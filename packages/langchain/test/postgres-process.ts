/**
 * A process that works on threads in a database and knows nothing else: does each job that it is sent with an agent, a
 * checkpointer and its own repertoire, and sends back what came of it. Ends with whoever started it.
 */
import process from 'node:process'
import { ToolMessage } from '@langchain/core/messages'
import { Command } from '@langchain/langgraph'
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import type { Play } from '@repertoire/conformance'
import { type ConsentRequest, type ConsentAnswer, isSkillError, memorySource } from '@repertoire/core'
import { createAgent, createMiddleware } from 'langchain'
import { activeSkills, endSkills, skillsMiddleware } from '../src/index.ts'
import { hostTools, modelOf, openSkills, questionsOf, type Run, SKILLS, tellingRunner, thread, user } from './setup.ts'

/** What a process is told. Crosses as JSON. */
export interface Job {
  readonly url: string
  readonly thread: string
  readonly model: Pick<Play, 'baseURL' | 'apiKey' | 'model'>
  readonly do:
    | { readonly say: string }
    /** By the ids of the interrupts. */
    | { readonly answer: Readonly<Record<string, ConsentAnswer>> }
    | { readonly goOn: true }
    | { readonly end: true }
    | { readonly look: true }
  readonly sessionSecret?: string
  /** Gives the sub-agents of the kind `reviewer` a model, and tools unless they are `withoutTools`. */
  readonly reviewer?: Job['model'] & { readonly withoutTools?: boolean }
  /** Says so, and waits for its end, where the model is to be called with the result of a call. */
  readonly stopsBeforeModel?: 'sync' | 'async'
}

/** What comes back. */
export interface Report {
  readonly questions: readonly { readonly id: string; readonly request: ConsentRequest }[]
  readonly active: readonly string[]
  /** The last message. */
  readonly text: string
  readonly runs: readonly Run[]
  readonly hooks: readonly string[]
  /** The code of core's error, or the message of another. */
  readonly error?: string
}

const manifest = (name: string, fields: string, body: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\n${body}\n`,
})

const skills = {
  ...SKILLS,
  expert: manifest('expert', 'context: fork\nagent: reviewer\nallowed-tools: Read\n', 'REVIEW IT.'),
  leaving: {
    ...manifest('leaving', 'allowed-tools: Read\nhooks:\n  post: [goodbye.sh]\n', 'STAY A WHILE.'),
    'goodbye.sh': '',
  },
}

async function carryOut({
  url,
  thread: id,
  model,
  do: task,
  sessionSecret,
  reviewer,
  stopsBeforeModel,
}: Job): Promise<Report> {
  const runs: Run[] = []
  const hooks: string[] = []
  const checkpointer = PostgresSaver.fromConnString(url)
  const repertoire = await openSkills({
    sessionSecret,
    sources: [memorySource({ layer: 'project', id: 'tests', skills })],
    scripts: { hooks: true, runner: tellingRunner(hooks) },
  })
  const tools = hostTools(runs)
  const subagents = reviewer && {
    reviewer: { model: modelOf(reviewer as Play), ...(!reviewer.withoutTools && { tools }) },
  }
  const stopping = createMiddleware({
    name: 'stopping',
    async beforeModel({ messages }) {
      if (stopsBeforeModel === undefined || !ToolMessage.isInstance(messages.at(-1))) return undefined
      process.send?.('stopped')
      return new Promise(() => {})
    },
  })
  const agent = createAgent({
    model: modelOf(model as Play),
    tools,
    checkpointer,
    middleware: [skillsMiddleware(repertoire, { subagents }), stopping],
  })
  const config = { ...thread(id), ...(stopsBeforeModel && { durability: stopsBeforeModel }) }
  let error: string | undefined
  let questions: Report['questions'] = []
  const invoke = async (input: unknown): Promise<void> => {
    const result = await agent.invoke(input as never, config)
    questions = questionsOf(result).map(({ id: of, value }) => ({ id: of, request: value }))
  }
  let active: readonly string[] = []
  let text = ''
  try {
    if ('say' in task) await invoke(user(task.say))
    else if ('answer' in task) await invoke(new Command({ resume: task.answer }))
    else if ('goOn' in task) await invoke(null)
    else if ('end' in task) await endSkills(repertoire, agent, config)
    const { values } = await agent.graph.getState(config)
    text = values.messages?.at(-1)?.text ?? ''
    active = await activeSkills(agent, config)
  } catch (thrown) {
    const cause = isSkillError(thrown) ? thrown : (thrown as Error).cause
    error = isSkillError(cause) ? cause.code : String(thrown)
  }
  const report: Report = { questions, active, text, runs, hooks, error }
  await checkpointer.end()
  return report
}

process.on('disconnect', () => process.exit())
process.on('message', async (job: Job) => {
  try {
    process.send?.({ report: await carryOut(job) })
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.stack : String(error) })
  }
})
process.send?.('ready')
