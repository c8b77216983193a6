import { REPERTOIRE_OPTIONS } from './option-tables.ts'
import type { Repertoire } from './repertoire.ts'
import type { RepertoireOptions } from './options.ts'
import { readOptions } from '@repertoire/skill-md/internal'

/**
 * Finds the skills of all sources. Broken skills are in `catalog.diagnostics`.
 * @throws {TypeError} an option, at any depth, has an unknown name or a value of the wrong kind; a rule cannot be read;
 * options contradict each other
 */
export async function openRepertoire(options: RepertoireOptions): Promise<Repertoire> {
  const given = readOptions('openRepertoire', REPERTOIRE_OPTIONS, options)
  // Imported on first use, so that the entry stays small: most of core is behind this function.
  const { createRepertoire } = await import('./create-repertoire.ts')
  return createRepertoire(given)
}
