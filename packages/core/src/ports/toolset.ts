import type { Layer } from '@repertoire/skill-md/internal'
import type { MountFile } from './mount.ts'

/** A module in a skill's folder that brings tools. */
export interface ToolsetRequest {
  readonly skill: string
  /** The skill's folder, as shown to people and models. */
  readonly location: string
  /** The digest of the folder, as it was consented to. */
  readonly digest: string
  /** The module's path, relative to the skill's folder and without its ending: `toolsets/index`. It stays inside. */
  readonly module: string
  /** The name of its export: `MyToolset`, `default`. */
  readonly export: string
  /** All files that the digest covers, for the modules that it imports. */
  readonly files: readonly MountFile[]
}

/** Loads modules of skills. Its code runs with all rights of the host. */
export interface ToolsetLoader {
  /**
   * Returns what the module exports under that name: a list of `FunctionTool`, or a function of a `ToolsetContext` that
   * returns one, or a promise of one. Only the bytes of `files` may be run.
   * @throws why it cannot be loaded
   */
  load(request: ToolsetRequest): Promise<unknown>
  /** Removes what it has written. What was loaded goes on. */
  close?(): Promise<void>
}

/** Which skills may bring tools, and what loads them. */
export interface ToolsetOptions {
  /** Such as `moduleToolsets()` of @repertoire/core/node. */
  readonly loader: ToolsetLoader
  /** The layers whose skills may: their modules run with all rights of the host. Default: none. */
  readonly layers: readonly Layer[]
  /**
   * How long each call of their tools may take, in milliseconds, more than 0. Default 60,000; `Infinity` for no limit.
   * The signal of the call aborts then, and the model is told.
   */
  readonly callTimeout?: number | undefined
}

/**
 * What a toolset that is a function is given. It is called once for each content of a skill, and its tools are shared
 * by all tasks: they keep nothing of a task.
 */
export interface ToolsetContext {
  readonly skill: string
  readonly location: string
  readonly digest: string
}
