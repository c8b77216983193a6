import { type Catalog, everySkill } from './catalog/catalog.ts'
import { checkCatalogOptions } from './catalog/check-options.ts'
import { createDocuments, type LoadedSkill } from './catalog/documents.ts'
import { explainSkill } from './catalog/explain.ts'
import type { Explanation } from './catalog/explanation.ts'
import { skillNotFound } from './catalog/not-found.ts'
import { openCatalog } from './catalog/open-catalog.ts'
import { DEFAULT_LAYERS } from './catalog/precedence.ts'
import { createSkillProvider, type SkillProvider } from './catalog/provider.ts'
import type { ReloadListener, ReloadResult } from './catalog/snapshots.ts'
import { type SkillTiers, tiersOf } from './catalog/tiers.ts'
import type { CatalogView, Viewer } from './catalog/view.ts'
import { mergeToolArguments } from './gate/index.ts'
import { createManifestParser } from './manifest/index.ts'
import { scriptRunBy } from './session/calls/script-run.ts'
import type { SessionAuditContext, SessionAudits } from './session/audit/session-audit.ts'
import { createPinnedFolders } from './session/activation/pinned-folders.ts'
import { resolveGate } from './session/calls/policy.ts'
import {
  type SavedSession,
  type SealedChanges,
  sealChanges,
  sealState,
  unsealChanges,
  unsealState,
} from './session/state/seal.ts'
import { createSession } from './session/create-session.ts'
import { parseChanges } from './session/state/parse.ts'
import { checkResumed } from './session/state/check-resumed.ts'
import type { Session } from './session/session.ts'
import { applyChange, initialState, type SessionChange } from './session/state/state.ts'
import { resolveTurns } from './session/turn/settings.ts'
import { checkedNames, checkPorts, checkTimes } from './check-options.ts'
import type { RepertoireOptions, SessionOptions } from './repertoire-options.ts'
import { DEFAULT_TOOL_NAMES, type SkillToolNames } from './tools/definitions.ts'
import { resolveListing, skillList } from './tools/skill-list.ts'
import type { SessionProblem } from './ports/problem.ts'

/** Skills, ready to be used by agents. */
export interface Repertoire {
  /** The current snapshot: immutable, and another object after a reload. Whoever holds an old one can go on with it. */
  readonly catalog: Catalog
  /**
   * Looks through all sources anew, beside the current catalog, and puts the result in its place in one step. Sessions
   * show it from their next step on; a skill that is active stays what it was when it was activated. A skill whose
   * SKILL.md cannot be read any more is kept as it was read last, with a diagnostic; a deleted one goes.
   *
   * Calls beside each other share one reload. Only a forced call that comes while one is at work has the next, which
   * all further ones share: what it wants read may be read by then.
   * @param options.force default false: skipped where the last is less than `minReloadInterval` ago
   * @throws what kept it from being made; the catalog is then the one before
   */
  reload(options?: { readonly force?: boolean }): Promise<ReloadResult>
  /** Tells of every new snapshot, until the function that it gives is called. */
  onChange(listener: ReloadListener): () => void
  /**
   * The whole document of a skill: manifest, body, and what the body defines. For people and tools that look at skills;
   * no activation, which asks for consent and reads afresh. Kept for `cacheTtl`, at most until the next reload.
   * @param viewer default: whoever sees what no scope and no allowlist hides
   * @throws {SkillError} SKILL_NOT_FOUND; SKILL_BROKEN: its file cannot be read as a skill now; RESOURCE_NOT_FOUND,
   * RESOURCE_REFUSED, RESOURCE_TOO_LARGE
   */
  load(name: string, viewer?: Viewer): Promise<LoadedSkill>
  /** Forgets the documents that `load` has kept, of one skill or of all; the next reload is then not skipped. */
  invalidate(name?: string): void
  /**
   * Tells what became of everything that goes by a name: shown, or why not. For people: it tells of skills and paths
   * that the viewer may not see, so no model is to be shown it.
   */
  explain(name: string, viewer?: Viewer): Explanation
  /** The visible skills for a host that retrieves its context itself: their metadata, as current at every request. */
  provider(viewer?: Viewer): SkillProvider
  /**
   * What skills disclose, tier by tier, for a host's own programs. A model is shown skills by a session: nothing here is
   * activated, gated or asked for.
   * @param viewer default: whoever sees what no scope and no allowlist hides
   */
  tiers(viewer?: Viewer): SkillTiers
  /** Ends the watch, waits for what is being written down, and closes the sinks. Sessions go on. Safe to repeat. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
  /**
   * Opens the session of one task. Cheap: nothing is read.
   * @throws {SkillError} STATE_INVALID, STATE_TAMPERED, SESSION_ENDED for `saved`
   * @throws {TypeError} `consentTimeout` is no time
   */
  openSession(options?: SessionOptions): Session
  /**
   * Opens a session, runs a task in it, and ends it whatever happens: success, error or abort.
   * @throws whatever `task` throws
   */
  runTask<T>(options: SessionOptions, task: (session: Session) => Promise<T>): Promise<T>
  /**
   * The saved session after some changes. Pure; for frameworks that keep the state themselves and merge what calls
   * did side by side. `saved` is undefined before the first change, which is that of the opening: without it, changes
   * count for nothing, and the answer is undefined again. Nor do those that begin with the opening of another session.
   * @param changes sealed by `sealChanges`, wherever they are written down on their way
   * @throws {SkillError} STATE_INVALID (not the shape of a saved session or of changes), STATE_TAMPERED
   */
  advance(saved: SavedSession | undefined, changes: readonly SessionChange[] | SealedChanges): SavedSession | undefined
  /** Seals what a session did, as `save` seals its state: for frameworks that write updates down before they merge them. */
  sealChanges(session: string, changes: readonly SessionChange[]): SealedChanges
}

