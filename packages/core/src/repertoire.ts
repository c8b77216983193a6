import { buildCatalog, type Catalog, type CatalogOptions } from './catalog/catalog.ts'
import { viewOf } from './catalog/view.ts'
import type { ListingStyle } from './disclosure/listing.ts'
import { mergeToolArguments, type ToolArguments } from './gate/index.ts'
import { loadManifestParser } from './manifest/index.ts'
import { type SavedSession, sealState, unsealState } from './session/seal.ts'
import { checkResumed, createSession, type Session } from './session/session.ts'
import { applyChange, initialState, type SessionChange } from './session/state.ts'
import { DEFAULT_TOOL_NAMES, type SkillToolNames } from './tools/definitions.ts'
import type { ConsentHandler } from './types.ts'

/** How a repertoire is opened. */
export interface RepertoireOptions extends CatalogOptions {
  /** Default `xml`. */
  readonly style?: ListingStyle
  /** Other names for the skill tools. */
  readonly toolNames?: Partial<SkillToolNames>
  /**
   * Which argument of a host's tool a pattern such as `Bash(git:*)` speaks of. Adds to, and goes before, what is
   * known of common tools (`Bash`, `Read`, `Write`, `Edit`, `Glob`, `Grep`, `WebFetch` and their usual other names).
   */
  readonly toolArguments?: ToolArguments
  /** Seals saved sessions with HMAC, so that nobody without the key can change one. The same in every process. */
  readonly stateKey?: string
}

/** How a session is opened. */
export interface SessionOptions {
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
   * otherwise every activation is denied.
   */
  readonly consent?: ConsentHandler
  /** How long a handler may take, in milliseconds. Default 5 minutes. */
  readonly consentTimeout?: number
  /** The folder that relative paths in the host's tools are relative to. Absent: relative paths are compared as they are. */
  readonly cwd?: string
  /** The names of the host's tools, where calls come before the first `beginStep`. */
  readonly hostTools?: readonly string[]
  /** What `save` of an earlier session gave. */
  readonly saved?: SavedSession
}

/** Skills, ready to be used by agents. */
export interface Repertoire {
  readonly catalog: Catalog
  /**
   * Opens the session of one task. Cheap: nothing is read.
   * @throws {SkillError} STATE_INVALID, STATE_TAMPERED, SESSION_ENDED for `saved`
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
   * count for nothing, and the answer is undefined again.
   * @throws {SkillError} STATE_INVALID, STATE_TAMPERED
   */
  advance(saved: SavedSession | undefined, changes: readonly SessionChange[]): SavedSession | undefined
}

const CONSENT_TIMEOUT = 5 * 60_000

/** Finds the skills of all sources and opens the way to them. Broken skills are in `catalog.diagnostics`. */
export async function openRepertoire(options: RepertoireOptions): Promise<Repertoire> {
  const { profile = 'default', style = 'xml', toolNames, toolArguments = {}, stateKey } = options
  const [catalog, parser] = await Promise.all([buildCatalog(options), loadManifestParser()])
  const settled = {
    parser,
    profile,
    style,
    toolNames: { ...DEFAULT_TOOL_NAMES, ...toolNames },
    toolArguments: mergeToolArguments(toolArguments),
    stateKey,
  }

  function openSession(session: SessionOptions = {}): Session {
    const { id, consent, consentTimeout = CONSENT_TIMEOUT, cwd, hostTools, saved } = session
    const resumed = saved === undefined ? undefined : checkResumed(unsealState(saved, stateKey), id)
    return createSession(
      { ...settled, consent, consentTimeout, cwd, hostTools },
      viewOf(catalog, session),
      resumed ?? id ?? crypto.randomUUID(),
    )
  }

  return {
    catalog,
    openSession,
    async runTask(session, task) {
      const opened = openSession(session)
      try {
        return await task(opened)
      } finally {
        await opened.end()
      }
    },
    advance(saved, changes) {
      const [first] = changes
      if (first === undefined) return saved
      if (saved !== undefined) return sealState(changes.reduce(applyChange, unsealState(saved, stateKey)), stateKey)
      // What a call did in a session that is gone by now must not bring it back.
      if (first.type !== 'opened') return undefined
      return sealState(changes.reduce(applyChange, initialState(first.id)), stateKey)
    },
  }
}
