/** One command that a skill wants run around its activation, on its way to whoever runs it. */
export interface HookRun {
  /** `pre`: before the activation, which it can stop. `post`: after the deactivation. */
  readonly phase: 'pre' | 'post'
  /** As the skill's `hooks` names it. Untrusted text that was agreed to, not a path that was checked. */
  readonly command: string
  readonly skill: string
  /** The skill's folder, as shown to people and models. */
  readonly location: string
  /** What was agreed to, see `digestFolder`. The folder was measured to be that right before the first hook. */
  readonly digest: string
  /** What was passed to the skill, if anything. */
  readonly args?: string
  readonly session: string
  /** Aborted with the run that asks for the activation, at the end of the session, and when the time is over. */
  readonly signal: AbortSignal
  /**
   * A file of the skill's folder, hidden ones too, as it was agreed to: whoever runs it runs these bytes, and not what
   * lies at `location` by then.
   * @throws {SkillError} RESOURCE_REFUSED: it is another one now; RESOURCE_PATH_INVALID, RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: (path: string) => Promise<Uint8Array>
}

/** What became of a hook. Only `ok: true` is a success; a throw is none. */
export interface HookResult {
  readonly ok: boolean
  /** What it wrote; the model is shown it, cut and cleaned, where the hook stops an activation. */
  readonly output?: string
}

/** Runs a hook. It gives up when the signal aborts; nobody waits for it after that. */
export type HookRunner = (run: HookRun) => HookResult | Promise<HookResult>
