import { buildCatalog, type Catalog, type CatalogOptions } from './catalog/catalog.ts'
import { viewsOf } from './catalog/view.ts'
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
   * otherwise every activation is denied. Skill calls of the session wait for its answer, one after the other: it must
   * not make one itself and wait for it.
   */
  readonly consent?: ConsentHandler
  /** How long a handler may take, in milliseconds, more than 0. Default 5 minutes; `Infinity` for no limit. */
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
   * @throws {SkillError} STATE_INVALID, STATE_TAMPERED
   */
  advance(saved: SavedSession | undefined, changes: readonly SessionChange[]): SavedSession | undefined
}

const CONSENT_TIMEOUT = 5 * 60_000

/**
 * Finds the skills of all sources and opens the way to them. Broken skills are in `catalog.diagnostics`.
 * @throws {TypeError} two skill tools have one name or one has none, `stateKey` is empty, or `toolArguments` are wrong
 */
export async function openRepertoire(options: RepertoireOptions): Promise<Repertoire> {
  const { profile = 'default', style = 'xml', toolNames, toolArguments = {}, stateKey } = options
  const names = checkedNames({ ...DEFAULT_TOOL_NAMES, ...toolNames })
  if (stateKey === '')
    throw new TypeError('`stateKey` is empty, so anybody could seal a session. Give a secret, or leave it out.')
  const [catalog, parser] = await Promise.all([buildCatalog(options), loadManifestParser()])
  const viewFor = viewsOf(catalog)
  const settled = {
    parser,
    profile,
    style,
    toolNames: names,
    toolArguments: mergeToolArguments(toolArguments),
    stateKey,
  }

  function openSession(session: SessionOptions = {}): Session {
    const { id, consent, consentTimeout = CONSENT_TIMEOUT, cwd, hostTools, saved } = session
    if (!(consentTimeout > 0)) {
      throw new TypeError(`consentTimeout is ${consentTimeout}. Give milliseconds, more than 0; Infinity for no limit.`)
    }
    const resumed = saved === undefined ? undefined : checkResumed(unsealState(saved, stateKey), id)
    return createSession(
      { ...settled, consent, consentTimeout, cwd, hostTools },
      viewFor(session),
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
      if (saved !== undefined) {
        const state = unsealState(saved, stateKey)
        if (first.type === 'opened' && first.id !== state.id) return saved
        return sealState(changes.reduce(applyChange, state), stateKey)
      }
      // What a call did in a session that is gone by now must not bring it back.
      if (first.type !== 'opened') return undefined
      return sealState(changes.reduce(applyChange, initialState(first.id)), stateKey)
    },
  }
}

function checkedNames(names: SkillToolNames): SkillToolNames {
  const folded = Object.values(names).map((name: unknown) => (typeof name === 'string' ? name.toLowerCase() : ''))
  const twice = folded.find((name, index) => folded.indexOf(name) !== index)
  if (folded.includes('') || twice !== undefined) {
    const what = folded.includes('') ? 'leaves a skill tool without a name' : `names two skill tools "${twice}"`
    throw new TypeError(`\`toolNames\` ${what}. Give each a name of its own; case does not tell two apart.`)
  }
  return names
}
