import type { Executor, ExecutorOptions } from '../execution/execute.ts'
import { checkOptions } from '../options/table.ts'
import { EXECUTOR_OPTIONS } from './option-tables.ts'

/**
 * Creates what executes skills by their type, for programs of a host's own: a session executes those that are called in
 * it. Nothing here asks for consent, and no rules are judged. It runs nothing itself.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function createExecutor(options: ExecutorOptions = {}): Executor {
  checkOptions('createExecutor', EXECUTOR_OPTIONS, options)
  const open = async (): Promise<Executor> => (await import('../execution/execute.ts')).openExecutor(options)
  return {
    check: async (request) => (await open()).check(request),
    execute: async (request) => (await open()).execute(request),
  }
}
