import { readFile } from 'node:fs/promises'
import type { StepView } from '@repertoire/core'
import type { AdapterSession, Step } from '@repertoire/core/adapter'

/** What the model has read of skills. Claude Code keeps the conversation, and sends it itself. */
export interface Conversation {
  /** The system prompt that the query begins with has this list. */
  readonly begin: (view: StepView) => void
  /** Reads what an earlier process has left of the conversation. Done once. */
  readonly read: (transcript: string) => Promise<void>
  /** Notes a text that the model is shown. */
  readonly shows: (text: string) => void
  /** The conversation has been summarised or cleared. */
  readonly forget: () => void
  /** Begins the step of the next model call, and returns what the model is to be shown before it. */
  readonly nextStep: () => Promise<readonly string[]>
  /**
   * Returns the step of the model call that was made last.
   * @param tool a tool of Claude Code's or of the host's servers that is called. Nothing lists them before
   */
  readonly step: (tool?: string) => Promise<Step>
}

export interface ConversationParts {
  readonly session: AdapterSession
  /** The names of the host's tools. */
  readonly hostTools: readonly string[]
  readonly model: string | undefined
  /** Whether the query has begun with the model of that name. It cannot change its model. */
  readonly isModel: (name: string) => boolean
  readonly show: (view: StepView) => Promise<void>
}

/** Creates the record of a query's conversation. */
export function createConversation({ session, hostTools, model, isModel, show }: ConversationParts): Conversation {
  let transcript: string | undefined
  let texts: string[] = []
  let list = ''
  // The transcript has texts as JSON.
  const isShown = (text: string): boolean =>
    texts.some((shown) => shown.includes(text)) || transcript?.includes(JSON.stringify(text).slice(1, -1)) === true
  let current: Promise<Step> | undefined
  const known = new Set(hostTools)
  const begin = (): Promise<Step> =>
    (current = session.step({
      tools: known,
      resolveModel: (name) => (isModel(name) ? name : undefined),
      nameOf: () => model,
    }))
  return {
    begin(view) {
      list = view.instructions
      texts.push(list)
    },
    async read(path) {
      transcript ??= afterCompaction(await readFile(path, 'utf8').catch(() => ''))
    },
    shows(text) {
      texts.push(text)
    },
    forget() {
      transcript = ''
      texts = [list]
    },
    step(tool) {
      if (tool === undefined || known.has(tool)) return current ?? begin()
      known.add(tool)
      return begin()
    },
    async nextStep() {
      const step = await begin()
      await show(step)
      const reminder = await step.reminder(isShown)
      const added = [
        ...(step.instructions === list ? [] : [step.instructions]),
        ...(reminder === undefined ? [] : [reminder]),
      ]
      list = step.instructions
      texts.push(...added)
      return added
    },
  }
}

function afterCompaction(lines: string): string {
  return lines.slice(Math.max(0, lines.lastIndexOf('"subtype":"compact_boundary"')))
}
