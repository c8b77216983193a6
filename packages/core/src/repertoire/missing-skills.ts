import { type Skill, nearestNames, quoteName, shown } from '@repertoire/skill-md/internal'
import type { SkillAdmission } from '../catalog/admission.ts'
import { type Catalog, everySkill } from '../catalog/catalog.ts'
import type { CatalogView } from '../catalog/view.ts'
import type { SkillSource } from '../ports/source.ts'
import type { SessionProblem } from '../ports/problem.ts'
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

/** Returns the names of active skills of the catalog that a session may no longer see, or use as they are. */
export function hiddenSkills(
  active: readonly ActiveSkill[],
  catalog: Catalog,
  views: readonly CatalogView[],
  admission: SkillAdmission | undefined,
): readonly string[] {
  const isHidden = (skill: ActiveSkill): boolean => {
    const others = everySkill(catalog).filter(({ name }) => name === skill.name)
    const now = others.find(({ source }) => source === skill.source) ?? others[0]
    if (now === undefined || skill.inherited === true) return false
    const isSeen = views.some((view) => view.find(skill.name) !== undefined)
    return !isSeen || catalog.refused.some((each) => each.skill === now) || !isAdmitted(skill, now, admission)
  }
  return active.filter(isHidden).map(({ name }) => name)
}

function isAdmitted({ rules, assumed }: ActiveSkill, { manifest }: Skill, admission?: SkillAdmission): boolean {
  if (admission === undefined) return true
  const asked = { ...manifest, allowedTools: assumed === true ? undefined : rules }
  const given = admission.assumedRules(asked)
  const isGivenTheSame = asked.allowedTools !== undefined || JSON.stringify(given) === JSON.stringify(rules)
  return isGivenTheSame && admission.refusals(asked).length === 0
}

/** Names the skills of an allowlist that the catalog has not. Undefined: it has them all. */
export function unknownSkills(names: readonly string[], catalog: Catalog): SessionProblem | undefined {
  const known = everySkill(catalog).map(({ name }) => name)
  const broken = catalog.broken.flatMap(({ folderName, declared }) => [folderName, declared])
  const unknown = names.filter((name) => name !== '*' && !known.includes(name) && !broken.includes(name))
  if (unknown.length === 0) return undefined
  const nearest = nearestNames(unknown[0]!, known, 1)[0]
  const meant = nearest === undefined ? '' : ` Did you mean ${quoteName(nearest)}?`
  const message = `The option \`skills\` names ${listSome(unknown, MAX_NAMED, quoteName)}, and the catalog has no such skill.${meant}`
  return { code: 'SKILLS_UNKNOWN', message }
}

/** Says which active skills of a saved session the catalog lacks. Undefined: none. */
export function missingSkills(
  active: readonly ActiveSkill[],
  skillOf: (skill: ActiveSkill) => Skill | undefined,
  catalog: Catalog,
): SessionProblem | undefined {
  const missing = active.filter((skill) => skill.inherited !== true && skillOf(skill) === undefined)
  if (missing.length === 0) return undefined
  const lines = missing.slice(0, MAX_NAMED).map(({ name, source }) => {
    const others = everySkill(catalog).filter((skill) => skill.name === name)
    const other = others[0] === undefined ? '' : `; there is one of the source ${quoteName(others[0].source)}`
    return `${quoteName(name)} of the source ${quoteName(source)}${other}`
  })
  const message = `The saved session has active skills that the catalog lacks, so their files cannot be read: ${lines.join(', ')}. If a project may be in another folder later, use \`standardSources({ project })\`, a relative path, or give the source an \`id\` that stays: openSkills(folder, { id: 'my-skills' }) or directorySource({ root, id: 'my-skills' }).`
  return { code: 'SAVED_SKILL_MISSING', message }
}
