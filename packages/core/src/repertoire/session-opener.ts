import type { Viewer } from '../catalog/view.ts'
import { checkOptions } from '../options/table.ts'
import { SESSION_OPTIONS } from './option-tables.ts'
import type { RepertoireOptions, SessionOptions } from './options.ts'
import type { SessionAudits } from '../session/audit/recorder.ts'
import type { Toolset } from '../gate/index.ts'
import type { SessionContext } from '../session/context.ts'
import { createSession } from '../session/create-session.ts'
import type { Session } from '../session/session.ts'
import type { PinnedFolders } from '../session/activation/pinned-folders.ts'
import { checkResumed } from '../session/state/check-resumed.ts'
import { unsealState } from '../session/state/seal.ts'
import type { ActiveSkill, SessionState } from '../session/state/state.ts'
import { settingsOf, type SharedContext } from './session-settings.ts'

/** Returns a function that opens the sessions of a repertoire. */
export function createSessionOpener(shared: SharedContext): (options?: SessionOptions) => Session {
  const { settings, enabled, audits, uses } = shared
  return (options = {}) => {
    checkOptions('openSession', SESSION_OPTIONS, options)
    const { saved, model, until } = options
    const { viewer, views, context } = settingsOf(shared, options)
    const { tools, cwd, reportProblem } = context
    if (options.hostTools !== undefined) tools.check(options.hostTools)
    // The same list for the same names.
    const hostTools = options.hostTools && tools.of(options.hostTools).names
    const resumed =
      saved === undefined
        ? undefined
        : rebound(checkResumed(unsealState(saved, settings.stateKey), options.id), settings.pinnedFolders)
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

/** Active skills where the catalog has them now: the project of a saved session may have been moved. */
function rebound(state: SessionState, { skillOf }: Pick<PinnedFolders, 'skillOf'>): SessionState {
  const active = state.active.map((skill): ActiveSkill => {
    const now = skillOf(skill)
    if (now === undefined || now.location === skill.location) return skill
    const { alias: _, ...rest } = skill
    const { alias } = now.folder
    return { ...rest, location: now.location, ...(alias !== undefined && { alias }) }
  })
  return active.every((skill, index) => skill === state.active[index]) ? state : { ...state, active }
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
