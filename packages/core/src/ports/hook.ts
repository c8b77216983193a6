import type { ScriptFile } from './script-runner.ts'

/** One run of a skill's hook command, as passed to the runner. */
export interface HookRun {
  /** `pre`: before the activation, which it can stop. `post`: after the deactivation. */
  readonly phase: 'pre' | 'post'
  /** As written in the skill's `hooks`. Untrusted text that was consented to, not a checked path. */
  readonly command: string
  readonly skill: string
  /** The skill's folder, as shown to people and models. */
  readonly location: string
  /** The digest that was consented to, see `digestFolder`. The folder is checked against it right before the first hook. */
  readonly digest: string
  /** The arguments of the skill, if any. */
  readonly args?: string
  readonly session: string
  /** Aborts with the run that requests the activation, at the end of the session, and after the time limit. */
  readonly signal: AbortSignal
  /**
   * Reads a file in the skill's folder, including hidden ones, as it was consented to. Run these bytes, since the files at
   * `location` may have changed.
   * @throws {SkillError} RESOURCE_REFUSED: it has changed; RESOURCE_PATH_INVALID, RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: (path: string) => Promise<Uint8Array>
  /**
   * Reads all files of the skill's folder as they were consented to, for a `ScriptRunner`.
   * @throws {SkillError} RESOURCE_REFUSED: one has changed; RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly files: () => Promise<readonly ScriptFile[]>
}

/** The result of a hook. Only `ok: true` is a success; an error that is thrown is a failure. */
export interface HookResult {
  readonly ok: boolean
  /** Its output. If the hook stops an activation, the model is shown it, shortened and without invisible characters. */
  readonly output?: string
}

/** Runs a hook. It must stop when the signal aborts; its result is not awaited after that. */
export type HookRunner = (run: HookRun) => HookResult | Promise<HookResult>
