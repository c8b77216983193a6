import { lazyImport } from '../lazy-import.ts'
import type { Executor, ExecutorOptions } from './execute.ts'

// Most programs execute nothing: what it takes is imported by the first execution.
const EXECUTION = lazyImport(() => import('./execute.ts'))

/** Returns an executor for options that were checked. */
export function executorOf(options: ExecutorOptions): Executor {
  const open = async (): Promise<Executor> =>
    (EXECUTION.loaded === undefined ? await EXECUTION.load() : EXECUTION.loaded).openExecutor(options)
  return {
    check: async (request) => (await open()).check(request),
    execute: async (request) => (await open()).execute(request),
  }
}
