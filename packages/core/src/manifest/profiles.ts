import type { Profile } from '../types.ts'

/** The profiles, the strictest first. */
export const PROFILES: readonly Profile[] = ['strict', 'default', 'lenient']
