import { loadPatternChecker } from './fields/trigger-pattern.ts'
import type { PatternChecker } from './fields/trigger-pattern.ts'
import type { YamlReader } from './yaml/yaml.ts'

/** What takes longer to load than hundreds of manifests to read, and next to none of them needs. */
export interface Libraries {
  readonly yaml?: YamlReader
  readonly patterns?: PatternChecker
}

const libraries: { -readonly [Name in keyof Libraries]: Libraries[Name] } = {}

const LOADERS: { readonly [Name in keyof Libraries]-?: () => Promise<NonNullable<Libraries[Name]>> } = {
  yaml: async () => {
    const [{ createYamlReader }, library] = await Promise.all([import('./yaml/yaml.ts'), import('yaml')])
    return createYamlReader(library)
  },
  patterns: loadPatternChecker,
}

const loading = new Map<keyof Libraries, Promise<void>>()

/** What is loaded, for all parsers of the program; it grows. */
export function loadedLibraries(): Libraries {
  return libraries
}

/** Loads what a manifest was found to need; at once where it is there. */
export function loadLibrary(name: keyof Libraries): Promise<void> {
  const before = loading.get(name)
  if (before !== undefined) return before
  const load = async (): Promise<void> => void Object.assign(libraries, { [name]: await LOADERS[name]() })
  const started = load()
  loading.set(name, started)
  return started
}
