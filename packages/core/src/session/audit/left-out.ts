import type { Diagnostic, DiagnosticCode } from '@repertoire/skill-md/internal'
import type { LeftSkill } from '../../audit/shown-skills.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { diagnosticsOf, folderOf, shadowedReason, unreadSkills } from '../../catalog/explain.ts'
import { type FateReason, leftOutReason } from '../../catalog/explanation.ts'
import { unseenSkills } from '../../catalog/view.ts'
import type { Viewer } from '../../ports/viewer.ts'

/** What was found of each catalog, by viewer: it is the same at every step. */
const known = new WeakMap<Catalog, Map<string, readonly LeftSkill[]>>()

/**
 * Returns what keeps skills of a catalog from a viewer's list, apart from its budget: those that are broken, shadowed,
 * not admitted or not active, then those that are hidden from the viewer.
 */
export function leftOut(catalog: Catalog, viewer: Viewer): readonly LeftSkill[] {
  const byViewer = known.get(catalog) ?? new Map<string, readonly LeftSkill[]>()
  known.set(catalog, byViewer)
  const key = JSON.stringify(viewer)
  const found = byViewer.get(key) ?? findLeftOut(catalog, viewer)
  byViewer.set(key, found)
  return found
}

function findLeftOut(catalog: Catalog, viewer: Viewer): readonly LeftSkill[] {
  return [
    ...unreadSkills(catalog).map(({ declared, folderName, path }) =>
      left(declared ?? folderName, 'broken', errorsFirst(diagnosticsOf(path, catalog))),
    ),
    ...closedSkills(catalog).map((diagnostic) =>
      left(folderOf(diagnostic.path), 'broken', [{ type: 'diagnostic', diagnostic }]),
    ),
    ...unseenSkills(catalog.active, viewer).map(({ skill, rules, by }) =>
      by === undefined
        ? left(
            skill.name,
            'hidden',
            rules.map((rule) => ({ type: 'hidden', rule })),
          )
        : left(skill.name, 'shadowed', [shadowedReason({ skill, by })]),
    ),
    ...catalog.refused.map(({ skill, reasons }) =>
      left(
        skill.name,
        'refused',
        reasons.map((reason) => ({ type: 'refused', reason })),
      ),
    ),
    ...catalog.inactive.map(({ name, manifest }) =>
      left(name, 'inactive', [{ type: 'inactive', status: manifest.status }]),
    ),
  ]
}

function left(name: string, why: LeftSkill['why'], reasons: readonly FateReason[]): LeftSkill {
  return { name, why, reason: leftOutReason(reasons) }
}

/** The codes that mean: there is a skill, and its manifest was not opened. */
const CLOSED_CODES: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'SKILL_FOLDER_LINKED',
  'MANIFEST_LINKED',
  'MANIFEST_NOT_A_FILE',
  'MANIFEST_UNREADABLE',
])

function closedSkills({ broken, diagnostics }: Catalog): readonly Diagnostic[] {
  const paths = new Set(broken.map(({ path }) => path))
  return diagnostics.filter(({ code, path }) => CLOSED_CODES.has(code) && !paths.has(path))
}

/** Diagnostics that a reason names. */
const MAX_DIAGNOSTICS = 3

function errorsFirst(reasons: ReturnType<typeof diagnosticsOf>): ReturnType<typeof diagnosticsOf> {
  const isError = ({ diagnostic }: (typeof reasons)[number]): boolean => diagnostic.severity === 'error'
  return [...reasons.filter(isError), ...reasons.filter((each) => !isError(each))].slice(0, MAX_DIAGNOSTICS)
}
