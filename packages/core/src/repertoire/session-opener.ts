import type { LeftSkill } from '../audit/events.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { CatalogView } from '../catalog/view.ts'
import type { Viewer } from '../ports/viewer.ts'
import { type GateSettings, type ToolTable, openToolTable, resolveGate } from '@repertoire/gate/internal'
import { SkillError, quote, quoteName, readOptions, showInvisible } from '@repertoire/skill-md/internal'
import type { SessionProblem } from '../ports/problem.ts'
import type { PinnedFolders } from '../session/activation/pinned-folders.ts'
import type { SessionAudits } from '../session/audit/recorder.ts'
import type { SessionContext, SharedContext } from '../session/context.ts'
import { createSession } from '../session/create-session.ts'
import type { Session } from '../session/session.ts'
import { checkResumed, unsealState } from '../session/state/seal.ts'
import { type ActiveSkill, type SessionState, taskOf } from '../session/state/state.ts'
import type { SkillUses } from '../session/shared-records.ts'
import { createWarnings } from './warnings.ts'
import { hiddenSkills, missingSkills, unknownSkills } from './missing-skills.ts'
import { ADAPTER_SESSION_OPTIONS, CONSENT_TIMEOUT_MS } from './option-tables.ts'
import type { AdapterSessionOptions, SessionOptions, TurnHandling } from './options.ts'
import { type SkillToolNames, takenNames } from '../tools/definitions.ts'
import type { ListSettings } from '../tools/skill-list.ts'
import { SKILL_TOOL_PREFIX } from '../tools/skill-tools.ts'
import { type ListingStyle, STYLES, hasSkillTools } from '../tools/styles.ts'

interface SessionOpenerOptions {
  readonly settings: SharedContext
  /** The repertoire's, which a session's own extends. */
  readonly tools: ToolTable
  readonly enabled: boolean
  /** The repertoire's, which a session's own narrows. */
  readonly gate: GateSettings
  /** Absent: there is no sink. */
  readonly audits: SessionAudits | undefined
  readonly viewsFor: (viewer: Viewer) => () => CatalogView
  /** Returns a function that returns the skills of the catalog that a viewer's list never has, whatever its budget. */
  readonly leftFor: (viewer: Viewer) => () => readonly LeftSkill[]
  readonly catalog: () => Catalog
  readonly notLoaded: (viewer: Viewer) => readonly SessionProblem[]
  readonly searchFor: (viewer: Viewer) => SessionContext['search']
  readonly uses: SkillUses
  readonly isFirstReport: (session: string, kind: string) => boolean
}

/** Returns a function that opens the sessions of a repertoire. */
export function createSessionOpener(shared: SessionOpenerOptions): (options?: AdapterSessionOptions) => Session {
  const { settings, enabled, audits, uses, viewsFor } = shared
  const warn = createWarnings()
  return (given = {}) => {
    const options: AdapterSessionOptions = readOptions('openSession', ADAPTER_SESSION_OPTIONS, given)
    const { saved, cwd, agent, tenant, environment, skills, turns = {} } = options
    const { triggers = 'suggest', match } = turns
    const consent = typeof options.consent === 'function' ? { ask: options.consent } : (options.consent ?? {})
    checkMatch(match, settings.listing.style)
    // A copy: the options are the caller's, and a session goes on seeing what it was opened to see.
    const viewer: Viewer = { agent, tenant, environment, skills: skills && [...skills] }
    const tools = toolsOf(options, shared.tools, settings)
    const gate = resolveGate(options, shared.gate)
    const reportProblem = problemReporter(options.onProblem ?? warn)
    const hostTools = tools.of(options.hostTools)
    const resumed =
      saved === undefined
        ? undefined
        : rebound(checkResumed(unsealState(saved, settings.sessionSecret), options.id), settings.pinnedFolders)
    if (resumed !== undefined) checkTenant(resumed, tenant)
    const id = resumed?.id ?? options.id ?? crypto.randomUUID()
    const reportOnce: SessionContext['reportOnce'] = (session, kind, problemOf) => {
      if (!shared.isFirstReport(taskOf({ id: session, tenant }), kind)) return false
      const problem = problemOf()
      if (problem !== undefined) reportProblem(problem)
      return true
    }
    const views = { model: viewsFor(viewer), person: viewsFor({ ...viewer, person: true }) }
    const catalog = shared.catalog()
    const active = enabled && resumed !== undefined ? resumed.active : []
    if (active.length > 0) {
      reportOnce(id, 'SAVED_SKILL_MISSING', () =>
        missingSkills(active, (skill) => settings.pinnedFolders.skillOf(skill), catalog),
      )
    }
    if (enabled && skills) reportOnce(id, 'SKILLS_UNKNOWN', () => unknownSkills(skills, catalog))
    const hidden = hiddenSkills(active, catalog, [views.model(), views.person()], settings.admission)
    for (const skill of hidden) reportOnce(id, `HIDDEN ${skill}`, () => noLongerSeen(skill))
    const correlationId = resumed?.correlationId ?? options.correlationId
    const identity = { session: id, correlationId, agent, tenant, environment }
    const audit = audits?.open({
      session: identity,
      tools: hostTools,
      cwd,
      reportProblem,
      left: shared.leftFor(viewer),
    })
    // Where skills are off, those of a saved session restrict nothing either, and stay in its saved state.
    const known = (resumed && !enabled ? { ...resumed, active: [] } : resumed) ?? id
    const context: SessionContext = {
      ...settings,
      task: taskOf({ id, tenant }),
      reportOnce,
      tools,
      gate,
      triggers,
      consent: consent.ask,
      consentTimeout: consent.timeout ?? CONSENT_TIMEOUT_MS,
      checkpoint: options.checkpoint,
      cwd,
      hostTools: hostTools.names,
      match,
      search: shared.searchFor(viewer),
      runStep: options.runStep,
      notLoaded: () => shared.notLoaded(viewer),
      reportProblem,
      correlationId,
      audit,
      use: uses.open(id, viewer),
    }
    return createSession(context, views, { from: known, correlationId, tenant, hidden }, options.until)
  }
}

