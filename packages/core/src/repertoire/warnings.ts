import type { SessionProblem, SessionProblemCode } from '../ports/problem.ts'
import { recentEntries } from '../recent-entries.ts'

/** Problems because of which an agent does less than its host expects, in a run that seems to succeed. */
const WARNED: ReadonlySet<SessionProblemCode> = new Set<SessionProblemCode>([
  'SESSION_ENDED_EARLY',
  'SESSION_NOT_ENDED',
  'ADAPTER_INCOMPLETE',
  'NO_SKILLS',
  'SKILL_NOT_LOADED',
  'SAVED_SKILL_MISSING',
  'CONSENT_UNATTENDED',
  'ANSWER_UNREADABLE',
])

/** Files that the process was warned of. One for all repertoires: some programs open the same skills more than once. */
const warnedFiles = recentEntries<string, true>(1_000)

/**
 * Creates a function for problems that a host without `onProblem` would miss. It emits a warning of the process, once for
 * each code, of `SKILL_NOT_LOADED` once for each file. It does nothing in a runtime without processes.
 */
export function createWarnings(): (problem: SessionProblem) => void {
  const warned = new Set<SessionProblemCode>()
  return ({ code, message, path }) => {
    if (!WARNED.has(code) || (path === undefined ? warned.has(code) : warnedFiles.has(path))) return
    if (path === undefined) warned.add(code)
    else warnedFiles.set(path, true)
    const { process } = globalThis as { readonly process?: { readonly emitWarning?: EmitWarning } }
    process?.emitWarning?.(message, {
      type: 'RepertoireWarning',
      code,
      detail: 'Handle problems of sessions with the option `onProblem`.',
    })
  }
}

type EmitWarning = (message: string, options: { type: string; code: string; detail: string }) => void
