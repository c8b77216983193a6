import type { CatalogView, Viewer } from '../catalog/view.ts'
import { skillToolTest } from './check-options.ts'
import { CONSENT_TIMEOUT_MS } from './option-tables.ts'
import type { SessionProblem } from '../ports/problem.ts'
import type { SessionOptions } from './options.ts'
import type { SessionAudits } from '../session/audit/recorder.ts'
import { type GateSettings, openToolTable, resolveGate, type ToolTable } from '../gate/index.ts'
import type { SessionContext } from '../session/context.ts'
import type { SessionViews } from '../session/parts.ts'
import type { SkillUses } from '../session/step/skill-use.ts'
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
