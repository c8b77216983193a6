import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Profile } from '../ports/manifest.ts'
import type { Layer, Skill } from '../ports/skill.ts'
import type { SkillSource } from '../ports/source.ts'
import { skillNotFound } from './not-found.ts'
import { byPrecedence, decidedBy, DEFAULT_LAYERS, type ShadowedSkill } from './precedence.ts'
import { materialiseAll } from './pending-diagnostic.ts'
import { scanSources } from './scan-sources.ts'
import type { BrokenSkill } from './source-scan.ts'

/** How a catalog is made. */
export interface CatalogOptions {
  readonly sources: readonly SkillSource[]
  /** Default `default`. */
  readonly profile?: Profile
  /** Highest first. Default: enterprise, personal, project, plugin, bundled. Those left out come behind, in that order. */
  readonly layers?: readonly Layer[]
  /** Which of two skills of one name, layer and priority is taken: the one found `first` (default) or `last`. */
  readonly collision?: 'first' | 'last'
}

/** One immutable index over all sources. Metadata only: a body is read when its skill is activated. */
export interface Catalog {
  /** Every skill that is `active` and not shadowed, by name in code-unit order. */
  list(): readonly Skill[]
  has(name: string): boolean
  /** @throws {SkillError} SKILL_NOT_FOUND, with the nearest names */
  get(name: string): Skill
  /** Skills that a skill of the same name hides, with which. */
  readonly shadowed: readonly ShadowedSkill[]
  /** Skills that are there and not listed, because their status is `draft` or `disabled`. */
  readonly inactive: readonly Skill[]
  /** Manifests that are there and cannot be read as skills. */
  readonly broken: readonly BrokenSkill[]
  /** Skills that could be read before a reload and cannot now: they are as they were read last. */
  readonly kept: readonly Skill[]
  /** In the order of discovery. Made by the first access. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Scans every source and makes the index. One broken, unreadable or hostile skill never stops the others, nor does
 * a source that fails as a whole: each becomes a diagnostic.
 * @param former the index before this one: a skill of it whose manifest was broken since, or whose source fails as a
 * whole, is kept as it was; one that was deleted goes
 */
export async function buildCatalog(options: CatalogOptions, former?: Catalog): Promise<Catalog> {
  const { sources, profile = 'default', layers = DEFAULT_LAYERS, collision = 'first' } = options
  const scan = await scanSources(sources, profile, former && everySkill(former))
  const { found, kept, broken, pending, memory } = scan
  const inactive = found.filter((skill) => skill.manifest.status !== 'active')
  const { chosen, shadowed } = byPrecedence(
    inactive.length === 0 ? found : found.filter((skill) => skill.manifest.status === 'active'),
    layers,
    collision,
  )
  const catalog = indexOf(chosen, { shadowed, inactive, broken, kept }, () => [
    ...materialiseAll(pending),
    ...shadowed.map(shadowDiagnostic),
  ])
  memories.set(catalog, memory)
  return catalog
}

/** What scans read, held for later scans as long as the catalog is there. */
const memories = new WeakMap<Catalog, object>()

/** The same index with more diagnostics. */
export function withDiagnostics(catalog: Catalog, more: readonly Diagnostic[]): Catalog {
  if (more.length === 0) return catalog
  const { shadowed, inactive, broken, kept } = catalog
  const parts = {
    list: () => catalog.list(),
    has: (name: string) => catalog.has(name),
    get: (name: string) => catalog.get(name),
    shadowed,
    inactive,
    broken,
    kept,
  }
  return withDiagnosticsOf(parts, () => [...catalog.diagnostics, ...more])
}

/** @param make is called when the diagnostics are first read, and once */
function withDiagnosticsOf(parts: Omit<Catalog, 'diagnostics'>, make: () => readonly Diagnostic[]): Catalog {
  let pending: typeof make | undefined = make
  let diagnostics: readonly Diagnostic[] = []
  return Object.freeze({
    ...parts,
    get diagnostics() {
      if (pending !== undefined) {
        diagnostics = Object.freeze(pending())
        pending = undefined
      }
      return diagnostics
    },
  })
}

/** Every skill that was read, also those that are not listed. */
export function everySkill(catalog: Catalog): readonly Skill[] {
  const { shadowed, inactive } = catalog
  return [...catalog.list(), ...shadowed.map(({ skill }) => skill), ...inactive]
}

function indexOf(
  chosen: ReadonlyMap<string, Skill>,
  rest: Pick<Catalog, 'shadowed' | 'inactive' | 'broken' | 'kept'>,
  makeDiagnostics: () => readonly Diagnostic[],
): Catalog {
  const listed = Object.freeze(sortedByName(chosen))
  const parts = {
    list: () => listed,
    has: (name: string) => findNamed(listed, name) !== undefined,
    get: (name: string) => {
      const skill = findNamed(listed, name)
      if (skill !== undefined) return skill
      const names = listed.map((one) => one.name)
      throw skillNotFound(name, names, ' in the catalog')
    },
    shadowed: Object.freeze(rest.shadowed),
    inactive: Object.freeze(rest.inactive),
    broken: Object.freeze(rest.broken),
    kept: Object.freeze(rest.kept),
  }
  return withDiagnosticsOf(parts, makeDiagnostics)
}

/** Texts are sorted without a function that compares them. Apart, or the map would be kept with the catalog. */
function sortedByName(skills: ReadonlyMap<string, Skill>): Skill[] {
  return [...skills.keys()].toSorted().map((name) => skills.get(name)!)
}

/** By halves: a map beside the list would take about fifty bytes a skill. */
function findNamed(listed: readonly Skill[], name: string): Skill | undefined {
  let low = 0
  let high = listed.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (listed[middle]!.name < name) low = middle + 1
    else high = middle
  }
  const found = listed[low]
  return found?.name === name ? found : undefined
}

/** Why a skill is shadowed, as the end of a sentence. */
function shadowReason(shadowed: ShadowedSkill): string {
  const { skill, by } = shadowed
  const decided = decidedBy(shadowed)
  if (decided === 'layer') return `the layer ${by.layer} goes before ${skill.layer}`
  if (decided === 'priority') return `its priority is ${by.manifest.priority}`
  // Layers and priorities are the host's and the author's own word; only a tie is decided by mere order.
  return `both have the layer ${by.layer} and the priority ${by.manifest.priority}, and the order in which they were found decides`
}

function shadowDiagnostic(shadowed: ShadowedSkill): Diagnostic {
  const { skill, by } = shadowed
  const tie = decidedBy(shadowed) === 'order'
  return {
    code: 'SKILL_SHADOWED',
    severity: tie ? 'warning' : 'info',
    path: skill.path,
    message: `The skill "${skill.name}" is shadowed by ${by.path}: ${shadowReason(shadowed)}.`,
    hint: tie
      ? 'Rename one of the two, or give the one that you want a higher `priority`.'
      : 'Rename it if both are wanted.',
  }
}
