import type { Catalog } from '../catalog/catalog.ts'
import type { LoadedSkill } from '../catalog/documents.ts'
import type { Explanation } from '../catalog/explanation.ts'
import type { SkillProvider } from '../catalog/provider.ts'
import type { ReloadListener, ReloadResult } from '../catalog/snapshots.ts'
import type { SkillTiers } from '../catalog/tiers.ts'
import type { Viewer } from '../catalog/view.ts'
import type { Session } from '../session/session.ts'
import type { SavedSession, SealedChanges } from '../session/state/seal.ts'
import type { SessionChange } from '../session/state/state.ts'
import type { SessionOptions } from './options.ts'

/** Skills, ready to be used by agents. */
export interface Repertoire {
  /** The current snapshot: immutable, and another object after a reload. An old one can still be used. */
  readonly catalog: Catalog
  /**
   * Scans all sources again, beside the current catalog, and replaces that with the result in one step. Sessions show it
   * from their next step on; a skill that is active stays what it was when it was activated. A skill whose SKILL.md can
   * no longer be read is kept as it was read last, with a diagnostic; a deleted one is dropped.
   *
   * Concurrent calls share one reload. Only a forced call that comes during a reload gets the next one, which all further
   * calls share: the current one may have read already what the call wants read.
   * @param options.force default false: skipped where the last is less than `minReloadInterval` ago
   * and no store among the sources was written since
   * @throws why it failed; the catalog is then the one before
   */
  readonly reload: (options?: { readonly force?: boolean }) => Promise<ReloadResult>
  /** Calls the listener with every new snapshot. Returns an unsubscribe function. */
  readonly onChange: (listener: ReloadListener) => () => void
  /**
   * Returns the whole document of a skill: manifest, body, and what the body defines. For people and tools that look at
   * skills; an activation asks for consent and reads again. Kept for `cacheTtl`, at most until the next reload.
   * @param viewer default: one that sees what no scope and no allowlist hides
   * @throws {SkillError} SKILL_NOT_FOUND; SKILL_BROKEN: its file cannot be read as a skill now; RESOURCE_NOT_FOUND,
   * RESOURCE_REFUSED, RESOURCE_TOO_LARGE
   */
  readonly load: (name: string, viewer?: Viewer) => Promise<LoadedSkill>
  /** Drops the documents that `load` has kept, of one skill or of all; the next reload is then not skipped. */
  readonly invalidate: (name?: string) => void
  /**
   * Explains what became of every skill of a name: shown, or why not. For people: it names skills and paths that the
   * viewer may not see, so it must not be shown to a model. Rules for commands that permit nothing are named once rules
   * for commands have been read in this process: by a session, or by `adviseSkill`.
   * @param options.hostTools the names of a host's tools: then it also says which rules of `allowed-tools` mean none of them
   */
  readonly explain: (name: string, viewer?: Viewer, options?: { readonly hostTools?: readonly string[] }) => Explanation
  /**
   * Returns the visible skills for a host that retrieves its context itself: their metadata, current at every request; with
   * a query those that it finds, best first.
   */
  readonly provider: (viewer?: Viewer) => SkillProvider
  /**
   * Returns what skills disclose, tier by tier, for a host's own programs. A model is shown skills by a session: nothing
   * here is activated, gated or consented to.
   * @param viewer default: one that sees what no scope and no allowlist hides
   */
  readonly tiers: (viewer?: Viewer) => SkillTiers
  /**
   * Calls the listeners of `onClose`, ends the watch and requests to the embedder that no search waits for, waits until the audit is written, and closes the
   * sinks. Sessions go on. Safe to repeat.
   */
  readonly close: () => Promise<void>
  /**
   * Calls the listener when the repertoire is closed, and waits for it before the sinks are closed, for at most
   * `loadTimeout`. For owners of sessions that live in memory only, to end them. Returns an unsubscribe function.
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
   * Returns a saved session after some changes. Pure; for frameworks that keep the state themselves and merge what
   * concurrent calls did. `saved` is undefined before the first change, which is the opening: changes without it are
   * ignored, and the result is undefined again. Changes that begin with the opening of another session are ignored too.
   * @param changes sealed by `sealChanges`, where they are stored on their way
   * @throws {SkillError} STATE_INVALID (not the shape of a saved session or of changes), STATE_TAMPERED
   */
  readonly advance: (
    saved: SavedSession | undefined,
    changes: readonly SessionChange[] | SealedChanges,
  ) => SavedSession | undefined
  /** Seals changes of a session, as `save` seals its state: for frameworks that store updates before they merge them. */
  readonly sealChanges: (session: string, changes: readonly SessionChange[]) => SealedChanges
}
