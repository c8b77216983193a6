import type { CatalogView, Viewer } from '../catalog/view.ts'
import { skillToolTest } from './check-options.ts'
import { CONSENT_TIMEOUT_MS } from './option-tables.ts'
import type { SessionProblem } from '../ports/problem.ts'
import type { SessionOptions } from './options.ts'
import type { SessionAudits } from '../session/audit/recorder.ts'
import { type GateSettings, openToolTable, resolveGate, type ToolTable } from '../gate/index.ts'
import { once } from '../once.ts'
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

/** What sessions with the same options share. */
export interface SessionSettings {
  readonly viewer: Viewer
  readonly views: SessionViews
  /** All but what differs between two sessions: that is absent. */
  readonly context: Omit<SessionContext, 'use'> & { readonly use: undefined }
}

/**
 * Returns a function that makes the settings of sessions. Frameworks open a session for every hook: for the same options as
 * the time before it returns the same settings.
 * @throws {TypeError} a rule cannot be read, or options contradict each other
 */
export function createSessionSettings(shared: SharedContext): (options: SessionOptions) => SessionSettings {
  let newest: { readonly options: SessionOptions; readonly settings: SessionSettings } | undefined
  return (given) => {
    const options = settingOptions(given)
    if (newest !== undefined && haveSameSettings(newest.options, options)) return newest.settings
    const settings = settingsOf(shared, options)
    newest = { options, settings }
    return settings
  }
}

/** What is given to one session alone, beside its settings. */
type OfOneSession = 'id' | 'saved' | 'hostTools' | 'model' | 'correlationId' | 'until'

/** The options on which settings depend, each of them. */
type SettingOptions = { readonly [K in Exclude<keyof SessionOptions, OfOneSession>]-?: SessionOptions[K] | undefined }

/** Reads each option once, wherever the caller's object has it from: what is compared is then what the settings are made of. */
function settingOptions(options: SessionOptions): SessionOptions {
  const { skills } = options
  const read: SettingOptions = {
    agent: options.agent,
    tenant: options.tenant,
    environment: options.environment,
    // The caller may change its own.
    skills: Array.isArray(skills) ? [...skills] : skills,
    consent: options.consent,
    consentTimeout: options.consentTimeout,
    checkpoint: options.checkpoint,
    cwd: options.cwd,
    runStep: options.runStep,
    onProblem: options.onProblem,
    match: options.match,
    policy: options.policy,
    mode: options.mode,
    composition: options.composition,
    tools: options.tools,
    toolRoot: options.toolRoot,
    triggers: options.triggers,
  }
  return read as SessionOptions
}

/**
 * Whether sessions with these options have the same settings: only where that is certain. What is read of tables and
 * policies may have changed in them. A test goes through every option.
 */
export function haveSameSettings(one: SessionOptions, other: SessionOptions): boolean {
  return (
    one.consent === other.consent &&
    one.consentTimeout === other.consentTimeout &&
    one.checkpoint === other.checkpoint &&
    one.cwd === other.cwd &&
    one.runStep === other.runStep &&
    one.onProblem === other.onProblem &&
    one.match === other.match &&
    typeof other.match !== 'object' &&
    one.policy === undefined &&
    other.policy === undefined &&
    one.mode === other.mode &&
    one.composition === other.composition &&
    one.tools === undefined &&
    other.tools === undefined &&
    one.toolRoot === other.toolRoot &&
    one.triggers === other.triggers &&
    one.agent === other.agent &&
    one.tenant === other.tenant &&
    one.environment === other.environment &&
    isSameAllowlist(one.skills, other.skills)
  )
}

/** Absent, an allowlist permits every skill; an empty one permits none. */
function isSameAllowlist(one: readonly string[] | undefined, other: readonly string[] | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.length === other.length && one.every((name, index) => name === other[index])
}

function settingsOf({ settings, gate, viewsFor, searchFor }: SharedContext, options: SessionOptions): SessionSettings {
  const { consent, consentTimeout = CONSENT_TIMEOUT_MS, cwd, match } = options
  const viewer = viewerOf(options)
  const person = once(() => viewsFor({ ...viewer, person: true }))
  return {
    viewer,
    views: { model: viewsFor(viewer), person: () => person()() },
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
