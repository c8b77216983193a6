import { SkillError } from '../errors.ts'
import { loadManifestParser } from '../manifest/index.ts'
import type { Diagnostic, FoundSkill, Layer, Profile, Skill, SkillSource } from '../types.ts'
import { nearestNames } from './nearest.ts'
import { byPrecedence, DEFAULT_LAYERS, type ShadowedSkill } from './precedence.ts'

/** How a catalog is made. */
export interface CatalogOptions {
  readonly sources: readonly SkillSource[]
  /** Default `default`. */
  readonly profile?: Profile
  /** Highest first. Default: enterprise, personal, project, plugin, bundled. */
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
  /** Everything that was found to say, in the order of discovery. */
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Scans every source and makes the index. One broken, unreadable or hostile skill never stops the others, nor does
 * a source that fails as a whole: each becomes a diagnostic.
 */
export async function buildCatalog(options: CatalogOptions): Promise<Catalog> {
  const { sources, profile = 'default', layers = DEFAULT_LAYERS, collision = 'first' } = options
  const parser = await loadManifestParser()
  const diagnostics: Diagnostic[] = []
  const found: Skill[] = []
  for (const source of sources) {
    const judge = (candidate: FoundSkill): void => {
      const { folder, folderName, fileName, path } = candidate
      const result = parser.metadata(candidate, { path, folderName, fileName, profile })
      diagnostics.push(...result.diagnostics)
      const { manifest } = result
      if (manifest === undefined) return
      const { name } = manifest
      found.push({ name, manifest, layer: source.layer, source: source.id, location: folder.location, path, folder })
    }
    const visitor = {
      diagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic),
      skill: (candidate: FoundSkill) => {
        try {
          judge(candidate)
        } catch (error) {
          // Thrown on, it would end the source's scan, and the skills behind this one would be missing.
          diagnostics.push({
            code: 'MANIFEST_UNREADABLE',
            severity: 'error',
            path: candidate.path,
            message: `The manifest could not be read: ${messageOf(error)}`,
            hint: `The source "${source.id}" failed at this skill alone. Mend it and open the repertoire again.`,
          })
        }
      },
    }
    try {
      await source.scan(visitor)
    } catch (error) {
      diagnostics.push({
        code: 'SOURCE_FAILED',
        severity: 'error',
        path: source.id,
        message: `The source "${source.id}" failed: ${messageOf(error)}`,
        hint: 'The skills that it had shown before are kept. Mend the source and open the repertoire again.',
      })
    }
  }
  const inactive = found.filter((skill) => skill.manifest.status !== 'active')
  const { chosen, shadowed } = byPrecedence(
    found.filter((skill) => skill.manifest.status === 'active'),
    layers,
    collision,
  )
  for (const { skill, by } of shadowed) diagnostics.push(shadowDiagnostic(skill, by))
  return indexOf(chosen, shadowed, inactive, diagnostics)
}

function indexOf(
  chosen: ReadonlyMap<string, Skill>,
  shadowed: readonly ShadowedSkill[],
  inactive: readonly Skill[],
  diagnostics: readonly Diagnostic[],
): Catalog {
  const listed = Object.freeze([...chosen.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  return Object.freeze({
    list: () => listed,
    has: (name: string) => chosen.has(name),
    get: (name: string) => {
      const skill = chosen.get(name)
      if (skill !== undefined) return skill
      const nearest = nearestNames(name, chosen.keys())
      const hint = nearest.length > 0 ? ` Did you mean ${nearest.map((n) => `"${n}"`).join(', ')}?` : ''
      throw new SkillError('SKILL_NOT_FOUND', `There is no skill "${name}" in the catalog.${hint}`, { nearest })
    },
    shadowed: Object.freeze(shadowed),
    inactive: Object.freeze(inactive),
    diagnostics: Object.freeze(diagnostics),
  })
}

function shadowDiagnostic(skill: Skill, by: Skill): Diagnostic {
  // Layers and priorities are the host's and the author's own word; only a tie is decided by mere order.
  const tie = skill.layer === by.layer && skill.manifest.priority === by.manifest.priority
  const why =
    skill.layer !== by.layer
      ? `the layer ${by.layer} goes before ${skill.layer}`
      : `its priority is ${by.manifest.priority}`
  return {
    code: 'SKILL_SHADOWED',
    severity: tie ? 'warning' : 'info',
    path: skill.path,
    message: `The skill "${skill.name}" is shadowed by ${by.path}: ${tie ? `both have the layer ${by.layer} and the priority ${by.manifest.priority}, and the order in which they were found decides` : why}.`,
    hint: tie
      ? 'Rename one of the two, or give the one that you want a higher `priority`.'
      : 'Rename it if both are wanted.',
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
