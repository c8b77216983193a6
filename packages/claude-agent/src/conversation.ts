import { readFile } from 'node:fs/promises'
import type { StepView } from '@repertoire/core'
import type { AdapterSession, Step } from '@repertoire/core/adapter'

/** What the model has read of skills. Claude Code keeps the conversation, and sends it itself. */
export type Conversation = ReturnType<typeof createConversation>

/**
 * Creates the record of a query's conversation.
 * @param isModel whether the query has begun with the model of that name. It cannot change its model
 */
export function createConversation({
  session,
  hostTools,
  model,
  isModel,
  show,
}: {
  readonly session: AdapterSession
  readonly hostTools: readonly string[]
  readonly model: string | undefined
  readonly isModel: (name: string) => boolean
  readonly show: (view: StepView) => Promise<void>
}) {
  let transcript: string | undefined
  let texts: string[] = []
  let list = ''
  // The transcript has texts as JSON.
  const isShown = (text: string): boolean =>
    texts.some((shown) => shown.includes(text)) || transcript?.includes(JSON.stringify(text).slice(1, -1)) === true
  let current: Promise<Step> | undefined
  let message = crypto.randomUUID()
  const known = new Set(hostTools)
  const begin = (): Promise<Step> =>
    (current = session.step({
      tools: known,
      resolveModel: (name) => (isModel(name) ? name : undefined),
      nameOf: () => model,
    }))
  return {
    /** The system prompt that the query begins with has this list. */
    begin(view: StepView): void {
      list = view.instructions
      texts.push(list)
    },
    /** Reads what an earlier process has left of the conversation. Done once. */
    async read(path: string): Promise<void> {
      transcript ??= afterCompaction(await readFile(path, 'utf8').catch(() => ''))
    },
    /** Notes a text that the model is shown. */
    shows(text: string): void {
      texts.push(text)
    },
    /** The conversation has been summarised or cleared. */
    forget(): void {
      transcript = ''
      texts = [list]
    },
    /**
     * Returns the step of the model call that was made last, and what identifies the message that has answered it.
     * @param tool a tool of Claude Code's or of the host's servers that is called. Nothing lists them before, so the
     * same message may go on in another step
     */
    async step(tool?: string): Promise<{ readonly step: Step; readonly message: string }> {
      const isKnown = tool === undefined || known.has(tool)
      if (!isKnown) known.add(tool)
      return { message, step: await ((isKnown && current) || begin()) }
    },
    /** Begins the step of the next model call, and returns what the model is to be shown before it. */
    async nextStep(): Promise<readonly string[]> {
      message = crypto.randomUUID()
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
