import type { SessionProblem, SessionProblemCode } from '../ports/problem.ts'
import { RecentEntries } from '../recent-entries.ts'

/** Problems because of which an agent does less than its host expects, in a run that seems to succeed. */
const WARNED: ReadonlySet<SessionProblemCode> = new Set<SessionProblemCode>([
  'SESSION_ENDED_EARLY',
  'NO_SKILLS',
  'SKILLS_UNKNOWN',
  'SKILL_NOT_LOADED',
  'SKILL_EDITED',
  'SAVED_SKILL_MISSING',
  'CONSENT_UNATTENDED',
  'ANSWER_UNREADABLE',
])

/**
 * Creates a function for problems that a host without `onProblem` would miss. It emits a warning of the process, once
 * for each code, or once for each file. It does nothing in a runtime without processes.
 */
export function createWarnings(): (problem: SessionProblem) => void {
  const warned = new RecentEntries<string, true>(1_000)
  return ({ code, message, path = code }) => {
    if (!WARNED.has(code) || warned.has(path)) return
    warned.set(path, true)
    const { process } = globalThis as { readonly process?: { readonly emitWarning?: EmitWarning } }
    process?.emitWarning?.(message, {
      type: 'RepertoireWarning',
      code,
      detail: 'Handle problems of sessions with the option `onProblem`.',
    })
  }
}

type EmitWarning = (message: string, options: { type: string; code: string; detail: string }) => void
