import type { AuditOptions, AuditSink } from '../audit/events.ts'
import type { WatchOptions } from '../catalog/watch.ts'
import type { SkillSource } from '../ports/source.ts'
import type { WindowOptions } from '../window/settings.ts'
import type { TokenCounter } from '@repertoire/skill-md/internal'
import type { ListingBudget } from '../disclosure/budget.ts'
import type { GuidanceMode } from '../disclosure/guidance.ts'
import type { ListingStyle } from '../tools/styles.ts'
import type { ScriptOptions } from '../execution/settings.ts'
import type { GateOptions, HostToolsOptions } from '@repertoire/gate/internal'
import type { SkillMounts } from '../ports/mount.ts'
import type { PlanCallRunner } from '../session/context.ts'
import type { SavedSession } from '../session/state/seal.ts'
import type { TurnMatching } from '../session/turn/matching.ts'
import type { TriggerMode } from '../session/turn/triggers.ts'
import type { SearchMode, SkillToolNames } from '../tools/definitions.ts'
import type { Admission } from '../ports/admission.ts'
import type { ConsentHandler } from '../ports/consent.ts'
import type { SessionProblem } from '../ports/problem.ts'
import type { ToolsetOptions } from '../ports/toolset.ts'
import type { Catalog, CatalogSettings } from '../catalog/catalog.ts'
import type { LoadedSkill } from '../catalog/documents.ts'
import type { Explanation } from '../catalog/explanation.ts'
import type { SkillProvider } from '../catalog/provider.ts'
import type { ReloadListener, ReloadResult, SnapshotOptions } from '../catalog/snapshots.ts'
import type { SkillTiers } from '../catalog/tiers.ts'
import type { ViewerOptions } from '../catalog/view.ts'
import type { Session } from '../session/session.ts'

/** How skills are found, read and kept. */
export interface CatalogOptions extends CatalogSettings, SnapshotOptions {
  /** How long a skill's document is kept for `load`, in milliseconds; 0: not at all. Default 300,000. */
  readonly cacheTtl?: number | undefined
}

/** How skills are listed for a model. */
export interface ListingOptions {
  /** How a model is shown the list of skills. Default `lines`. */
  readonly style?: ListingStyle | undefined
  /** How much of the context window the list of skills may take. False: the list is shown whole, however long. */
  readonly budget?: ListingBudget | false | undefined
  /**
   * Whether a model is offered a tool to search for skills, `search_skills`: `auto`, where the list has no room for
   * every skill and its whole description; `always`; or `never`. Where it is, a model can activate what is not listed.
   * Default `auto`.
   */
  readonly search?: SearchMode | undefined
  /**
   * How much a model learns about skills before it activates one. `short`: when to activate one; how to use it, with
   * worked examples, comes with the result of the session's first activation. `full`: everything at once, and the names
   * to choose from in the activation tool's schema, for weak models. Default `short`.
   */
  readonly guidance?: GuidanceMode | undefined
  /**
   * Whether the offered tools stay the same whatever skill is active, so that the provider's prompt cache survives an
   * activation. The skill tools are offered from the beginning, and no tool is hidden; calls are refused as before.
   * Only a skill's own `toolsets` come and go with it. Default false.
   */
  readonly stableTools?: boolean | undefined
}

/** The model's context window, and how conversations are kept within it. */
export interface ContextOptions {
  /**
   * The model's context window, in tokens: for the list of skills, of which it may take a share, and for conversations,
   * which are kept within it where this or `summaries` is set. Default 200,000.
   */
  readonly window?: number | undefined
  /** Counts tokens, for the list of skills and for conversations. It must be pure. Default: an estimate. */
  readonly countTokens?: TokenCounter | undefined
  /**
   * When the older part of a conversation is summarised for the model. False: never. Default: where `window` is set,
   * as the defaults of `WindowOptions` say; otherwise never.
   */
  readonly summaries?: WindowOptions | false | undefined
}

