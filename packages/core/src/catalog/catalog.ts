import {
  type Diagnostic,
  type Layer,
  type Profile,
  type Skill,
  checkOptions,
  quoteName,
  showName,
  DEFAULT_LAYERS,
} from '@repertoire/skill-md/internal'
import type { SkillSource } from '../ports/source.ts'
import type { RefusedSkill, SkillAdmission } from './admission.ts'
import { skillNotFound } from './explanation.ts'
import { type ShadowedSkill, isTie, precedenceText, shadowedSkills, sortByPrecedence } from './precedence.ts'
import { type BrokenSkill, readSources } from './read-sources.ts'
import type { SearchSkills, SkillRank } from '../ports/search.ts'
import { createSearch } from './search.ts'
import { type CatalogView, FOR_VIEWER, findByName, type ViewerOptions, viewOf } from './view.ts'

/** How the index of a catalog is built. */
export interface CatalogSettings {
  /** How strictly skills are read. Default `default`. */
  readonly profile?: Profile | undefined
  /** Highest first. Default: enterprise, personal, project, plugin, bundled. Others rank below these, in that order. */
  readonly layers?: readonly Layer[] | undefined
  /** Which of two skills with the same name, layer and priority wins: the one found `first` (default) or `last`. */
  readonly collision?: 'first' | 'last' | undefined
  /**
   * How long each of these may take, in milliseconds, more than 0: the scan of a source, one read of a skill's folder,
   * all that one activation reads, a mount and its removal. Default 30,000; `Infinity` for no limit.
   */
  readonly loadTimeout?: number | undefined
  /**
   * Ranks skills for a search in place of their words, for example by embeddings. Default: skills are found by their
   * words.
   */
  readonly rank?: SkillRank | undefined
}

/** One immutable index over all sources. It holds metadata only: a body is read when its skill is activated. */
export interface Catalog {
  /**
   * Returns every skill that is `active` and not shadowed, sorted by name in code-unit order. Two of one name are
   * listed if their scopes differ; a viewer sees one of them.
   * @param options.viewer who may see them. Default: nothing is hidden
   */
  list(options?: ViewerOptions): readonly Skill[]
  has(name: string, options?: ViewerOptions): boolean
  /** @throws {SkillError} SKILL_NOT_FOUND, with the most similar names */
  get(name: string, options?: ViewerOptions): Skill
  /**
   * Finds the skills that fit a task, in this snapshot: one whose name is the query first, then the best by their
   * names, descriptions, tags, triggers and the first 2,000 characters of their bodies. What a viewer may not see is
   * not there. The index is made with the first search, in slices that block nothing; files that cannot be read, or a
   * `rank` that fails, are diagnostics of the result.
   * @param query a text, or several phrases that are searched for together; the first 4,000 characters count. The words
   * of a task's products, formats and techniques find the most
   * @throws {TypeError} the query is not a text or a list of texts, or the limit is not a whole number above 0
   * @throws the signal's reason
   */
  readonly search: SearchSkills
  /** Every skill that is `active`, sorted by name; of those of one name, the one that comes first wins. */
  readonly active: readonly Skill[]
  /** Active skills that no viewer sees, each with the skill of its name that everyone sees instead. */
  readonly shadowed: readonly ShadowedSkill[]
  /** Skills that are not listed because their status is `draft` or `disabled`. */
  readonly inactive: readonly Skill[]
  /** Skills that are not listed because the host's `admit` does not admit them, with the reasons. */
  readonly refused: readonly RefusedSkill[]
  /** Manifests that exist but cannot be read as skills. */
  readonly broken: readonly BrokenSkill[]
  /** Skills that cannot be read since a reload; the catalog keeps their last readable version. */
  readonly kept: readonly Skill[]
  /** What was found while the sources were read, in the order of discovery; then what was decided about skills. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads every source and builds the index. One broken, unreadable or hostile skill never stops the others, nor does
 * a source that fails as a whole: each becomes a diagnostic.
 * @param options.former the previous index: a skill whose manifest is broken now, or whose source fails as a whole, is
 * kept from it; a deleted skill is not
 * @param options.admission judges which skills may load. Default: all may
 */
export async function buildCatalog(
  sources: readonly SkillSource[],
  options: CatalogSettings & {
    readonly former?: Catalog | undefined
    readonly admission?: SkillAdmission | undefined
  },
): Promise<Catalog> {
  const { profile = 'default', layers = DEFAULT_LAYERS, collision = 'first', loadTimeout, rank } = options
  const { former, admission } = options
  const read = await readSources(sources, { profile, former: former && everySkill(former), loadTimeout })
  const { admitted, refused } = (await admission?.divide(read.found)) ?? { admitted: read.found, refused: [] }
  const active = sortByPrecedence(admitted.filter(isActive), layers, collision)
  const shadowed = shadowedSkills(active)
  const hidden = new Set(shadowed.map(({ skill }) => skill))
  const listed = Object.freeze(shadowed.length === 0 ? active : active.filter((skill) => !hidden.has(skill)))
  const seenBy = (method: string, given: ViewerOptions | undefined): CatalogView => {
    checkOptions(method, FOR_VIEWER, given)
    return given?.viewer === undefined
      ? { list: () => listed, find: (name) => findByName(listed, name) }
      : viewOf(listed, given.viewer)
  }
  return Object.freeze({
    list: (given) => seenBy('list', given).list(),
    has: (name, given) => seenBy('has', given).find(name) !== undefined,
    get(name, given) {
      const view = seenBy('get', given)
      const skill = view.find(name)
      if (skill !== undefined) return skill
      const names = view.list().map((other) => other.name)
      throw skillNotFound(name, names, ' in the catalog')
    },
    search: createSearch(listed, rank),
    active,
    shadowed,
    inactive: admitted.filter((skill) => !isActive(skill)),
    refused,
    broken: read.broken,
    kept: read.kept.filter((skill) => !refused.some((each) => each.skill === skill)),
    diagnostics: [
      ...read.diagnostics,
      ...shadowed.map(shadowDiagnostic),
      // Imported with the admission itself.
      ...(refused.length === 0 ? [] : refused.map((await import('./admission.ts')).notAdmitted)),
    ],
  } satisfies Catalog)
}

function isActive({ manifest }: Skill): boolean {
  return manifest.status === 'active'
}

/** Returns every skill that was read, including those that are not listed. */
export function everySkill({ active, inactive, refused }: Catalog): readonly Skill[] {
  return [...active, ...inactive, ...refused.map(({ skill }) => skill)]
}

function shadowDiagnostic(shadowed: ShadowedSkill): Diagnostic {
  const { skill, by } = shadowed
  // The host chose the layers and the author the priority; only a tie is decided by mere order.
  const tie = isTie(shadowed)
  return {
    code: 'SKILL_SHADOWED',
    severity: tie ? 'warning' : 'info',
    path: skill.path,
    message: `The skill ${quoteName(skill.name)} is shadowed by ${showName(by.path)}: ${precedenceText(shadowed)}.`,
    hint: tie
      ? 'Rename one of the two, or give the one that you want a higher `priority`.'
      : 'Rename it if both are wanted.',
  }
}
