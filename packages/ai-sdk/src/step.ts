import { DEFAULT_TOOL_NAMES, type StepView } from '@repertoire/core'
import type { Instructions, ModelMessage, PrepareStepFunction, ToolCallPart, ToolResultPart, ToolSet } from 'ai'
import { recordAnswers } from './answers.ts'
import { settingsOf } from './call-settings.ts'
import type { ParentStep } from './fork.ts'
import { partsOf } from './parts.ts'
import type { Saves } from './saves.ts'
import type { Steps } from './steps.ts'
import type { SkillTools } from './tools.ts'
import { OWN, type Turns } from './turn.ts'
import { asking, shownTo } from './wire.ts'
import { type AdapterSession, abandonedCallText, standsFor } from '@repertoire/core/adapter'

type HostStep = PrepareStepFunction<any, any>
type HostStepOptions = Parameters<HostStep>[0]

/** What AI SDK passes when a step begins, whatever the tools and their contexts. */
export type StepOptions = Omit<
  Parameters<PrepareStepFunction<ToolSet>>[0],
  'steps' | 'toolsContext' | 'runtimeContext'
> & {
  readonly steps: object[]
  readonly toolsContext: unknown
  readonly runtimeContext: unknown
}

/** What the preparation of a step needs. */
interface StepParts {
  readonly session: AdapterSession
  readonly steps: Steps
  readonly skillTools: SkillTools
  readonly hostTools: ToolSet
  /** The host's own `prepareStep`. */
  readonly prepareStep?: HostStep | undefined
  /** The host's own tools that are offered if its `prepareStep` does not say. */
  readonly activeTools?: readonly string[] | undefined
  /** Absent: no person speaks, since it is a sub-agent. */
  readonly turns?: Turns | undefined
  readonly saves: Pick<Saves, 'save'>
  /** Called with what sub-agents take from a step, before anything in it runs. Missing properties keep their values. */
  readonly onStep: (step: ParentStep) => void
}

/** Begins a step of the session, and returns its settings for the AI SDK. */
export function stepOf(parts: StepParts): (options: StepOptions) => Promise<object> {
  const { session, steps, skillTools, hostTools, turns, onStep } = parts
  const toolsOfProvider = Object.keys(hostTools).filter((name) => isRunByProvider(hostTools[name]!))
  // What the host's own `prepareStep` returned applies to the rest of its run, as in AI SDK. `steps` belongs to the
  // run.
  const chosenBefore = new WeakMap<object, Instructions>()

  /** Returns what the session adds to the messages that a run begins with, or the call that it asks about. */
  async function begun({ messages, initialMessages }: StepOptions) {
    // A denied call does not run, so this is the first place where a denial is visible.
    const answered = await recordAnswers(session, initialMessages)
    const { text, asks } = (await turns?.begin(messages)) ?? {}
    const texts = [text]
    for (const { call, approved } of answered.values()) {
      const { turn } = standsFor(call)
      if (turn !== undefined && !approved) texts.push(await turns?.answered(turn))
    }
    const own = texts.flatMap((content) =>
      content === undefined ? [] : [{ role: 'user' as const, content, providerOptions: OWN }],
    )
    return { asks, messages: withAbandoned(own.length === 0 ? messages : [...messages, ...own]) }
  }

  return async (options) => {
    if (options.initialMessages === undefined) {
      throw new TypeError('This is version 6 of the AI SDK. Import from "@repertoire/ai-sdk/v6", or install `ai@7`.')
    }
    onStep({ model: options.model, contexts: contextsOf(options) })
    const { messages, asks } = options.stepNumber === 0 ? await begun(options) : { ...options, asks: undefined }
    await parts.saves.save()
    if (asks !== undefined) {
      skillTools.add(DEFAULT_TOOL_NAMES.activate)
      return { model: asking(options.model, asks), activeTools: [DEFAULT_TOOL_NAMES.activate] }
    }
    // Not from `instructions`: those are of the previous step, with its list of skills.
    const before = chosenBefore.get(options.steps) ?? options.initialInstructions
    const chosen = await parts.prepareStep?.({ ...options, messages, instructions: before } as HostStepOptions)
    const hostInstructions = chosen?.instructions ?? chosen?.system ?? before
    if (hostInstructions !== undefined) chosenBefore.set(options.steps, hostInstructions)
    const activeTools: readonly string[] | undefined = chosen?.activeTools ?? parts.activeTools
    const hostModel = chosen?.model ?? options.model
    const step = await steps.begin(
      Object.keys(hostTools).filter((name) => activeTools?.includes(name) ?? true),
      hostModel,
    )
    skillTools.show(step)
    const { model = hostModel } = step
    const used = { model, contexts: contextsOf({ ...options, ...chosen }) }
    onStep(used)
    const unjudged = await step.unjudged(toolsOfProvider)
    const shown = new Set(step.tools.map(({ name }) => name))
    const hides = (tool: string): boolean =>
      skillTools.names.has(tool) ? !shown.has(tool) : step.isHidden(tool) || unjudged.has(tool)
    return {
      // What is returned here applies to all later steps of the run.
      ...(messages !== options.messages && { messages }),
      ...chosen,
      model: shownTo(model, {
        step,
        hides,
        makes: (callId) => steps.note(callId, step),
        calls: (call) => onStep({ ...used, called: { model, settings: settingsOf(call) } }),
      }),
      instructions: withSkillInstructions(hostInstructions, step),
      // The host's choice is about its own tools; a skill can always be deactivated.
      ...(activeTools !== undefined && { activeTools: [...activeTools, ...skillTools.names] }),
    }
  }
}

