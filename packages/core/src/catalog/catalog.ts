import {
  type ManifestParser,
  type Diagnostic,
  type Profile,
  type Layer,
  type Skill,
  checkOptions,
  showInvisible,
  quoteName,
  showName,
  DEFAULT_LAYERS,
} from '@repertoire/skill-md/internal'
import type { RefusedSkill, SkillAdmission } from './admission.ts'
import type { SkillSource } from '../ports/source.ts'
import { skillNotFound } from './explanation.ts'
import type { IndexMemory } from './search-index.ts'
import { createSearch, type SearchSkills } from './search.ts'
import type { SkillEmbedder } from '../ports/embedder.ts'
import { type ShadowedSkill, byPrecedence, decidedBy } from './precedence.ts'
import { scanSources } from './scan-sources.ts'
import { type BrokenSkill, errorsOf, materialiseAll } from './source-scan.ts'
import { FOR_VIEWER, type ViewerOptions, visibility } from './view.ts'
import type { SearchSettings } from './searcher.ts'

/** How the index of a catalog is built. */
export interface CatalogSettings {
  /** How strictly skills are read. Default `default`. */
  readonly profile?: Profile | undefined
  /** Highest first. Default: enterprise, personal, project, plugin, bundled. Layers left out rank below these, in that order. */
  readonly layers?: readonly Layer[] | undefined
  /** Which of two skills with the same name, layer and priority wins: the one found `first` (default) or `last`. */
  readonly collision?: 'first' | 'last' | undefined
  /**
   * How long each of these may take, in milliseconds, more than 0: the scan of a source, one read of a skill's folder, all
   * that one activation reads, a mount and its removal. Default 30,000; `Infinity` for no limit.
   */
  readonly loadTimeout?: number | undefined
  /**
   * Lets a search also find what says the same in other words. It is given the names and descriptions of all skills, with
   * the first search, and then what is searched for. Default: skills are found by their words.
   */
  readonly embedder?: SkillEmbedder | undefined
}

