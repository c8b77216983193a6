import type { AuditedWindow } from '../../audit/events.ts'
import type { SessionProblemCode } from '../../ports/problem.ts'
import { type TokenCounter, quoteName } from '@repertoire/skill-md/internal'
import { safeCounter } from '../../text/safe-counter.ts'
import { estimateTokens } from '../../window/settings.ts'
import { type PlacedSummary, lastOfPerson, placeSummary, recordSummary, sentPositions } from '../../window/record.ts'
import { nextStep } from '../../window/plan.ts'
import { type MadeSummary, makeSummary } from '../../window/summarize.ts'
import { summaryMessage } from '../../window/message.ts'
import { type ActiveSkill, isPinned } from '../state/state.ts'
import type { ShownSection } from '../step/view.ts'
import { readInstructions } from '../turn/reminder.ts'
import {
  AS_IT_IS,
  type FitContext,
  type FittedWindow,
  type Measure,
  type WindowRequest,
  createMeasure,
} from './request.ts'
import type { AuditDraft } from '../audit/event.ts'
import { reportCounting } from '../step/begin.ts'
import { deactivateSkill } from '../activation/deactivate.ts'

/** Returns what is to be sent in the place of a request, so that it keeps to the window. */
export async function fitWindow(fit: FitContext, request: WindowRequest): Promise<FittedWindow> {
  const { lifetime } = fit
  request.signal?.throwIfAborted()
  // A task that has ended has no skills and no summary: what its host still sends is the host's.
  if (lifetime.hasEnded()) return AS_IT_IS
  return (await lifetime.runUntilEnd(request.signal, (signal) => plan(fit, request, signal))) ?? AS_IT_IS
}

async function plan(fit: FitContext, request: WindowRequest, signal: AbortSignal): Promise<FittedWindow> {
  const { context, window, state, hostTools } = fit
  const { settings } = window
  const { messages, system = '', chained = false } = request
  const reports = createWindowReports(fit)
  const count: TokenCounter = safeCounter(settings.countTokens, estimateTokens, reports.countingFailed)
  const measured = createMeasure({ request, count, known: window.known })
  let summary = knownSummary(fit, messages, measured, reports.forgot)
  let sections = fit.sections()
  const evicted: ShownSection[] = []
  const withoutEvicted = (text: string): string =>
    evicted.reduce((rest, section) => withoutSection(rest, section.text), text)

  const sentNow = (): readonly number[] =>
    summary === undefined ? [...messages.keys()] : sentPositions(summary, messages)
  const reminder = async (active: readonly ActiveSkill[]): Promise<string | undefined> => {
    const shown = [withoutEvicted(system), ...sentNow().map((at) => messages[at]!.text)]
    const isShown = (text: string): boolean => shown.some((each) => each.includes(text))
    return (await readInstructions(context, { active, hostTools }, isShown)).reminder
  }
  const used = async (): Promise<number> =>
    measured.total({
      system: withoutEvicted(system),
      sent: sentNow(),
      summary: summary && summaryMessage(summary.text),
      reminder: await reminder(state.current().active),
    })

  /** Of what stands around a summary: one of less would make the request longer. */
  const framing = measured.ofMessage(summaryMessage(''))

  let now = await used()
  if (chained || messages.some(({ compaction }) => compaction === true)) {
    await reports.leftAlone(now)
    return AS_IT_IS
  }
  for (;;) {
    const covered = summary?.upTo ?? 0
    const step = nextStep({
      used: now,
      limits: settings,
      messages,
      covered,
      gain: (upTo) => measured.of(newlyCovered(messages, summary, upTo)) - (summary === undefined ? framing : 0),
      sections,
    })
    if (step === undefined) break
    const before = now
    if (step.type === 'evict') {
      const names = new Set(step.names)
      evicted.push(...sections.filter(({ name }) => names.has(name)))
      sections = sections.filter(({ name }) => !names.has(name))
      now = await used()
      await reports.evicted(step.names, before, now)
      continue
    }
    const replaced = newlyCovered(messages, summary, step.upTo)
    const made = await makeSummary(
      { messages: replaced.map((at) => messages[at]!), previous: summary?.text },
      {
        settings,
        // The host's choice comes before the adapter's.
        summarize: (settings.summarize ?? request.summarize) || undefined,
        countTokens: count,
        signal,
      },
    )
    const shown = lastOfPerson(messages)
    summary = { text: made.text, upTo: step.upTo, shown: shown !== undefined && shown < step.upTo ? shown : undefined }
    state.apply({ type: 'summarized', summary: recordSummary(summary, messages, measured.digestUpTo) })
    now = await used()
    await reports.summarized(made, replaced.length, before, now)
  }
  if (settings.lowerSkills === 'deactivate' && now > settings.reduceAbove * settings.size) {
    const removed = await deactivateLower(
      fit,
      reminder,
      async () => (now = await used()) > settings.reduceAbove * settings.size,
    )
    reports.deactivated(removed)
  }
  if (now > settings.size) await reports.exceeded(now)
  if (summary === undefined && evicted.length === 0) return AS_IT_IS
  return {
    fit: {
      messages: [...(summary === undefined ? [] : [{ summary: summaryMessage(summary.text) }]), ...sentNow()],
      system: withoutEvicted,
    },
    evicted: evicted.map(({ name }) => name),
  }
}

