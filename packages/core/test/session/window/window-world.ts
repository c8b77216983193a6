import type { AuditEvent, Repertoire, RepertoireOptions, SessionProblem, TokenCounter } from '../../../src/index.ts'
import {
  type AdapterSession,
  type AdapterSessionOptions,
  type Prompt,
  type Step,
  type WindowMessage,
  type WindowRequest,
} from '../../../src/adapter.ts'
import { HOST, open } from '../session-world.ts'

/** A session with a window, and what it says about it. */
export interface WindowWorld {
  readonly session: AdapterSession
  readonly repertoire: Repertoire
  readonly problems: SessionProblem[]
  readonly events: AuditEvent[]
  /** Returns the texts of what is sent, a summary in its place. */
  readonly send: (messages: readonly WindowMessage[], more?: Partial<WindowRequest>) => Promise<readonly string[]>
}

/** One word is one token: what is expected can be counted by hand. */
export const words = (text: string): number => (text.match(/\S+/g) ?? []).length

/** Whether a message is a summary that the session made. */
export const isSummary = (text: string | undefined): boolean => text?.startsWith('<conversation_summary>\n') === true

interface WindowRepertoire extends Omit<Partial<RepertoireOptions>, 'countTokens'> {
  /** `default`: tokens are counted as they are for a host that gives no counter. Default here: one for each word. */
  readonly countTokens?: TokenCounter | 'default' | undefined
}

export async function openWindow(
  { countTokens = words, ...repertoire }: WindowRepertoire = {},
  options: AdapterSessionOptions = {},
): Promise<WindowWorld> {
  const problems: SessionProblem[] = []
  const events: AuditEvent[] = []
  const opened = await open(
    { onProblem: (problem) => problems.push(problem), ...options },
    {
      // What steps show is looked at elsewhere.
      audit: { write: (event) => void (event.type !== 'skills.shown' && events.push(event)) },
      ...repertoire,
      context: {
        window: 1_000,
        summaries: { summarize: ({ messages }) => `Summary of ${messages.length}.` },
        ...(countTokens !== 'default' && { countTokens }),
        ...repertoire.context,
      },
    },
  )
  const { session } = opened
  const send: WindowWorld['send'] = async (messages, more = {}) => {
    const step = await session.step({ tools: HOST })
    const sent = await promptOf(step, { system: 'Be careful.', tools: [], messages, ...more })
    return sent.messages.map(({ text }) => text)
  }
  return { ...opened, problems, events, send }
}

/** Returns what a step sends of a request. */
export const promptOf = (step: Step, request: WindowRequest): Promise<Prompt<WindowMessage>> =>
  step.prompt({ ...request, describe: (message) => message, asMessage: (text) => ({ role: 'user', text }) })

/** A conversation in which a person says one thing, and the model calls a tool over and over. */
export function longTask(steps: number, wordsEach: number, from = 0): readonly WindowMessage[] {
  return [
    { role: 'user', text: 'Find the fault.' },
    ...Array.from({ length: steps }, (_, index) => callAndResult(from + index, wordsEach)).flat(),
  ]
}

export function callAndResult(index: number, wordsEach: number): readonly WindowMessage[] {
  const id = `c${index}`
  return [
    { role: 'assistant', text: '', calls: [{ id, tool: 'Read', input: { path: `${index}.md` } }] },
    { role: 'tool', text: `${index}:${' word'.repeat(wordsEach - 1)}`, answers: [id] },
  ]
}
