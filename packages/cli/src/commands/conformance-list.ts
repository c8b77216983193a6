import { type AdapterDriver, checks } from '@repertoire/conformance'
import { showInvisible } from '@repertoire/core'
import { toJson } from '../output/json.ts'

/**
 * What would be run: the adapters with their variants, and the checks, as text or as JSON.
 * @param only the ids of the checks; absent: all
 */
export function listOf(drivers: readonly AdapterDriver[], only: readonly string[] | undefined, json: boolean): string {
  const adapters = drivers.map(({ name, variants }) => ({ name, variants: variants.map((variant) => variant.name) }))
  const chosen = checks.filter(({ id }) => only?.includes(id) ?? true)
  if (json) {
    const listed = chosen.map(({ id, level, title }) => ({ id, level, title }))
    return toJson({ adapters, checks: listed })
  }
  return [
    ...adapters.map(({ name, variants }) => showInvisible(`${name}: ${variants.join('; ')}`)),
    '',
    ...checkLines(chosen),
    '',
  ].join('\n')
}

/** A line for each check: its id, its level and its title. */
export function checkLines(
  chosen: readonly { readonly id: string; readonly level: string; readonly title: string }[],
): readonly string[] {
  const width = Math.max(...chosen.map(({ id }) => id.length))
  return chosen.map(({ id, level, title }) => `${id.padEnd(width)}  ${level.padEnd(6)}  ${title}`)
}
