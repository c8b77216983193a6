/** One command that a skill has run around its activation, as its runner gets it. */
export interface HookRun {
  /** `pre`: before the activation, which it can stop. `post`: after the deactivation. */
  readonly phase: 'pre' | 'post'
  /** As the skill's `hooks` names it. Untrusted text that was consented to, not a checked path. */
  readonly command: string
  readonly skill: string
  /** The skill's folder, as shown to people and models. */
  readonly location: string
  /** What was consented to, see `digestFolder`. The folder is measured against it right before the first hook. */
  readonly digest: string
  /** What was passed to the skill, if anything. */
  readonly args?: string
  readonly session: string
  /** Aborts with the run that requests the activation, at the end of the session, and when the time is over. */
  readonly signal: AbortSignal
  /**
   * Reads a file of the skill's folder, hidden ones too, as it was consented to. Run these bytes, and not what is at
   * `location` by then.
   * @throws {SkillError} RESOURCE_REFUSED: it has changed; RESOURCE_PATH_INVALID, RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: (path: string) => Promise<Uint8Array>
}

/** The result of a hook. Only `ok: true` is a success; a throw is a failure. */
export interface HookResult {
  readonly ok: boolean
  /** What it wrote. Where the hook stops an activation, the model is shown it, cut and cleaned. */
  readonly output?: string
}

/** Runs a hook. It stops when the signal aborts; nobody waits for it after that. */
export type HookRunner = (run: HookRun) => HookResult | Promise<HookResult>
