import type { MemorySourceOptions } from '../src/catalog/memory-source.ts'

/** The skills that this package ships. The module beside this file is made of `skills` by `npm run embed`. */
export declare const BUNDLED_SKILLS: MemorySourceOptions['skills']