/** How a repertoire is opened. */
export interface RepertoireOptions extends GateOptions, HostToolsOptions {
  /** Where skills come from, such as `directorySource` of @repertoire/core/node. */
  readonly sources: readonly SkillSource[]
  /** How skills are found, read and kept. */
  readonly catalog?: CatalogOptions | undefined
  /**
   * Whether the catalog watches the sources that support it and reloads after a change. Default false. A watch does not
   * keep the process alive; `close` ends it.
   */
  readonly watch?: boolean | WatchOptions | undefined
  /**
   * Which skills may load at all, by what they ask for, and what a skill without `allowed-tools` gets. A skill that is
   * not admitted is not listed and cannot be activated; `explain` says why. Default: every skill, and everything.
   */
  readonly admit?: Admission | undefined
  /** Whether skills are used at all. False: no source is scanned, no tool shown, nothing restricted. Default true. */
  readonly enabled?: boolean | undefined
  /** How skills are listed for a model. */
  readonly listing?: ListingOptions | undefined
  /** The model's context window, and how conversations are kept within it. */
  readonly context?: ContextOptions | undefined
  /**
   * What runs the scripts and hooks of skills, and how. Without it the session offers no tool for scripts, nothing of a
   * skill is run by it, and a skill with hooks cannot be activated. The same in every process.
   */
  readonly scripts?: ScriptOptions | undefined
  /** Other names for the skill tools. */
  readonly skillToolNames?: Partial<SkillToolNames> | undefined
  /** Seals saved sessions with HMAC, so that no one without the key can change one. The same in every process. */
  readonly sessionSecret?: string | undefined
  /**
   * Where the events of sessions are recorded: sinks, or sinks with what events may hold, and whether calls are refused
   * that cannot be recorded. Default: nowhere.
   */
  readonly audit?: AuditSink | readonly AuditSink[] | AuditOptions | undefined
  /**
   * Which skills may bring their own tools, by `toolsets: ['module:Export']`, and what loads them. They run with all
   * rights of the host. Default: none may. The same in every process.
   */
  readonly toolsets?: ToolsetOptions | undefined
  /**
   * Gives each task its own copy of what it activates, so that later changes are never used. Without it skills are used
   * where they are. The same in every process.
   */
  readonly mounts?: SkillMounts | undefined
}

/** Who answers requests for consent, and for how long they may. */
export interface ConsentOptions {
  /** Answers requests, see `SessionOptions.consent`. Absent: the framework's own approval, if it has one. */
  readonly ask?: ConsentHandler | undefined
  /** How long a handler may take, in milliseconds, more than 0. Default 5 minutes; `Infinity` for no limit. */
  readonly timeout?: number | undefined
}

/** What a person's message does, besides being answered. */
export interface TurnHandling {
  /**
   * What a person's message does where it matches a skill's triggers: nothing, the skill is suggested to the model, or
   * it is activated where the consent handler approves. Default `suggest`.
   */
  readonly triggers?: TriggerMode | undefined
  /**
   * In the style `matched`, each message of a person is searched for the skills that fit it; `{}` for the defaults. A
   * mistake in another style. Absent: all that are visible, by name.
   */
  readonly match?: TurnMatching | undefined
}

/** How a session is opened. */
export interface SessionOptions extends GateOptions, HostToolsOptions {
  /** Identifies this task. Default: random; with `saved`: that of the saved session. */
  readonly id?: string | undefined
  /** Matched against each skill's `scope.agents`. */
  readonly agent?: string | undefined
  /** Matched against each skill's `scope.tenants`. */
  readonly tenant?: string | undefined
  /** Matched against each skill's `scope.environments`. */
  readonly environment?: string | undefined
  /** Allowlist of skill names: absent = all, `[]` = none, `['*']` = all, names = those. */
  readonly skills?: readonly string[] | undefined
  /**
   * Answers whether a skill may be activated. If the folder changes while it does, it is asked again. Without one the
   * framework's own approval is used where it has one, and otherwise every activation is denied. Skill calls of the
   * session wait for its answer, one after the other: it must not make one itself and wait for it.
   */
  readonly consent?: ConsentHandler | ConsentOptions | undefined
  /** What a person's message does, besides being answered: triggers, and the skills that fit it. */
  readonly turns?: TurnHandling | undefined
  /** The folder that relative paths in the host's tools are relative to. Absent: they are compared as they are. */
  readonly cwd?: string | undefined
  /**
   * Carries out the steps of composite skills, each a call of one of the host's tools that has passed the gate. Whether
   * a person has to be asked about a tool is for this function to see to: no framework's approval comes between.
   * Absent: a composite skill returns its plan, which the model carries out itself.
   */
  readonly runStep?: PlanCallRunner | undefined
  /**
   * Identifies the session's events in the host's other systems, such as the id of a request or of a trace. Default:
   * none. A saved session that has one keeps it, whatever is passed here.
   */
  readonly correlationId?: string | undefined
  /**
   * Called with what went wrong and stopped nothing, such as a failed post hook. What it throws is ignored. Default:
   * what keeps an agent from working, such as `SESSION_ENDED_EARLY`, is a warning of the process, once for each code.
   */
  readonly onProblem?: ((problem: SessionProblem) => void) | undefined
  /** What `save` of an earlier session returned. */
  readonly saved?: SavedSession | undefined
}

/** What an adapter opens a session with, beside what its host chooses. */
export interface AdapterSessionOptions extends SessionOptions {
  /** The names of the host's tools, where calls come before the first step. */
  readonly hostTools?: readonly string[] | undefined
  /**
   * Saves the session where it is kept: called and awaited before a request for consent is given out, and before
   * anything begins that was consented to. If it rejects, what gives the request out does too, and nothing begins.
   * Default: none. `openStoredSession` provides it.
   */
  readonly checkpoint?: (() => Promise<void>) | undefined
  /**
   * Once it aborts, nothing begins in the session any more, as if it had ended, and running work is told to stop.
   * Its state stays as it is. Default: none. `openStoredSession` provides it.
   */
  readonly until?: AbortSignal | undefined
}

