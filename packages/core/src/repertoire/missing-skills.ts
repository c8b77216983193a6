import { type Skill, quoteName, shown } from '@repertoire/skill-md/internal'
import { type Catalog, everySkill } from '../catalog/catalog.ts'
import type { CatalogView } from '../catalog/view.ts'
import type { SkillSource } from '../ports/source.ts'
import type { ActiveSkill } from '../session/state/state.ts'
import { diagnosticText, listSome } from '../text/message.ts'

/** Findings that a problem names, and skills. */
const MAX_NAMED = 5

/** Places that a problem names: more than the usual folders of a home folder and a project. */
const MAX_PLACES = 10

const CHECK_PATHS =
  'Check the folder that paths start from. A deployment must include the folders of skills, or embed them with `embedSkills`.'

/** Says that no source has a skill, where it looked and why. Undefined: some have, or one may hold none. */
export function noSkillsMessage(catalog: Catalog, sources: readonly SkillSource[]): string | undefined {
  if (sources.length === 0 || sources.some(({ optional }) => optional === true)) return undefined
  if (everySkill(catalog).length > 0) return undefined
  const places = sources.flatMap((source) => source.places ?? [source.id])
  const found = catalog.diagnostics.filter(({ severity }) => severity !== 'info').slice(0, MAX_NAMED)
  const reasons = found.map(
    (each) => `${each.message.includes(each.path) ? '' : `${each.path}: `}${diagnosticText(each)}`,
  )
  const remedy = reasons.join(' ') || CHECK_PATHS
  return `The agent works without skills, because none was found. Searched: ${listSome(places, MAX_PLACES, shown)}. ${remedy}`
}

/** Returns the names of active skills that the catalog has, and that a session may no longer see. */
export function hiddenSkills(
  active: readonly ActiveSkill[],
  catalog: Catalog,
  views: readonly CatalogView[],
): readonly string[] {
  return active
    .filter((skill) => skill.inherited !== true && views.every((view) => view.find(skill.name) === undefined))
    .map(({ name }) => name)
    .filter((name) => everySkill(catalog).some((skill) => skill.name === name))
}

/** Says which active skills of a saved session the catalog lacks. Undefined: none. */
export function missingSkillsMessage(
  active: readonly ActiveSkill[],
  skillOf: (skill: ActiveSkill) => Skill | undefined,
  catalog: Catalog,
): string | undefined {
  const missing = active.filter((skill) => skill.inherited !== true && skillOf(skill) === undefined)
  if (missing.length === 0) return undefined
  const lines = missing.slice(0, MAX_NAMED).map(({ name, source }) => {
    const others = everySkill(catalog).filter((skill) => skill.name === name)
    const other = others[0] === undefined ? '' : `; there is one of the source ${quoteName(others[0].source)}`
    return `${quoteName(name)} of the source ${quoteName(source)}${other}`
  })
  return `The saved session has active skills that the catalog lacks, so their files cannot be read: ${lines.join(', ')}. If a project may be in another folder later, use \`standardSources({ project })\`, a relative path, or give the source an \`id\` that stays: openSkills(folder, { id: 'my-skills' }) or directorySource({ root, id: 'my-skills' }).`
}
