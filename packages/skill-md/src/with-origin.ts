import type { Manifest } from './ports/manifest.ts'

/**
 * Returns a manifest with the origin that a lock or a store has for the skill. What the file says about its source is only
 * a claim of its author.
 * @param origin absent: the manifest stays as it is
 */
export function withOrigin(manifest: Manifest, origin: string | undefined): Manifest {
  return origin === undefined ? manifest : { ...manifest, source: origin, createdBy: 'import' }
}
