import { PROFILES } from '../manifest/index.ts'
import { quoted } from '../resources/path.ts'
import type { CatalogOptions } from './catalog.ts'
import { DEFAULT_LAYERS } from './precedence.ts'

/**
 * For callers that no compiler checks: an unknown profile would be read as a lax one, and an invalid source would be
 * noticed only when its skills are missed.
 * @throws {TypeError} an option does not have the shape of `CatalogOptions`
 */
export function checkCatalogOptions({ sources, profile, layers, collision }: CatalogOptions): void {
  if (!Array.isArray(sources)) {
    throw new TypeError("`sources` is not a list. Give one, such as [directorySource({ root, layer: 'project' })].")
  }
  for (const [index, source] of (sources as readonly unknown[]).entries()) {
    const problem = sourceProblem(source)
    if (problem !== undefined) throw new TypeError(`\`sources[${index}]\` is not a source: ${problem}.`)
  }
  if (profile !== undefined && !PROFILES.includes(profile)) {
    throw new TypeError(`\`profile\` is ${quoted(profile)}. Give ${PROFILES.join(', ')}.`)
  }
  const unknown = layers?.find((layer) => !DEFAULT_LAYERS.includes(layer))
  if (unknown !== undefined) {
    throw new TypeError(`\`layers\` holds ${quoted(unknown)}. The layers are ${DEFAULT_LAYERS.join(', ')}.`)
  }
  if (collision !== undefined && collision !== 'first' && collision !== 'last') {
    throw new TypeError(`\`collision\` is ${quoted(collision)}. Give first or last.`)
  }
}

function sourceProblem(source: unknown): string | undefined {
  if (typeof source !== 'object' || source === null) return `it is ${source === null ? 'null' : `a ${typeof source}`}`
  const { id, layer, scan } = source as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || id === '') return 'its `id` is not text'
  if (!(DEFAULT_LAYERS as readonly unknown[]).includes(layer))
    return `its \`layer\` is not one of ${DEFAULT_LAYERS.join(', ')}`
  return typeof scan === 'function' ? undefined : 'it has no `scan`'
}
