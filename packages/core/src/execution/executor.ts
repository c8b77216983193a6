import { lazyImport } from '../lazy-import.ts'
import { checkOptions } from '../options/table.ts'
import { EXECUTOR_OPTIONS } from '../repertoire/option-tables.ts'
import type { Executor, ExecutorOptions } from './execute.ts'

// Most programs execute nothing: what it takes is imported by the first execution.
const EXECUTION = lazyImport(() => import('./execute.ts'))

/**
 * Creates what executes skills by their type, for programs of a host's own: a session executes those that are called in
 * it. Nothing here asks for consent, and no rules are judged. It runs nothing itself.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function createExecutor(options: ExecutorOptions = {}): Executor {
  checkOptions('createExecutor', EXECUTOR_OPTIONS, options)
  const open = async (): Promise<Executor> =>
    (EXECUTION.loaded === undefined ? await EXECUTION.load() : EXECUTION.loaded).openExecutor(options)
  return {
    check: async (request) => (await open()).check(request),
    execute: async (request) => (await open()).execute(request),
  }
}