// `experimental_context` is the one of version 6.
const CONTEXTS = ['toolsContext', 'runtimeContext', 'experimental_sandbox', 'experimental_context'] as const

function contextsOf(options: { readonly [name in (typeof CONTEXTS)[number]]?: unknown }): object {
  return Object.fromEntries(CONTEXTS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])))
}

/** The host's instructions followed by core's, in the form that the host uses. */
function withSkillInstructions(hostInstructions: Instructions | undefined, view: StepView): Instructions {
  if (hostInstructions === undefined || typeof hostInstructions === 'string') return view.system(hostInstructions) ?? []
  const messages = Array.isArray(hostInstructions) ? hostInstructions : [hostInstructions]
  const last = messages.at(-1)
  if (last === undefined) return view.system(undefined) ?? []
  return [...messages.slice(0, -1), { ...last, content: view.system(last.content) ?? '' }]
}

/** Version 6 does not say which tools the provider runs: those of it that have no `execute`. */
function isRunByProvider(tool: ToolSet[string]): boolean {
  const { isProviderExecuted } = tool as { readonly isProviderExecuted?: boolean }
  return tool.type === 'provider' && (isProviderExecuted ?? tool.execute === undefined)
}

/**
 * Adds a result to every call whose approval request a person has ignored by writing another message, also beside one
 * that has an answer: AI SDK reads answers from the last message alone. It rejects a user message after a call without
 * a result, so the conversation could not continue.
 * @returns the same array if no call is open
 */
function withAbandoned(messages: ModelMessage[]): ModelMessage[] {
  // Open approvals and calls at the time of a user's message.
  const asked = new Map<string, string>()
  const calls = new Map<string, ToolResultPart>()
  const fixed: ModelMessage[] = []
  for (const message of messages) {
    if (message.role === 'user') {
      const content = [...asked.values()].flatMap((id) => calls.get(id) ?? [])
      if (content.length > 0) fixed.push({ role: 'tool', content })
      asked.clear()
    }
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, abandoned(part))
      if (part.type === 'tool-approval-request') asked.set(part.approvalId, part.toolCallId)
      if (part.type === 'tool-result') calls.delete(part.toolCallId)
      if (part.type !== 'tool-approval-response' || part.approved) continue
      const call = calls.get(asked.get(part.approvalId) ?? '')
      if (call !== undefined)
        calls.set(call.toolCallId, { ...call, output: { type: 'execution-denied', reason: part.reason } })
    }
    fixed.push(message)
  }
  return fixed.length === messages.length ? messages : fixed
}

function abandoned({ toolCallId, toolName }: ToolCallPart): ToolResultPart {
  const value = abandonedCallText(toolName)
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value } }
}
