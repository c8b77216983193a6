import { loadPatternChecker, type PatternChecker } from './fields/trigger-pattern.ts'
import type { YamlReader } from './yaml/tree.ts'
import { createYamlReader } from './yaml/yaml.ts'

/** Libraries that take longer to load than hundreds of manifests take to read, and that few manifests need. */
export interface Libraries {
  readonly yaml?: YamlReader
  readonly patterns?: PatternChecker
}

/** Imports the `yaml` package. It is built into this package, so that it is loaded as one file. */
export function importYaml(): Promise<typeof import('yaml')> {
  return import('yaml')
}

const libraries: { -readonly [Name in keyof Libraries]: Libraries[Name] } = {}

const LOADERS: { readonly [Name in keyof Libraries]-?: () => Promise<NonNullable<Libraries[Name]>> } = {
  yaml: async () => {
    return createYamlReader(await importYaml())
  },
  patterns: loadPatternChecker,
}

const loading = new Map<keyof Libraries, Promise<void>>()

/** Returns the libraries loaded so far. All parsers share this object, and later loads add to it. */
export function loadedLibraries(): Libraries {
  return libraries
}

/** Loads a library once; later calls return the same promise. */
export function loadLibrary(name: keyof Libraries): Promise<void> {
  const earlier = loading.get(name)
  if (earlier !== undefined) return earlier
  const load = async (): Promise<void> => void Object.assign(libraries, { [name]: await LOADERS[name]() })
  const started = load()
  loading.set(name, started)
  return started
}
