import { type Catalog, everySkill } from './catalog/catalog.ts'
import { checkCatalogOptions } from './catalog/check-options.ts'
import { createDocuments, type LoadedSkill } from './catalog/documents.ts'
import { explainSkill, type Explanation } from './catalog/explain.ts'
import { skillNotFound } from './catalog/not-found.ts'
import { type OpenCatalogOptions, openCatalog } from './catalog/open-catalog.ts'
import { DEFAULT_LAYERS } from './catalog/precedence.ts'
import { createSkillProvider, type SkillProvider } from './catalog/provider.ts'
import type { ReloadListener, ReloadResult } from './catalog/snapshots.ts'
import { type SkillTiers, tiersOf } from './catalog/tiers.ts'
import type { CatalogView, Viewer } from './catalog/view.ts'
import type { ListingBudget } from './disclosure/budget.ts'
import type { ListingStyle } from './disclosure/listing.ts'
import { mergeToolArguments, type ToolArguments } from './gate/index.ts'
import { openAuditLog } from './audit/audit-log.ts'
import type { AuditOptions, AuditSink } from './audit/events.ts'
import { createManifestParser } from './manifest/index.ts'
import { scriptRunBy } from './session/script-run.ts'
import { createSessionAudit, type SessionAuditContext } from './session/session-audit.ts'
import { createHeldFolders } from './session/held-folders.ts'
import { type GateOptions, settleGate } from './session/policy.ts'
import {
  type SavedSession,
  type SealedChanges,
  sealChanges,
  sealState,
  unsealChanges,
  unsealState,
} from './session/seal.ts'
import type { SkillMatcher } from './session/context.ts'
import { createSession } from './session/create-session.ts'
import { checkResumed } from './session/resumed.ts'
import type { Session } from './session/session.ts'
import { applyChange, initialState, type SessionChange } from './session/state.ts'
import { settleTurns, type TurnSettingsOptions } from './session/turn-settings.ts'
import { DEFAULT_TOOL_NAMES, type SkillToolNames } from './tools/definitions.ts'
import { settleListing, skillList } from './tools/skill-list.ts'
import { SKILL_TOOL_PREFIX } from './tools/skill-tool-name.ts'
import type { ConsentHandler, HookRunner, SessionProblem, SkillMounts } from './types.ts'

/** How a repertoire is opened. */
export interface RepertoireOptions extends OpenCatalogOptions, GateOptions {
  /** How long a skill's document is kept for `load`, in milliseconds; 0: not at all. Default 300,000. */
  readonly cacheTtl?: number
  /** Default true. False: no source is scanned, and sessions show no tool and restrict nothing. */
  readonly enabled?: boolean
  /** Default `xml`. */
  readonly style?: ListingStyle
  /** How much of the context window the list of skills may take. False: the list is shown whole, however long. */
  readonly listingBudget?: ListingBudget | false
  /** Other names for the skill tools. */
  readonly toolNames?: Partial<SkillToolNames>
  /**
   * Which argument of a host's tool a pattern such as `Bash(git:*)` speaks of. Adds to, and goes before, what is
   * known of common tools (`Bash`, `Read`, `Write`, `Edit`, `Glob`, `Grep`, `WebFetch` and their usual other names).
   */
  readonly toolArguments?: ToolArguments
  /** Seals saved sessions with HMAC, so that nobody without the key can change one. The same in every process. */
  readonly stateKey?: string
  /** Runs the hooks of skills. Without it a skill with hooks cannot be activated. The same in every process. */
  readonly hooks?: HookRunner
  /**
   * Where it is written down what happens in sessions: sinks, or sinks with what they may hold and whether nothing is to
   * happen that is not on record. Default: nowhere.
   */
  readonly audit?: AuditSink | readonly AuditSink[] | AuditOptions
  /** How long each hook may take, in milliseconds, more than 0. Default 60,000; `Infinity` for no limit. */
  readonly hookTimeout?: number
  /**
   * Gives each task a copy of its own of what it activates, so that nothing which changes afterwards is used. Without
   * it skills are used where they lie. The same in every process.
   */
  readonly mounts?: SkillMounts
}

