import type { PatternChecker } from './fields/field.ts'
import { loadPatternChecker } from './fields/triggers.ts'
import type { YamlReader } from './yaml/tree.ts'
import { createYamlReader } from './yaml/yaml.ts'

/**
 * Libraries that take longer to load than hundreds of manifests take to read, and that few manifests need. A library is
 * absent until `loadLibrary` has loaded it. All parsers share this object.
 */
export const libraries: { yaml?: YamlReader; patterns?: PatternChecker } = {}

/**
 * Imports the `yaml` package, `typeof import('yaml')`. It is built into this package, so that it is loaded as one file; our
 * declarations cannot name its types, since nobody installs it.
 */
export function importYaml(): Promise<unknown> {
  return import('yaml')
}

/** Loads a library, unless it is loaded. */
export async function loadLibrary(name: keyof typeof libraries): Promise<void> {
  if (name === 'yaml') libraries.yaml ??= createYamlReader((await importYaml()) as typeof import('yaml'))
  else libraries.patterns ??= await loadPatternChecker()
}
