import type { CatalogView, Viewer } from '../catalog/view.ts'
import { checkConsentTimeout, checkSessionOptions, skillToolTest } from './check-options.ts'
import type { SessionProblem } from '../ports/problem.ts'
import type { RepertoireOptions, SessionOptions } from './options.ts'
import type { SessionAudits } from '../session/audit/recorder.ts'
import { type GateSettings, openToolTable, resolveGate, type Toolset, type ToolTable } from '../gate/index.ts'
import type { SessionContext } from '../session/context.ts'
import { createSession } from '../session/create-session.ts'
import type { Session } from '../session/session.ts'
import type { SkillUses } from '../session/step/skill-use.ts'
import { checkResumed } from '../session/state/check-resumed.ts'
import { unsealState } from '../session/state/seal.ts'
import { resolveMatching } from '../session/turn/matching-options.ts'
import { resolveTurns } from '../session/turn/settings.ts'
import { showInvisible } from '../text/escape.ts'

/** What all sessions of a repertoire share. */
export interface SharedContext {
  readonly settings: Pick<
    SessionContext,
    | 'parser'
    | 'profile'
    | 'admission'
    | 'listing'
    | 'listCounting'
    | 'toolNames'
    | 'tools'
    | 'stateKey'
    | 'hooks'
    | 'hookTimeout'
    | 'scripts'
    | 'loadTimeout'
    | 'mounts'
    | 'pinnedFolders'
    | 'toolsets'
    | 'messageActivations'
    | 'modelReports'
    | 'window'
    | 'matchedContents'
  >
  readonly enabled: boolean
  /** The repertoire's, which a session's own narrows. */
  readonly gate: GateSettings
  /** Absent: there is no sink. */
  readonly audits: SessionAudits | undefined
  readonly viewsFor: (viewer: Viewer) => () => CatalogView
  readonly searchFor: (viewer: Viewer) => SessionContext['search']
  readonly uses: SkillUses
}

const CONSENT_TIMEOUT_MS = 5 * 60_000

/** Returns a function that opens the sessions of a repertoire. */
export function createSessionOpener(shared: SharedContext): (options?: SessionOptions) => Session {
  const { settings, enabled, gate, viewsFor, uses } = shared
  return (options = {}) => {
    const { consent, consentTimeout = CONSENT_TIMEOUT_MS, cwd, match, saved } = options
    checkSessionOptions(options)
    checkConsentTimeout(consentTimeout)
    if (options.runStep !== undefined && typeof options.runStep !== 'function') {
      throw new TypeError('`runStep` is not a function. Give one that carries out a call of a tool of the host.')
    }
    const tools = toolsOf(options, settings)
    // The same list for the same names.
    const hostTools = options.hostTools && tools.of(options.hostTools).names
    const viewer = viewerOf(options)
    const resumed = saved === undefined ? undefined : checkResumed(unsealState(saved, settings.stateKey), options.id)
    const id = resumed?.id ?? options.id ?? crypto.randomUUID()
    const correlationId = resumed?.correlationId ?? options.correlationId
    const reportProblem = problemReporter(options.onProblem)
    const audit = openAudit(
      shared,
      viewer,
      { cwd, tools: tools.of(hostTools) },
      { session: id, correlationId, reportProblem },
    )
    if (options.model !== undefined) audit?.beginStep(options.model, resumed?.active ?? [], tools.of(hostTools))
    return createSession(
      {
        ...settings,
        tools,
        gate: resolveGate(options, gate),
        turns: resolveTurns(options),
        consent,
        consentTimeout,
        checkpoint: options.checkpoint,
        cwd,
        hostTools,
        match: typeof match === 'object' ? resolveMatching(match) : match,
        search: shared.searchFor(viewer),
        runStep: options.runStep,
        reportProblem,
        correlationId,
        audit,
        use: uses.open(id, viewer),
      },
      { model: viewsFor(viewer), person: viewsFor({ ...viewer, person: true }) },
      // Where skills are off, those of a saved session restrict nothing either, and stay in its saved state.
      (resumed && !enabled ? { ...resumed, active: [] } : resumed) ?? id,
      options.until,
    )
  }
}

function openAudit(
  { audits }: SharedContext,
  { agent, tenant, environment }: Viewer,
  { cwd, tools }: { readonly cwd: string | undefined; readonly tools: Toolset },
  session: {
    readonly session: string
    readonly correlationId: string | undefined
    readonly reportProblem: SessionContext['reportProblem']
  },
): SessionContext['audit'] {
  const { reportProblem, ...identity } = session
  return audits?.open({ session: { ...identity, agent, tenant, environment }, tools, cwd, reportProblem })
}

/** The table of a session: what it says itself extends the repertoire's. */
function toolsOf(
  options: SessionOptions,
  { tools, toolNames, listing, scripts }: SharedContext['settings'],
): ToolTable {
  const isOwn = options.tools !== undefined || options.toolRoot !== undefined
  const table = isOwn ? openToolTable(options, tools, skillToolTest(toolNames, listing, scripts !== undefined)) : tools
  if (options.hostTools !== undefined) table.check(options.hostTools)
  return table
}

/** Opens the audits, which are imported only where there is a sink. */
export async function openAudits(audit: RepertoireOptions['audit']): Promise<SessionAudits | undefined> {
  if (audit === undefined) return undefined
  const { openSessionAudits } = await import('../session/audit/recorder.ts')
  return openSessionAudits(audit)
}

/** A message may repeat what foreign code said; in a log it is one line. What a host's listener throws is ignored. */
function problemReporter(onProblem: SessionOptions['onProblem']): (problem: SessionProblem) => void {
  return (problem) => {
    try {
      onProblem?.({ ...problem, message: showInvisible(problem.message) })
    } catch {
      // There is nobody left to tell.
    }
  }
}

/** A copy: the options are the caller's, and a session goes on seeing what it was opened to see. */
function viewerOf({ agent, tenant, environment, skills }: SessionOptions): Viewer {
  return { agent, tenant, environment, skills: skills && [...skills] }
}