/** How a session is opened. */
export interface SessionOptions extends GateOptions, TurnSettingsOptions {
  /** Tells this task from others. Default: random; with `saved`: that of the saved session. */
  readonly id?: string
  /** Matched against each skill's `scope.agents`. */
  readonly agent?: string
  /** Matched against each skill's `scope.tenants`. */
  readonly tenant?: string
  /** Matched against each skill's `scope.environments`. */
  readonly environment?: string
  /** Allowlist of skill names: absent = all, `[]` = none, `['*']` = all, names = those. */
  readonly skills?: readonly string[]
  /**
   * Asks whether a skill may be activated. Without one the framework's own approval is used where it has one, and
   * otherwise every activation is denied. Skill calls of the session wait for its answer, one after the other: it must
   * not make one itself and wait for it.
   */
  readonly consent?: ConsentHandler
  /** How long a handler may take, in milliseconds, more than 0. Default 5 minutes; `Infinity` for no limit. */
  readonly consentTimeout?: number
  /** Which skills fit the task, for the style `matched`. Default: all that are visible, by name. */
  readonly match?: SkillMatcher
  /** The folder that relative paths in the host's tools are relative to. Absent: relative paths are compared as they are. */
  readonly cwd?: string
  /** The names of the host's tools, where calls come before the first `beginStep`. */
  readonly hostTools?: readonly string[]
  /** The model's name, as the audit is to show it, where calls come before the first `beginStep`. */
  readonly model?: string | undefined
  /**
   * What the host finds the session's events by in its other systems, such as the id of a request or of a trace.
   * Default: none. A saved session that has one keeps it, whatever is given here.
   */
  readonly correlationId?: string
  /** Told of what went wrong and stopped nothing, such as a failed post hook. What it throws is dropped. */
  readonly onProblem?: (problem: SessionProblem) => void
  /** What `save` of an earlier session gave. */
  readonly saved?: SavedSession
}

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
   * @throws {SkillError} STATE_INVALID, STATE_TAMPERED
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
  const names = checkedNames({ ...DEFAULT_TOOL_NAMES, ...toolNames }, style)
  const listing = settleListing(style, listingBudget, layers)
  const gate = settleGate(options)
  if (stateKey === '')
    throw new TypeError('`stateKey` is empty, so anybody could seal a session. Give a secret, or leave it out.')
  const { hooks, hookTimeout = HOOK_TIMEOUT, mounts } = options
  checkPorts(hooks, hookTimeout, mounts)
  const log = openAuditLog(options.audit)
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
    held: createHeldFolders(({ name, source, location }) =>
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
    const audit = log === undefined ? undefined : createSessionAudit({ log, of, scriptOf, problem })
    if (session.model !== undefined) audit?.step(session.model, resumed?.active ?? [])
    return createSession(
      {
        ...settled,
        gate: settleGate(session, gate),
        turns: settleTurns(session),
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
    await log?.close()
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
      const sealed = 'seal' in update ? update : undefined
      const changes = 'seal' in update ? unsealChanges(update, stateKey) : update
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

/** Where there are no skill tools, no call is one, and a host may use every name. */
const NOBODYS_NAMES: SkillToolNames = { activate: '', deactivate: '', readResource: '' }

function checkedNames(names: SkillToolNames, style: ListingStyle): SkillToolNames {
  const folded = Object.values(names).map((name: unknown) => (typeof name === 'string' ? name.toLowerCase() : ''))
  const twice = folded.find((name, index) => folded.indexOf(name) !== index)
  if (folded.includes('') || twice !== undefined) {
    const what = folded.includes('') ? 'leaves a skill tool without a name' : `names two skill tools "${twice}"`
    throw new TypeError(`\`toolNames\` ${what}. Give each a name of its own; case does not tell two apart.`)
  }
  const taken = folded.find((name) => name.startsWith(SKILL_TOOL_PREFIX))
  if (style === 'tools' && taken !== undefined) {
    throw new TypeError(
      `\`toolNames\` names a skill tool "${taken}". In the style \`tools\` names that begin with "${SKILL_TOOL_PREFIX}" are those of the skills: give it another.`,
    )
  }
  return names
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

function checkPorts(hooks: unknown, hookTimeout: unknown, mounts: SkillMounts | undefined): void {
  if (hooks !== undefined && typeof hooks !== 'function')
    throw new TypeError('`hooks` is no function. Give one that runs a hook and tells what became of it.')
  if (typeof hookTimeout !== 'number' || !(hookTimeout > 0))
    throw new TypeError(`hookTimeout is ${String(hookTimeout)}. Give milliseconds, more than 0; Infinity for no limit.`)
  if (mounts !== undefined && (typeof mounts?.mount !== 'function' || typeof mounts.unmount !== 'function'))
    throw new TypeError(
      '`mounts` has no `mount` or no `unmount`. Give `privateMounts` of @repertoire/core/node, or both.',
    )
}

/** A copy: the options are the caller's, and a session goes on seeing what it was opened to see. */
function viewerOf({ agent, tenant, environment, skills }: SessionOptions): Viewer {
  return { agent, tenant, environment, skills: skills && [...skills] }
}

function checkTimes(times: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(times)) {
    if (value !== undefined && !(value >= 0)) {
      throw new TypeError(`${name} is ${value}. Give milliseconds, 0 or more; Infinity for no limit.`)
    }
  }
}
