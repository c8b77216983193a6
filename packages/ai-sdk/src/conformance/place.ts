import { type Conversation, storedTask, type StoredTaskPlace, type TaskSetup } from '@repertoire/conformance'
import type { SavedSession, Session, SessionStore } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { jsonSchema, type ModelMessage, Output, tool, type ToolSet } from 'ai'
import { skillsAgent, type SkillsAgentOptions } from '../skills-agent.ts'
import { type SkillsOptions, withSkills } from '../with-skills.ts'
import { modelOf, variantOf } from './variants.ts'
import { type Run, type RunOptions, textOf, WAYS } from './ways.ts'

/** What a fresh process needs: the conversation, and the session. */
export interface Saved {
  readonly messages: readonly ModelMessage[]
  /** The session, or the store that has it and its id. */
  readonly session: SavedSession | StoredTaskPlace
}

/** Anthropic's package warns about a limit that it assumes for an unknown model. */
const MAX_TOKENS = 4096

/** Where the session of a conversation is, and how an agent runs in it. */
export interface Place extends Pick<Conversation, 'active' | 'end'> {
  readonly run: Run
  readonly within: <T>(work: (session: Session) => Promise<T>) => Promise<T>
  readonly save: () => Promise<Saved['session']>
}

/** Returns the settings of one run: `withSkills` takes its signal, which also stops what a message starts. */
export type SettingsOf = (session: Session, skills: Skills, run: RunOptions) => object

/** The host's settings for skills. */
type Skills = SkillsOptions<ToolSet> & { readonly tools: ToolSet }

type AgentOptions = SkillsAgentOptions<ToolSet, any> & { readonly sessions: SessionStore }

export const settingsOf: SettingsOf = (session, skills, { abortSignal, onStepEnd }) => ({
  ...withSkills(session, { ...skills, abortSignal }),
  onStepEnd,
})

/** @param onMessages called with the messages of each step, also of a run that fails later */
export function placeOf(
  settingsOfRun: SettingsOf,
  task: TaskSetup,
  saved: Saved | undefined,
  onMessages: (messages: ModelMessage[]) => void,
): Place {
  const { way } = variantOf(task)
  const settings = { maxOutputTokens: MAX_TOKENS }
  const run = {
    model: modelOf(task, task.endpoint),
    maxRetries: 0,
    maxOutputTokens: MAX_TOKENS,
    ...(task.output && { output: Output.object({ schema: jsonSchema(task.output) }) }),
    stopWhen: ({ steps }: { readonly steps: readonly unknown[] }) => steps.length >= task.maxSteps,
  }
  const skills = {
    instructions: task.instructions,
    tools: toolsOf(task),
    subagents: Object.fromEntries(
      // A fresh process runs the approved calls before it calls a model.
      Object.entries({ default: {}, ...task.subagents }).map(([kind, agent]) => [
        kind,
        { ...agent, settings, ...(way !== 'skillsAgent' && saved !== undefined && { model: run.model }) },
      ]),
    ),
    resolveModel(name: string) {
      const found = task.models?.get(name)
      return found && modelOf(task, found)
    },
    // The messages at the beginning and the end of each step, and not `responseMessages`: a failed run has none,
    // but skills activated in it stay active.
    prepareStep({ messages }: { readonly messages: ModelMessage[] }) {
      onMessages(messages)
      return undefined
    },
  }
  if (way === 'skillsAgent') return agentPlace(task, { ...run, ...skills }, saved)
  const session = openAdapterSession(task.repertoire, {
    ...task.session,
    ...(saved !== undefined && { saved: saved.session as SavedSession }),
  })
  return {
    run: (options) =>
      WAYS[way]({ ...run, ...settingsOfRun(session, skills, options) }, options.messages, options.abortSignal),
    within: (work) => work(session),
    active: async () => session.activeSkills,
    end: () => session.end(),
    save: async () => session.save(),
  }
}

function agentPlace(
  task: TaskSetup,
  settings: Omit<AgentOptions, 'repertoire' | 'sessions' | 'session'>,
  saved: Saved | undefined,
): Place {
  const { repertoire } = task
  const { sessions, session, id, place, within, active, end } = storedTask(
    task,
    saved?.session as StoredTaskPlace | undefined,
  )
  return {
    run: ({ abortSignal, ...call }) =>
      textOf(settings, abortSignal, (onError) => {
        const agent = skillsAgent<ToolSet, any>({ ...settings, repertoire, sessions, session, onError })
        return agent.stream({ ...call, options: { session: id }, ...(abortSignal && { abortSignal }) })
      }),
    within,
    active,
    end,
    save: async () => place,
  }
}

function toolsOf({ tools, approval }: TaskSetup): ToolSet {
  return Object.fromEntries(
    tools.map((given) => [
      given.name,
      tool({
        description: given.description,
        inputSchema: jsonSchema(given.inputSchema),
        needsApproval: approval?.tools.includes(given.name) === true,
        execute: (input, { toolCallId: callId, abortSignal: signal }) => given.execute(input, { callId, signal }),
      }),
    ]),
  )
}
