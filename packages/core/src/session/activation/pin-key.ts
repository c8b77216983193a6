import type { ActiveSkill } from '../state/state.ts'

/** The last key, and what it was made of: a skill is looked up several times in a row. */
let last: (Pick<ActiveSkill, 'source' | 'location' | 'digest'> & { readonly key: string }) | undefined

/** The key of a skill's folder as it was consented to. */
export function folderKey({ source, location, digest }: ActiveSkill): string {
  if (last?.digest === digest && last.location === location && last.source === source) return last.key
  // With the lengths no part of one can pass for a part of another.
  const key = `${source.length} ${location.length} ${source}${location}${digest}`
  last = { source, location, digest, key }
  return key
}

/**
 * The key of the text of an activation, which depends on the arguments, the private copy and the host's tools too. Copies of several tasks
 * may have one private path, and each its own folder.
 */
export function textKey(active: ActiveSkill): string {
  const { args, laterArgs, mount, shownRules, shownDenied, shownMode } = active
  if ((args ?? laterArgs ?? mount ?? shownRules ?? shownDenied ?? shownMode) === undefined) return folderKey(active)
  const more = [
    args ?? null,
    laterArgs ?? null,
    mount?.path ?? null,
    mount?.location ?? null,
    shownRules ?? null,
    shownDenied ?? null,
    shownMode ?? null,
  ]
  return `${JSON.stringify(more)}${folderKey(active)}`
}
