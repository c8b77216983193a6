import { lazyImport } from '../lazy-import.ts'

/** What carries out calls and activations: half of all code, which the first list of skills does not wait for. */
export const WORK = lazyImport(() => import('./work.ts'))