/** The summary of an earlier step or run, if it is of this conversation. */
function knownSummary(
  { state }: FitContext,
  messages: WindowRequest['messages'],
  { digestUpTo }: Measure,
  onForgotten: () => void,
): PlacedSummary | undefined {
  const record = state.current().summary
  if (record === undefined) return undefined
  const placed = placeSummary(record, messages, digestUpTo)
  if (placed !== undefined) return placed
  state.apply({ type: 'forgotten', digest: record.digest })
  onForgotten()
  return undefined
}

/** The positions of the messages that a summary up to a position replaces, beside those that one does already. */
function newlyCovered(
  messages: WindowRequest['messages'],
  summary: PlacedSummary | undefined,
  upTo: number,
): readonly number[] {
  const last = lastOfPerson(messages)
  const positions: number[] = []
  if (summary?.shown !== undefined && summary.shown !== last) positions.push(summary.shown)
  for (let at = summary?.upTo ?? 0; at < upTo; at++) {
    if (at !== last && messages[at]!.own !== true) positions.push(at)
  }
  return positions
}

/**
 * Deactivates skills from the bottom of the stack, one after the other, whose instructions would be shown again
 * although the conversation has lost them. The top of the stack stays, and so does what a parent session has activated.
 * @param reminder returns what is shown again of some skills
 * @param isTooMuch measures anew
 * @returns those that are no longer active
 */
async function deactivateLower(
  session: FitContext,
  reminder: (active: readonly ActiveSkill[]) => Promise<string | undefined>,
  isTooMuch: () => Promise<boolean>,
): Promise<readonly ActiveSkill[]> {
  const removed: ActiveSkill[] = []
  for (const skill of session.state.current().active.slice(0, -1)) {
    if (isPinned(skill) || (await reminder([skill])) === undefined) continue
    const refusal = await session.lifetime.runExclusive(() => deactivateSkill(session, skill, { by: 'window' }))
    if (refusal !== undefined) break
    removed.push(skill)
    if (!(await isTooMuch())) break
  }
  return removed
}

/** Removes a section with the empty line before it: the last one, since the host's own prompt comes first. */
export function withoutSection(system: string, section: string): string {
  for (let at = system.lastIndexOf(section); at !== -1; at = at === 0 ? -1 : system.lastIndexOf(section, at - 1)) {
    const end = at + section.length
    // The heading of a skill may begin with that of another one, which has no description.
    if (end < system.length && system[end] !== '\n') continue
    return system.slice(0, at).replace(/\n\n$/, '') + system.slice(end)
  }
  return system
}

/** Creates the reports of one request. Problems that would come at every step are said once for each session. */
function createWindowReports({ context, window: { settings }, state }: FitContext) {
  const { id } = state.current()
  const size = Math.round(settings.size)
  const once = (code: SessionProblemCode, message: string): boolean =>
    context.reportOnce(id, code, () => ({ code, message }))

  async function record(
    draft: Pick<AuditDraft, 'type' | 'outcome' | 'reason' | 'error'>,
    { before, after, ...rest }: Told,
  ): Promise<void> {
    const window = { size, ...rest, tokensBefore: before && Math.ceil(before), tokens: after && Math.ceil(after) }
    await context.audit?.record({ ...draft, active: state.current().active, window })
  }

  return {
    async summarized({ by, failure, usage }: MadeSummary, messages: number, before: number, after: number) {
      if (usage !== undefined) context.audit?.recordUsage(usage)
      if (failure !== undefined) {
        context.reportProblem({
          code: 'SUMMARY_FAILED',
          message: `The conversation was too long for the window, and its summariser could not be used: ${failure.reason}. An extract of ${messages} messages stands in their place. Look at the summariser, or set \`context.summaries.summarize\` to another one.`,
          cause: failure.cause,
        })
      }
      const outcome = failure === undefined ? 'succeeded' : 'failed'
      const why = failure && { reason: failure.reason, error: failure.cause }
      await record({ type: 'window.summarized', outcome, ...why }, { before, after, messages, by })
    },
    evicted: (skills: readonly string[], before: number, after: number) =>
      record({ type: 'window.evicted', outcome: 'succeeded' }, { before, after, skills }),
    deactivated(skills: readonly ActiveSkill[]) {
      for (const skill of skills) {
        context.reportProblem({
          code: 'SKILL_DEACTIVATED',
          skill: skill.name,
          message: `The skill ${quoteName(skill.name)} is no longer active: its instructions did not fit into the model's window beside those of skills that were activated later. Its rules no longer apply.`,
        })
      }
    },
    async exceeded(tokens: number) {
      once(
        'WINDOW_EXCEEDED',
        `What is sent to the model takes about ${Math.ceil(tokens)} tokens, and its window has ${size}: the last messages, the system prompt and the instructions of active skills alone are too long. Deactivate skills, let tools return less, or use a model with a larger window and say so in \`context.window\`.`,
      )
      await record({ type: 'window.exceeded', outcome: 'failed' }, { after: tokens })
    },
    forgot: () => void record({ type: 'window.forgotten', outcome: 'succeeded' }, {}),
    async leftAlone(tokens: number) {
      const reason = 'The provider keeps or summarises this conversation itself, so nothing is cut from it here.'
      if (!once('WINDOW_LEFT_ALONE', reason)) return
      await record({ type: 'window.left_alone', outcome: 'succeeded', reason }, { after: tokens })
    },
    countingFailed: (reason: string, cause?: unknown) => reportCounting(context, id, { reason, cause }),
  }
}

type Told = Pick<AuditedWindow, 'messages' | 'by' | 'skills'> & { readonly before?: number; readonly after?: number }