/** Options of `repertoire.explain`. */
export interface ExplainOptions extends ViewerOptions {
  /** The names of a host's tools: then it also says which rules of `allowed-tools` mean none of them. */
  readonly hostTools?: readonly string[] | undefined
}

/** Skills, ready to be used by agents. */
export interface Repertoire {
  /** The current snapshot: immutable, and another object after a reload. An old one can still be used. */
  readonly catalog: Catalog
  /**
   * Scans all sources again, beside the current catalog, and replaces that with the result in one step. Sessions show
   * it from their next step on; a skill that is active stays what it was when it was activated. A skill whose SKILL.md
   * can no longer be read is kept as it was read last, with a diagnostic; a deleted one is dropped.
   *
   * Concurrent calls share one reload. Only a forced call that comes during a reload gets the next one, which all
   * further calls share: the current one may have read already what the call wants read.
   * @param options.force default false: skipped where the last is less than `catalog.minReloadInterval` ago
   * @throws why it failed; the catalog is then the one before
   */
  readonly reload: (options?: { readonly force?: boolean }) => Promise<ReloadResult>
  /** Calls the listener with every new snapshot. Returns an unsubscribe function. */
  readonly onChange: (listener: ReloadListener) => () => void
  /**
   * Returns the whole document of a skill: manifest, body, and what the body defines. For people and tools that look at
   * skills; an activation asks for consent and reads again. Kept for `catalog.cacheTtl`, at most until the next reload.
   * @param options.viewer default: one that sees what no scope and no allowlist hides
   * @throws {SkillError} SKILL_NOT_FOUND; SKILL_BROKEN: its file cannot be read as a skill now; RESOURCE_NOT_FOUND,
   * RESOURCE_REFUSED, RESOURCE_TOO_LARGE
   */
  readonly load: (name: string, options?: ViewerOptions) => Promise<LoadedSkill>
  /** Drops the documents that `load` has kept, of one skill or of all; the next reload is then not skipped. */
  readonly invalidate: (name?: string) => void
  /**
   * Explains what became of every skill of a name: shown, or why not. For people: it names skills and paths that the
   * viewer may not see, so it must not be shown to a model. Rules for commands that permit nothing are named once rules
   * for commands have been read in this process: by a session, or by `adviseSkill`.
   */
  readonly explain: (name: string, options?: ExplainOptions) => Explanation
  /**
   * Returns the visible skills for a host that retrieves its context itself: their metadata, current at every request;
   * with a query those that it finds, best first.
   */
  readonly provider: (options?: ViewerOptions) => SkillProvider
  /**
   * Returns what skills disclose, tier by tier, for a host's own programs. A model is shown skills by a session:
   * nothing here is activated, gated or consented to.
   * @param options.viewer default: one that sees what no scope and no allowlist hides
   */
  readonly tiers: (options?: ViewerOptions) => SkillTiers
  /**
   * Calls the listeners of `onClose`, ends the watch, waits until the audit is written, and closes the
   * sinks. Sessions go on. Safe to repeat.
   */
  readonly close: () => Promise<void>
  /**
   * Calls the listener when the repertoire is closed, and waits for it before the sinks are closed, for at most
   * `catalog.loadTimeout`. For owners of sessions that live in memory, to end them. Returns an unsubscribe function.
   */
  readonly onClose: (listener: () => Promise<void>) => () => void
  readonly [Symbol.asyncDispose]: () => Promise<void>
  /**
   * Opens the session of one task. Cheap: nothing is read.
   * @throws {SkillError} STATE_INVALID, STATE_TAMPERED, SESSION_ENDED for `saved`
   * @throws {TypeError} an option, at any depth, has an unknown name or a value of the wrong kind
   */
  readonly openSession: (options?: SessionOptions) => Session
  /**
   * Opens a session, runs a task in it, and ends it whatever happens: success, error or abort.
   * @throws whatever `task` throws
   */
  readonly runTask: <T>(options: SessionOptions, task: (session: Session) => Promise<T>) => Promise<T>
  /**
   * Merges two branches of a saved session, for frameworks that keep the state themselves and carry calls out side by
   * side: what either has added or removed. Pure. A grant of one branch counts in the other only once they are merged.
   * @param base what both began with. Undefined: there was no session yet
   * @param one undefined: nothing has happened in it
   * @throws {SkillError} STATE_INVALID (not the shape of a saved session), STATE_TAMPERED
   */
  readonly mergeSaved: (
    base: SavedSession | undefined,
    one: SavedSession | undefined,
    other: SavedSession,
  ) => SavedSession
}
