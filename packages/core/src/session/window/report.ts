import type { AuditedWindow } from '../../audit/events.ts'
import type { SessionProblemCode } from '../../ports/problem.ts'
import type { MadeSummary } from '../../window/summarize.ts'
import { quoteName } from '@repertoire/skill-md/internal'
import type { ActiveSkill } from '../state/state.ts'
import { reportCounting } from '../step/begin.ts'
import type { AuditDraft } from '../audit/draft.ts'
import type { FitContext } from './request.ts'

/** What is said about the steps that are taken for a window: each is an event, and what matters is a problem. */
export interface WindowReports {
  readonly summarized: (made: MadeSummary, messages: number, before: number, after: number) => Promise<void>
  readonly evicted: (skills: readonly string[], before: number, after: number) => Promise<void>
  readonly deactivated: (skills: readonly ActiveSkill[]) => void
  readonly exceeded: (tokens: number) => Promise<void>
  readonly forgot: () => void
  readonly leftAlone: (tokens: number) => Promise<void>
  readonly countingFailed: (problem: string, cause?: unknown) => void
}

/** Creates the reports of one request. Problems that would come at every step are said once for each session. */
export function createWindowReports({ context, window: { settings }, state }: FitContext): WindowReports {
  const { id } = state.current()
  const size = Math.round(settings.size)
  const isFirst = (kind: string): boolean => context.firstReports.isFirst(id, kind)

  const problem = (code: SessionProblemCode, message: string, cause?: unknown): void =>
    context.reportProblem({ code, message, cause })

  async function record(
    draft: Pick<AuditDraft, 'type' | 'outcome' | 'reason' | 'error'>,
    { before, after, ...rest }: Told,
  ): Promise<void> {
    const window = { size, ...rest, tokensBefore: before && Math.ceil(before), tokens: after && Math.ceil(after) }
    await context.audit?.record({ ...draft, active: state.current().active, window })
  }

  return {
    async summarized({ by, failure, usage }, messages, before, after) {
      if (usage !== undefined) context.audit?.recordUsage(usage)
      if (failure !== undefined) {
        problem(
          'SUMMARY_FAILED',
          `The conversation was too long for the window, and its summariser could not be used: ${failure.reason}. An extract of ${messages} messages stands in their place. Look at the summariser, or set \`context.summaries.summarize\` to another one.`,
          failure.cause,
        )
      }
      const outcome = failure === undefined ? 'succeeded' : 'failed'
      const why = failure && { reason: failure.reason, error: failure.cause }
      await record({ type: 'window.summarized', outcome, ...why }, { before, after, messages, by })
    },
    evicted: (skills, before, after) =>
      record({ type: 'window.evicted', outcome: 'succeeded' }, { before, after, skills }),
    deactivated(skills) {
      for (const skill of skills) {
        context.reportProblem({
          code: 'SKILL_DEACTIVATED',
          skill: skill.name,
          message: `The skill ${quoteName(skill.name)} is no longer active: its instructions did not fit into the model's window beside those of skills that were activated later. Its rules no longer apply.`,
        })
      }
    },
    async exceeded(tokens) {
      if (isFirst('WINDOW_EXCEEDED')) {
        problem(
          'WINDOW_EXCEEDED',
          `What is sent to the model takes about ${Math.ceil(tokens)} tokens, and its window has ${size}: the last messages, the system prompt and the instructions of active skills alone are too long. Deactivate skills, let tools return less, or use a model with a larger window and say so in \`context.window\`.`,
        )
      }
      await record({ type: 'window.exceeded', outcome: 'failed' }, { after: tokens })
    },
    forgot: () => void record({ type: 'window.forgotten', outcome: 'succeeded' }, {}),
    async leftAlone(tokens) {
      if (!isFirst('WINDOW_LEFT_ALONE')) return
      const reason = 'The provider keeps or summarises this conversation itself, so nothing is cut from it here.'
      problem('WINDOW_LEFT_ALONE', reason)
      await record({ type: 'window.left_alone', outcome: 'succeeded', reason }, { after: tokens })
    },
    countingFailed: (reason, cause) => reportCounting(context, id, { reason, cause }),
  }
}

type Told = Pick<AuditedWindow, 'messages' | 'by' | 'skills'> & { readonly before?: number; readonly after?: number }
