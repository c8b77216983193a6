import type { PatternChecker } from './fields/field.ts'
import { loadPatternChecker } from './fields/triggers.ts'
import type { YamlReader } from './yaml/tree.ts'
import { createYamlReader } from './yaml/yaml.ts'

/**
 * Libraries that few manifests need. Each is absent until `loadLibrary` has loaded it. All parsers share this object.
 */
export const libraries: { yaml?: YamlReader; patterns?: PatternChecker } = {}

/** Loads a library, unless it is loaded. */
export async function loadLibrary(name: keyof typeof libraries): Promise<void> {
  if (name === 'yaml') libraries.yaml ??= createYamlReader(await import('js-yaml'))
  else libraries.patterns ??= await loadPatternChecker()
}

/** Reads one YAML document, or JSON, whole. */
export async function readYaml(text: string, firstLine: number): Promise<ReturnType<YamlReader>> {
  await loadLibrary('yaml')
  return libraries.yaml!(text, firstLine)
}
