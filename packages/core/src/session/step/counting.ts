import type { SessionProblem } from '../../ports/problem.ts'
import type { SessionContext, CountingFailure } from '../context.ts'

/** Reports once for each session that lists were measured by the estimate, since the host's counter failed. */
export function reportCounting(
  {
    listCounting,
    window,
    modelReports,
    reportProblem,
  }: Pick<SessionContext, 'listCounting' | 'modelReports' | 'reportProblem'> & Partial<Pick<SessionContext, 'window'>>,
  session: () => string,
): void {
  const failure = listCounting?.failure()
  if (failure === undefined) return
  // No skill has such a name.
  const isFirst = window?.memory.isFirst(session(), 'counting') ?? modelReports.isFirst(session(), 'countTokens()')
  if (isFirst) reportProblem(tokensNotCounted(failure))
}

/** The problem that a counter of the host's failed. */
export function tokensNotCounted({ reason, cause }: CountingFailure): SessionProblem {
  return {
    code: 'TOKENS_NOT_COUNTED',
    message: `The host's counter of tokens failed: ${reason}. The tokens of that text are estimated.`,
    ...(cause !== undefined && { cause }),
  }
}
