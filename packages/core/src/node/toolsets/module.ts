import { tmpdir } from 'node:os'
import { openModules } from './open-modules.ts'
import { text } from '../../options/kinds.ts'
import { checkOptions } from '../../options/table.ts'
import type { ToolsetLoader } from '../../ports/toolset.ts'

/** Options of `moduleToolsets`. */
export interface ModuleToolsetsOptions {
  /** The folder in which the private copies are made. Default: that of the system for temporary files. */
  readonly root?: string
}

/**
 * Loads modules of skills by importing them, from a private copy of the skill's folder that only this user can read. The
 * copy is named by the folder's digest, since a module is imported once for a path: a skill that has changed is imported
 * anew. It has the files that were consented to and no others, and its modules import these and what Node brings: no
 * package is found, wherever it is.
 *
 * What is imported runs in this process, with all its rights. `close` removes the copies.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function moduleToolsets(options: ModuleToolsetsOptions = {}): ToolsetLoader & {
  close(): Promise<void>
} {
  checkOptions<ModuleToolsetsOptions>('moduleToolsets', { root: text }, options)
  const { root = tmpdir() } = options
  return openModules(root)
}
