import type { Viewer } from '../catalog/view.ts'
import { checkOptions } from '../options/table.ts'
import { SESSION_OPTIONS } from './option-tables.ts'
import type { RepertoireOptions, SessionOptions } from './options.ts'
import type { SessionAudits } from '../session/audit/recorder.ts'
import type { Toolset } from '../gate/index.ts'
import type { SessionContext } from '../session/context.ts'
import { createSession } from '../session/create-session.ts'
import type { Session } from '../session/session.ts'
import { checkResumed } from '../session/state/check-resumed.ts'
import { unsealState } from '../session/state/seal.ts'
import { createSessionSettings, type SharedContext } from './session-settings.ts'

/** Returns a function that opens the sessions of a repertoire. */
export function createSessionOpener(shared: SharedContext): (options?: SessionOptions) => Session {
  const { settings, enabled, audits, uses } = shared
  const settingsFor = createSessionSettings(shared)
  return (options = {}) => {
    checkOptions('openSession', SESSION_OPTIONS, options)
    const { saved, model, until } = options
    const { viewer, views, context } = settingsFor(options)
    const { tools, cwd, reportProblem } = context
    if (options.hostTools !== undefined) tools.check(options.hostTools)
    // The same list for the same names.
    const hostTools = options.hostTools && tools.of(options.hostTools).names
    const resumed = saved === undefined ? undefined : checkResumed(unsealState(saved, settings.stateKey), options.id)
    const id = resumed?.id ?? options.id ?? crypto.randomUUID()
    const correlationId = resumed?.correlationId ?? options.correlationId
    const audit =
      audits === undefined
        ? undefined
        : openAudit(audits, viewer, { cwd, tools: tools.of(hostTools) }, { session: id, correlationId, reportProblem })
    if (model !== undefined) audit?.beginStep(model, resumed?.active ?? [], tools.of(hostTools))
    const use = uses.open(id, viewer)
    // Where skills are off, those of a saved session restrict nothing either, and stay in its saved state.
    const known = (resumed && !enabled ? { ...resumed, active: [] } : resumed) ?? id
    return createSession({ ...context, hostTools, correlationId, audit, use }, views, known, until)
  }
}

function openAudit(
  audits: SessionAudits,
  { agent, tenant, environment }: Viewer,
  { cwd, tools }: { readonly cwd: string | undefined; readonly tools: Toolset },
  session: {
    readonly session: string
    readonly correlationId: string | undefined
    readonly reportProblem: SessionContext['reportProblem']
  },
): SessionContext['audit'] {
  const { reportProblem, ...identity } = session
  return audits.open({ session: { ...identity, agent, tenant, environment }, tools, cwd, reportProblem })
}

/** Opens the audits, which are imported only where there is a sink. */
export async function openAudits(audit: RepertoireOptions['audit']): Promise<SessionAudits | undefined> {
  if (audit === undefined) return undefined
  const { openSessionAudits } = await import('../session/audit/recorder.ts')
  return openSessionAudits(audit)
}
