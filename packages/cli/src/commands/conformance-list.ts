import { type AdapterDriver, type Check, chooseIds } from '@repertoire/conformance'
import { showInvisible } from '@repertoire/core'
import { toJson } from '../output/json.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Returns the checks that `--check` names; absent: all.
 * @throws {UsageError} if there is no such check
 */
export function chosenChecks<T extends { readonly id: string }>(
  all: readonly T[],
  ids: readonly string[] | undefined,
  command?: string,
): readonly T[] {
  try {
    return chooseIds(all, ids, command)
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

/** What would be run: the adapters with their variants, and the checks, as text or as JSON. */
export function listOf(drivers: readonly AdapterDriver[], chosen: readonly Check[], json: boolean): string {
  const adapters = drivers.map(({ name, variants }) => ({ name, variants: variants.map((variant) => variant.name) }))
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
