import type { Profile } from './ports/manifest.ts'

/** The profiles, the strictest first. */
export const PROFILES: readonly Profile[] = ['strict', 'default', 'lenient']