/** One immutable index over all sources. It holds metadata only: a body is read when its skill is activated. */
export interface Catalog {
  /**
   * Returns every skill that is `active` and not shadowed, sorted by name in code-unit order.
   * @param options.viewer who may see them. Default: nothing is hidden
   */
  list(options?: ViewerOptions): readonly Skill[]
  has(name: string, options?: ViewerOptions): boolean
  /** @throws {SkillError} SKILL_NOT_FOUND, with the most similar names */
  get(name: string, options?: ViewerOptions): Skill
  /**
   * Finds the skills that fit a task, in this snapshot: one whose name is the query first, then the best by their names,
   * descriptions, tags, triggers and the first 2,000 characters of their bodies. What a viewer may not see is not there.
   * The index is made with the first search, in slices that block nothing; files that cannot be read, or an embedder that
   * fails, are diagnostics of the result.
   * @param query a text, or several phrases that are searched for together; the first 4,000 characters count. The words of
   * a task's products, formats and techniques find the most
   * @throws {TypeError} the query is not a text or a list of texts, or the limit is not a whole number above 0
   * @throws the signal's reason
   */
  readonly search: SearchSkills
  /** Skills hidden by another skill of the same name, each with the skill that hides it. */
  readonly shadowed: readonly ShadowedSkill[]
  /** Skills that are not listed because their status is `draft` or `disabled`. */
  readonly inactive: readonly Skill[]
  /** Skills that are not listed because the host's `admit` does not admit them, with the reasons. */
  readonly refused: readonly RefusedSkill[]
  /** Manifests that exist but cannot be read as skills. */
  readonly broken: readonly BrokenSkill[]
  /** Skills that cannot be read since a reload; the catalog keeps their last readable version. */
  readonly kept: readonly Skill[]
  /** In the order of discovery. Computed on first access. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Scans every source and builds the index. One broken, unreadable or hostile skill never stops the others, nor does
 * a source that fails as a whole: each becomes a diagnostic.
 * @param former the previous index: a skill whose manifest is broken now, or whose source fails as a whole, is kept
 * from it; a deleted skill is not
 * @param admission what judges which skills may load; absent: all may
 */
export async function buildCatalog(
  sources: readonly SkillSource[],
  options: CatalogSettings,
  former?: Catalog,
  admission?: SkillAdmission,
): Promise<Catalog> {
  const { profile = 'default', layers = DEFAULT_LAYERS, collision = 'first', loadTimeout, embedder } = options
  const scan = await scanSources(sources, profile, former && everySkill(former), loadTimeout)
  const { broken, pending } = scan
  const divided = await admission?.divide(scan.found)
  const { admitted: found = scan.found, refused = [] } = divided ?? {}
  const kept = refused.length === 0 ? scan.kept : scan.kept.filter((skill) => found.includes(skill))
  const inactive = found.filter((skill) => skill.manifest.status !== 'active')
  const { chosen, shadowed } = byPrecedence(
    inactive.length === 0 ? found : found.filter((skill) => skill.manifest.status === 'active'),
    layers,
    collision,
  )
  const searching = { embedder, memory: (former && indexMemories.get(former)) ?? {} }
  // Imported with the admission itself.
  const diagnose = refused.length === 0 ? undefined : (await import('./admission.ts')).notAdmitted
  const catalog = indexOf(chosen, { shadowed, inactive, refused, broken, kept }, searching, () => [
    ...materialiseAll(pending),
    ...shadowed.map(shadowDiagnostic),
    ...(diagnose === undefined ? [] : refused.map(diagnose)),
  ])
  indexMemories.set(catalog, searching.memory)
  parsers.set(catalog, scan.parser)
  losses.set(catalog, errorsOf(pending))
  return catalog
}

/** What the sources of a catalog could not load. */
const losses = new WeakMap<Catalog, readonly Diagnostic[]>()

/** Returns the errors of a catalog's sources. Unlike its `diagnostics`, these take no time where there is none. */
export function lossesOf(catalog: Catalog): readonly Diagnostic[] {
  return losses.get(catalog) ?? []
}

/** What the last search of a repertoire has indexed, by catalog. */
const indexMemories = new WeakMap<Catalog, IndexMemory>()

/** Keeps a parser, and what it remembers, as long as a catalog that was read with it. */
const parsers = new WeakMap<Catalog, ManifestParser>()

/** Ends what searches in a catalog, and in those before it, have begun and nobody waits for. Later ones begin it again. */
export function endSearches(catalog: Catalog): void {
  const memory = indexMemories.get(catalog)
  memory?.begun?.abort(new Error('the repertoire was closed meanwhile'))
  if (memory !== undefined) memory.begun = undefined
}

/** Returns the same index with additional diagnostics. */
export function withDiagnostics(catalog: Catalog, more: readonly Diagnostic[]): Catalog {
  if (more.length === 0) return catalog
  const { shadowed, inactive, refused, broken, kept } = catalog
  const parts = {
    list: (options?: ViewerOptions) => catalog.list(options),
    has: (name: string, options?: ViewerOptions) => catalog.has(name, options),
    get: (name: string, options?: ViewerOptions) => catalog.get(name, options),
    search: catalog.search,
    shadowed,
    inactive,
    refused,
    broken,
    kept,
  }
  const made = withDiagnosticsOf(parts, () => [...catalog.diagnostics, ...more])
  const memory = indexMemories.get(catalog)
  if (memory !== undefined) indexMemories.set(made, memory)
  losses.set(made, lossesOf(catalog))
  return made
}

/** @param make is called once, when the diagnostics are first read */
function withDiagnosticsOf(parts: Omit<Catalog, 'diagnostics'>, make: () => readonly Diagnostic[]): Catalog {
  let pending: typeof make | undefined = make
  let diagnostics: readonly Diagnostic[] = []
  return Object.freeze({
    ...parts,
    get diagnostics() {
      if (pending !== undefined) {
        diagnostics = Object.freeze(pending().map(inOneLine))
        pending = undefined
      }
      return diagnostics
    },
  })
}

/** A source's diagnostic may repeat what it read: in a log each is one line, without invisible characters. */
function inOneLine(diagnostic: Diagnostic): Diagnostic {
  const message = showInvisible(diagnostic.message)
  const hint = diagnostic.hint === undefined ? undefined : showInvisible(diagnostic.hint)
  if (message === diagnostic.message && hint === diagnostic.hint) return diagnostic
  return { ...diagnostic, message, ...(hint !== undefined && { hint }) }
}

/** Returns every skill that was read, including those that are not listed. */
export function everySkill(catalog: Catalog): readonly Skill[] {
  const { shadowed, inactive, refused } = catalog
  return [...catalog.list(), ...shadowed.map(({ skill }) => skill), ...inactive, ...refused.map(({ skill }) => skill)]
}

function indexOf(
  chosen: readonly Skill[],
  rest: Pick<Catalog, 'shadowed' | 'inactive' | 'refused' | 'broken' | 'kept'>,
  searching: SearchSettings,
  makeDiagnostics: () => readonly Diagnostic[],
): Catalog {
  const listed = Object.freeze(chosen)
  const byName = new Map(listed.map((skill) => [skill.name, skill]))
  const find = (name: string, isVisible?: (skill: Skill) => boolean): Skill | undefined => {
    const skill = byName.get(name)
    return skill === undefined || isVisible?.(skill) === false ? undefined : skill
  }
  const parts: Omit<Catalog, 'diagnostics'> = {
    list(options) {
      const isVisible = visibleBy('list', options)
      return isVisible === undefined ? listed : listed.filter(isVisible)
    },
    has: (name, options) => find(name, visibleBy('has', options)) !== undefined,
    get(name, options) {
      const isVisible = visibleBy('get', options)
      const skill = find(name, isVisible)
      if (skill !== undefined) return skill
      const visible = isVisible === undefined ? listed : listed.filter(isVisible)
      throw skillNotFound(
        name,
        visible.map((other) => other.name),
        ' in the catalog',
      )
    },
    search: createSearch(listed, searching),
    shadowed: Object.freeze(rest.shadowed),
    inactive: Object.freeze(rest.inactive),
    refused: Object.freeze(rest.refused),
    broken: Object.freeze(rest.broken),
    kept: Object.freeze(rest.kept),
  }
  return withDiagnosticsOf(parts, makeDiagnostics)
}

/** Returns undefined where everyone's skills are wanted. */
function visibleBy(method: string, options: ViewerOptions | undefined): ((skill: Skill) => boolean) | undefined {
  checkOptions(method, FOR_VIEWER, options)
  return options?.viewer && visibility(options.viewer)
}

/** Returns why a skill is shadowed, as the end of a sentence. */
function shadowReason(shadowed: ShadowedSkill): string {
  const { skill, by } = shadowed
  const decided = decidedBy(shadowed)
  if (decided === 'layer') return `the layer ${by.layer} has precedence over ${skill.layer}`
  if (decided === 'priority') return `its priority is ${by.manifest.priority}`
  // The host chose the layers and the author the priority; only a tie is decided by mere order.
  return `both have the layer ${by.layer} and the priority ${by.manifest.priority}, and the order in which they were found decides`
}

function shadowDiagnostic(shadowed: ShadowedSkill): Diagnostic {
  const { skill, by } = shadowed
  const tie = decidedBy(shadowed) === 'order'
  return {
    code: 'SKILL_SHADOWED',
    severity: tie ? 'warning' : 'info',
    path: skill.path,
    message: `The skill ${quoteName(skill.name)} is shadowed by ${showName(by.path)}: ${shadowReason(shadowed)}.`,
    hint: tie
      ? 'Rename one of the two, or give the one that you want a higher `priority`.'
      : 'Rename it if both are wanted.',
  }
}