const CONSENT_TIMEOUT = 5 * 60_000
const CACHE_TTL = 5 * 60_000
const HOOK_TIMEOUT = 60_000

/**
 * Finds the skills of all sources and opens the way to them. Broken skills are in `catalog.diagnostics`.
 * @throws {TypeError} an option does not have the shape named here: a source that is none, a profile, layer or style
 * that there is not, two skill tools of one name or one without, an empty `stateKey`, a time that is none, `hooks` or
 * `mounts` that are none
 */
export async function openRepertoire(given: RepertoireOptions): Promise<Repertoire> {
  const { enabled = true } = given
  const options = enabled ? given : { ...given, sources: [] }
  checkCatalogOptions(options)
  const {
    profile = 'default',
    style = 'xml',
    toolNames,
    toolArguments = {},
    stateKey,
    listingBudget,
    layers = DEFAULT_LAYERS,
  } = options
  const listing = resolveListing(style, listingBudget, layers)
  const names = checkedNames({ ...DEFAULT_TOOL_NAMES, ...toolNames }, style)
  const gate = resolveGate(options)
  if (stateKey === '')
    throw new TypeError('`stateKey` is empty, so anybody could seal a session. Give a secret, or leave it out.')
  const { hooks, hookTimeout = HOOK_TIMEOUT, mounts } = options
  checkPorts(hooks, hookTimeout, mounts)
  const audits = options.audit === undefined ? undefined : await openAudits(options.audit)
  const parser = createManifestParser()
  const { cacheTtl = CACHE_TTL, minReloadInterval, now = () => performance.now() } = options
  checkTimes({ cacheTtl, minReloadInterval })
  const documents = createDocuments({ parser, profile, ttl: cacheTtl, now })

  const live = await openCatalog({ ...options, now })
  live.onChange(() => documents.forget())
  const viewFor = (viewer: Viewer): CatalogView => live.viewFor(viewer)
  const settled = {
    parser,
    profile,
    listing,
    toolNames: enabled ? names : NOBODYS_NAMES,
    toolArguments: mergeToolArguments(toolArguments),
    stateKey,
    hooks,
    hookTimeout,
    mounts,
    held: createPinnedFolders(({ name, source, location }) =>
      everySkill(live.current).find(
        (skill) => skill.name === name && skill.source === source && skill.location === location,
      ),
    ),
  }

  function openSession(session: SessionOptions = {}): Session {
    const { consent, consentTimeout = CONSENT_TIMEOUT, cwd, hostTools, match, onProblem, saved } = session
    if (!(consentTimeout > 0)) {
      throw new TypeError(`consentTimeout is ${consentTimeout}. Give milliseconds, more than 0; Infinity for no limit.`)
    }
    const viewer = viewerOf(session)
    const resumed = saved === undefined ? undefined : checkResumed(unsealState(saved, stateKey), session.id)
    const id = resumed?.id ?? session.id ?? crypto.randomUUID()
    const correlationId = resumed?.correlationId ?? session.correlationId
    const problem = reporting(onProblem)
    const { agent, tenant, environment } = viewer
    const scriptOf: SessionAuditContext['scriptOf'] = (call, active) =>
      scriptRunBy(call, active, { toolArguments: settled.toolArguments, cwd })
    const of = { session: id, correlationId, agent, tenant, environment }
    const audit = audits?.of({ of, scriptOf, problem })
    if (session.model !== undefined) audit?.step(session.model, resumed?.active ?? [])
    return createSession(
      {
        ...settled,
        gate: resolveGate(session, gate),
        turns: resolveTurns(session),
        consent,
        consentTimeout,
        cwd,
        hostTools,
        match,
        problem,
        correlationId,
        audit,
      },
      { model: () => viewFor(viewer), person: () => viewFor({ ...viewer, person: true }) },
      // What an earlier session had activated restricts nothing either, and stays in its saved state.
      (resumed && !enabled ? { ...resumed, active: [] } : resumed) ?? id,
    )
  }

  async function close(): Promise<void> {
    await live.close()
    await audits?.close()
  }

  return {
    get catalog() {
      return live.current
    },
    reload: (reloading) => live.reload(reloading),
    onChange: (listener) => live.onChange(listener),
    async load(name, viewer = {}) {
      const view = viewFor(viewer)
      const skill = view.find(name)
      if (skill !== undefined) return documents.load(skill)
      const visible = view.list().map((other) => other.name)
      throw skillNotFound(name, visible)
    },
    invalidate(name) {
      documents.forget(name)
      live.outdate()
    },
    explain: (name, viewer = {}) =>
      explainSkill(name, {
        catalog: live.current,
        viewer,
        cuts: skillList(viewFor(viewer).list(), settled.listing).cuts,
      }),
    tiers: (viewer = {}) =>
      tiersOf(
        () => viewFor(viewer),
        (skill) => documents.load(skill),
      ),
    provider: (viewer = {}) => createSkillProvider(() => viewFor(viewer)),
    close,
    [Symbol.asyncDispose]: close,
    openSession,
    async runTask(session, task) {
      const opened = openSession(session)
      try {
        return await task(opened)
      } finally {
        await opened.end()
      }
    },
    sealChanges: (session, changes) => sealChanges(session, changes, stateKey),
    advance(saved, update) {
      const sealed = isSealed(update) ? update : undefined
      const changes = parseChanges(sealed === undefined ? update : unsealChanges(sealed, stateKey))
      const [first] = changes
      if (first === undefined) return saved
      if (saved !== undefined) {
        const state = unsealState(saved, stateKey)
        if (sealed !== undefined && sealed.session !== state.id) return saved
        if (first.type === 'opened' && first.id !== state.id) return saved
        return sealState(changes.reduce(applyChange, state), stateKey)
      }
      // What a call did in a session that is gone by now must not bring it back.
      if (first.type !== 'opened') return undefined
      return sealState(changes.reduce(applyChange, initialState(first.id)), stateKey)
    },
  }
}

/** What writes down what sessions do is imported where there is somebody to write it to. */
async function openAudits(audit: NonNullable<RepertoireOptions['audit']>): Promise<SessionAudits | undefined> {
  const { openSessionAudits } = await import('./session/audit/session-audit.ts')
  return openSessionAudits(audit)
}

/** Where there are no skill tools, no call is one, and a host may use every name. */
const NOBODYS_NAMES: SkillToolNames = { activate: '', deactivate: '', readResource: '' }

/** Updates come from where a framework keeps them, so they may be anything. */
function isSealed(update: unknown): update is SealedChanges {
  return typeof update === 'object' && update !== null && 'seal' in update
}

/** What a host does with a problem is its own: a throw of it stops nothing either. */
function reporting(onProblem: SessionOptions['onProblem']): (problem: SessionProblem) => void {
  return (problem) => {
    try {
      onProblem?.(problem)
    } catch {
      // There is nobody left to tell.
    }
  }
}

/** A copy: the options are the caller's, and a session goes on seeing what it was opened to see. */
function viewerOf({ agent, tenant, environment, skills }: SessionOptions): Viewer {
  return { agent, tenant, environment, skills: skills && [...skills] }
}
