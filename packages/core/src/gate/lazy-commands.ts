import { lazyImport } from '../lazy-import.ts'

/** What reads command lines: many programs never need it. */
export const COMMANDS = lazyImport(() => import('./commands.ts'))
