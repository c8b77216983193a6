import type { SessionProblem, SessionProblemCode } from '../ports/problem.ts'

/** Problems because of which an agent does less than its host expects, in a run that seems to succeed. */
const WARNED: ReadonlySet<SessionProblemCode> = new Set<SessionProblemCode>([
  'SESSION_ENDED_EARLY',
  'SESSION_NOT_ENDED',
  'ADAPTER_INCOMPLETE',
  'NO_SKILLS',
  'SAVED_SKILL_MISSING',
  'SKILLS_UNMATCHED',
  'CONSENT_UNATTENDED',
  'ANSWER_UNREADABLE',
])

/**
 * Creates a function for problems that a host without `onProblem` would miss. It emits a warning of the process, once for
 * each code, and does nothing in a runtime without processes.
 */
export function createWarnings(): (problem: SessionProblem) => void {
  const warned = new Set<SessionProblemCode>()
  return ({ code, message }) => {
    if (!WARNED.has(code) || warned.has(code)) return
    warned.add(code)
    const { process } = globalThis as { readonly process?: { readonly emitWarning?: EmitWarning } }
    process?.emitWarning?.(message, {
      type: 'RepertoireWarning',
      code,
      detail: 'Handle problems of sessions with the option `onProblem`.',
    })
  }
}

type EmitWarning = (message: string, options: { type: string; code: string; detail: string }) => void
