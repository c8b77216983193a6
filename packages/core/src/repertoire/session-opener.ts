import type { CatalogView, Viewer } from '../catalog/view.ts'
import { type GateSettings, openToolTable, resolveGate, type Toolset, type ToolTable } from '../gate/index.ts'
import { checkOptions } from '../options/table.ts'
import type { SessionProblem } from '../ports/problem.ts'
import type { PinnedFolders } from '../session/activation/pinned-folders.ts'
import type { SessionAudits } from '../session/audit/recorder.ts'
import type { SessionContext } from '../session/context.ts'
import { createSession } from '../session/create-session.ts'
import type { SessionViews } from '../session/parts.ts'
import type { Session } from '../session/session.ts'
import { checkResumed } from '../session/state/check-resumed.ts'
import { unsealState } from '../session/state/seal.ts'
import type { ActiveSkill, SessionState } from '../session/state/state.ts'
import type { SkillUses } from '../session/step/skill-use.ts'
import { resolveMatching } from '../session/turn/matching-options.ts'
import { resolveTurns } from '../session/turn/settings.ts'
import { showInvisible } from '../text/escape.ts'
import { skillToolTest } from './check-options.ts'
import { CONSENT_TIMEOUT_MS, SESSION_OPTIONS } from './option-tables.ts'
import type { RepertoireOptions, SessionOptions } from './options.ts'

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
    | 'scripts'
    | 'loadTimeout'
    | 'mounts'
    | 'pinnedFolders'
    | 'toolsets'
    | 'messageCalls'
    | 'questions'
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

/** What a session is opened with, apart from its state. */
export interface SessionSettings {
  readonly viewer: Viewer
  readonly views: SessionViews
  /** All but what differs between two sessions: that is absent. */
  readonly context: Omit<SessionContext, 'use'> & { readonly use: undefined }
}

/**
 * Returns the settings of a session.
 * @throws {TypeError} a rule cannot be read, or options contradict each other
 */
export function settingsOf(
  { settings, gate, viewsFor, searchFor }: SharedContext,
  options: SessionOptions,
): SessionSettings {
  const { consent, consentTimeout = CONSENT_TIMEOUT_MS, cwd, match } = options
  const viewer = viewerOf(options)
  return {
    viewer,
    views: { model: viewsFor(viewer), person: viewsFor({ ...viewer, person: true }) },
    context: {
      ...settings,
      tools: toolsOf(options, settings),
      gate: resolveGate(options, gate),
      turns: resolveTurns(options),
      consent,
      consentTimeout,
      checkpoint: options.checkpoint,
      cwd,
      hostTools: undefined,
      match: typeof match === 'object' ? resolveMatching(match) : match,
      search: searchFor(viewer),
      runStep: options.runStep,
      reportProblem: problemReporter(options.onProblem),
      correlationId: undefined,
      audit: undefined,
      use: undefined,
    },
  }
}

/** The table of a session: what it says itself extends the repertoire's. */
function toolsOf(
  options: SessionOptions,
  { tools, toolNames, listing, scripts }: SharedContext['settings'],
): ToolTable {
  const isOwn = options.tools !== undefined || options.toolRoot !== undefined
  return isOwn ? openToolTable(options, tools, skillToolTest(toolNames, listing, scripts !== undefined)) : tools
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
