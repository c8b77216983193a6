import { lazyImport } from './lazy-import.ts'

/** It takes a tenth of the time in which the root entry is imported, and a program that lists skills has no use for it. */
export const LRU_CACHE = lazyImport(() => import('lru-cache'))
