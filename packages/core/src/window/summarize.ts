import type { Summarizer, Summary } from '../ports/summarizer.ts'
import { type TokenCounter, isObject, stripInvisible } from '@repertoire/skill-md/internal'
import { ABORTED, TIMED_OUT, waitFor } from '../time-limit.ts'
import { type Covered, extractOf, summarized, summaryRequest } from './transcript.ts'
import type { WindowSettings } from './settings.ts'

export interface MadeSummary {
  readonly text: string
  readonly by: 'summarizer' | 'extract'
  /** Why there is an extract although there is a summariser: the end of a sentence. */
  readonly failure?: { readonly reason: string; readonly cause?: unknown }
  readonly usage?: Summary['usage']
}

export interface SummaryContext {
  readonly settings: Pick<WindowSettings, 'size' | 'summaryTokens' | 'summaryTimeout'>
  /** Absent: there is none, and a summary is an extract. */
  readonly summarize: Summarizer | undefined
  readonly countTokens: TokenCounter
  readonly signal: AbortSignal
}

/** Of the window, for a summary's prompt. The rest is for what the model writes, and what an estimate misses. */
const PROMPT_SHARE = 0.75

/** At most: other scripts, and text without words, have fewer. */
const CHARS_PER_TOKEN = 3

/** A summary of more tokens than allowed is used up to this factor: counters differ. */
const MAX_EXCESS = 2

/** Summarises a conversation; by an extract where the summariser fails. */
export async function makeSummary(covered: Covered, context: SummaryContext): Promise<MadeSummary> {
  const { settings, summarize, countTokens, signal } = context
  const text = [covered.previous ?? '', ...covered.messages.map((message) => summarized(message))].join('\n')
  const coveredTokens = countTokens(text)
  const charsOf = (tokens: number): number =>
    Math.floor(tokens * Math.min(CHARS_PER_TOKEN, text.length / coveredTokens))
  const extract = (): string => extractOf(covered, charsOf(settings.summaryTokens))
  if (summarize === undefined) return { text: extract(), by: 'extract' }
  const failed = (reason: string, cause?: unknown): MadeSummary => ({
    text: extract(),
    by: 'extract',
    failure: { reason, cause },
  })
  const given = summaryRequest(covered, settings.summaryTokens, charsOf(settings.size * PROMPT_SHARE))
  const limit = new AbortController()
  let answer: unknown
  try {
    const options = { signal: AbortSignal.any([signal, limit.signal]), maxTokens: settings.summaryTokens }
    const asked = (async () => summarize(given, options))()
    answer = await waitFor(asked, settings.summaryTimeout, signal)
  } catch (error) {
    signal.throwIfAborted()
    return failed('it failed', error)
  }
  signal.throwIfAborted()
  if (answer === TIMED_OUT || answer === ABORTED) {
    limit.abort(new DOMException('The summary took too long.', 'TimeoutError'))
    return failed(`it did not answer within ${settings.summaryTimeout} ms`)
  }
  const { text: made, usage } = readSummary(answer)
  const checked = (): MadeSummary => {
    if (typeof made !== 'string') return failed('it did not return a text')
    if (stripInvisible(made).trim() === '') return failed('it returned nothing')
    const tokens = countTokens(made)
    if (tokens > MAX_EXCESS * settings.summaryTokens) {
      return failed(`it returned ${tokens} tokens where ${settings.summaryTokens} were asked for`)
    }
    if (tokens > coveredTokens) return failed('it returned more than it was given')
    return { text: made, by: 'summarizer' }
  }
  return { ...checked(), usage: isObject(usage) ? { ...usage } : undefined }
}

/** A host's function may return anything, and a getter of it may throw. */
function readSummary(answer: unknown): { readonly text?: unknown; readonly usage?: unknown } {
  if (typeof answer === 'string') return { text: answer }
  try {
    const { text, usage } = Object(answer) as Partial<Summary>
    return { text, usage }
  } catch {
    return {}
  }
}