/** @throws {SkillError} STATE_INVALID: the session was saved for another tenant, or for none */
function checkTenant({ id, tenant: saved }: SessionState, tenant: string | undefined): void {
  if (saved === tenant) return
  throw new SkillError(
    'STATE_INVALID',
    `The session ${quote(id)} was saved for ${namedTenant(saved)}, not for ${namedTenant(tenant)}: consent of one tenant does not apply to another. Open it with that \`tenant\`, or open a new session.`,
  )
}

function namedTenant(name: string | undefined): string {
  return name === undefined ? 'no tenant' : `the tenant ${quote(name)}`
}

function noLongerSeen(skill: string): SessionProblem {
  return {
    code: 'SKILL_DEACTIVATED',
    skill,
    message: `The skill ${quoteName(skill)} was active when the session was saved, and the session may no longer see it, or use it as it was. It is not active any more: its rules no longer apply, and its post hooks were not run. Look at its \`scope\`, and at the options \`skills\` and \`admit\`.`,
  }
}

/** @throws {TypeError} there is a matcher, and lists do not show what it finds */
function checkMatch(match: TurnHandling['match'], style: ListingStyle): void {
  if (match === undefined || STYLES[style].selective === true) return
  throw new TypeError(
    `openSession: \`turns.match\` has no effect in the listing style \`${style}\`. Give \`openRepertoire\` the option \`listing: { style: 'matched' }\`, or leave it out.`,
  )
}

/** Active skills where the catalog has them now: the project of a saved session may have been moved. */
function rebound(state: SessionState, { skillOf }: Pick<PinnedFolders, 'skillOf'>): SessionState {
  const active = state.active.map((skill): ActiveSkill => {
    const now = skillOf(skill)
    if (now === undefined || now.location === skill.location) return skill
    return { ...skill, location: now.location, alias: now.folder.alias }
  })
  return active.every((skill, index) => skill === state.active[index]) ? state : { ...state, active }
}

/** The table of a session: what it says itself extends the repertoire's. */
function toolsOf(options: SessionOptions, tools: ToolTable, { toolNames, listing, scripts }: SharedContext): ToolTable {
  if (options.toolMap === undefined) return tools
  return openToolTable(options, tools, skillToolTest(toolNames, listing, scripts !== undefined))
}

/** A message may repeat what foreign code said; in a log it is one line. What a host's listener throws is ignored. */
function problemReporter(onProblem: NonNullable<SessionOptions['onProblem']>): (problem: SessionProblem) => void {
  return (problem) => {
    try {
      onProblem({ ...problem, message: showInvisible(problem.message) })
    } catch {
      // No listener is left.
    }
  }
}

/** @throws {TypeError} a skill tool has no name, the name of another, or one that is a skill's in the style `tools` */
export function checkSkillToolNames(names: SkillToolNames, style: ListingStyle): void {
  const folded = Object.values(names).map((name: string) => name.toLowerCase())
  const twice = folded.find((name, index) => folded.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new TypeError(
      `\`skillToolNames\` names two skill tools "${twice}". Give each its own name; case does not make two names differ.`,
    )
  }
  const reserved = folded.find((name) => name.startsWith(SKILL_TOOL_PREFIX))
  if (hasSkillTools(style) && reserved !== undefined) {
    throw new TypeError(
      `\`skillToolNames\` names a skill tool "${reserved}". In the style \`tools\` names that begin with "${SKILL_TOOL_PREFIX}" are those of the skills: give it another.`,
    )
  }
}

export function skillToolTest(
  names: SkillToolNames,
  { style, search }: Pick<ListSettings, 'style' | 'search'>,
  runsScripts: boolean,
): (name: string) => boolean {
  const own = takenNames(names, runsScripts, search !== 'never')
  return (name) => {
    const folded = name.toLowerCase()
    return own.has(folded) || (hasSkillTools(style) && folded.startsWith(SKILL_TOOL_PREFIX))
  }
}
