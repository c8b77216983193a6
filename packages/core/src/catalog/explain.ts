import {
  type SOURCE_CODES,
  type DiagnosticCode,
  type Skill,
  formatRule,
  nearestNames,
  showName,
  shown,
} from '@repertoire/skill-md/internal'
import type { ListingCuts } from '../disclosure/fit.ts'
import { describeRules, hostRules, openToolTable, type Toolset } from '@repertoire/gate/internal'
import type { SkillAdmission } from './admission.ts'
import { type Catalog, everySkill } from './catalog.ts'
import {
  type Candidate,
  type Explanation,
  type FateReason,
  type SkillFate,
  cutBy,
  explanationText,
  hiddenBy,
} from './explanation.ts'
import { diagnosticText, listSome } from '../text/message.ts'
import { unseenSkills, viewOf } from './view.ts'
import type { Viewer } from '../ports/viewer.ts'
import { precedenceText } from './precedence.ts'

/** From the fate nearest to being shown to the one that fails first. */
const FATE_ORDER: readonly SkillFate[] = ['shown', 'cut', 'hidden', 'shadowed', 'inactive', 'refused', 'broken']

/**
 * Explains what became of every skill of a name, for one viewer. The result is for people only: it names skills and
 * paths that the viewer may not see.
 * @param context.cuts the skills that were cut or shortened in this viewer's list
 * @param context.tools the host's tools. Absent: not known, so that nothing is said of them
 */
export function explainSkill(
  name: string,
  context: {
    readonly catalog: Catalog
    readonly viewer: Viewer
    readonly admission?: Pick<SkillAdmission, 'assumedRules'> | undefined
    readonly cuts: ListingCuts
    readonly tools?: Toolset | undefined
  },
): Explanation {
  const { catalog, viewer } = context
  const seen = viewOf(catalog.active, viewer).find(name)
  const candidates = [
    ...(seen === undefined ? [] : [seenCandidate(seen, context)]),
    ...unlistedSkills(catalog, viewer).filter(({ names }) => names.includes(name)),
  ]
    .map(({ fate, path, source, layer, reasons }) => {
      return { fate, path, source, layer, reasons: [...reasons, ...diagnosticsOf(path, catalog)] }
    })
    .toSorted((a, b) => FATE_ORDER.indexOf(a.fate) - FATE_ORDER.indexOf(b.fate))
  const verdict: Explanation['verdict'] = candidates[0]?.fate ?? 'unknown'
  const isUnknown = verdict === 'unknown'
  const knownNames = [
    ...everySkill(catalog).map((skill) => skill.name),
    ...catalog.broken.map(({ declared, folderName }) => declared ?? folderName),
  ]
  const nearest = isUnknown ? nearestNames(name, new Set(knownNames)) : []
  const unseen = isUnknown ? catalog.diagnostics.filter(({ code }) => UNSEEN_CODES.has(code)) : []
  const explanation = { name, verdict, candidates, nearest, unseen }
  return { ...explanation, text: explanationText(explanation) }
}

function seenCandidate(skill: Skill, { cuts, admission, tools }: Parameters<typeof explainSkill>[1]): Candidate {
  const { name, manifest } = skill
  const cut = (['dropped', 'withoutDescription', 'shortened'] as const).find((kind) => cuts[kind].includes(name))
  const known = tools ?? openToolTable({}).of(undefined)
  const reasons: FateReason[] = cut === undefined ? [] : [cutBy(cut)]
  const assumed = admission?.assumedRules(manifest)
  if (assumed !== undefined) {
    const given = assumed.map(formatRule).join(', ') || 'no tools but the skill tools'
    const text = `it names no \`allowed-tools\`: while it is active, the host's \`admit\` gives it ${given}`
    reasons.push({ type: 'assumed', text })
  }
  const { unmatched, matched } = hostRules(tools === undefined ? [] : (manifest.allowedTools ?? []), known)
  if (unmatched.length > 0) {
    const effect = matched.length === 0 ? ', so that no tool can be used while it is active' : ''
    const text = `none of your tools match its \`allowed-tools\` (${listSome(unmatched, MAX_RULES, shown)})${effect}: map them with the option \`toolMap\``
    reasons.push({ type: 'unmatched', text })
  }
  const rules = describeRules(manifest.allowedTools, known)
  if (rules.unboundedText !== undefined) {
    const text = `it ${rules.unboundedText}, by rules without bounds: ${listSome(rules.unbounded, MAX_RULES, shown)}`
    reasons.push({ type: 'unbounded', text })
  }
  for (const { rule, why } of rules.noEffect.slice(0, MAX_RULES))
    reasons.push({ type: 'no-effect', text: `${shown(rule)} in its \`allowed-tools\` permits nothing: ${why}` })
  return { fate: cut === 'dropped' ? 'cut' : 'shown', ...placeOf(skill), reasons }
}

const MAX_RULES = 20

/** A skill that cannot be in a list. A broken one may be known by the name of its folder too. */
export interface UnlistedSkill extends Candidate {
  readonly fate: Exclude<SkillFate, 'shown' | 'cut'>
  readonly names: readonly [string, ...string[]]
}

/** Returns the skills of a catalog that a viewer's list cannot have, whatever its budget. */
export function unlistedSkills(catalog: Catalog, viewer: Viewer): readonly UnlistedSkill[] {
  const kept = new Set(catalog.kept.map(({ path }) => path))
  const broken = new Set(catalog.broken.map(({ path }) => path))
  const linked = catalog.diagnostics.filter(({ code, path }) => code === 'SKILL_FOLDER_LINKED' && !broken.has(path))
  const one = (fate: UnlistedSkill['fate'], skill: Skill, reasons: readonly FateReason[]): UnlistedSkill => ({
    fate,
    names: [skill.name],
    ...placeOf(skill),
    reasons,
  })
  return [
    ...catalog.broken
      .filter(({ path }) => !kept.has(path))
      .map(({ declared, folderName, path, source, layer }): UnlistedSkill => ({
        fate: 'broken',
        names: [declared ?? folderName, folderName],
        path,
        source,
        layer,
        reasons: [],
      })),
    ...linked.map(({ path }): UnlistedSkill => ({ fate: 'broken', names: [folderOf(path)], path, reasons: [] })),
    ...unseenSkills(catalog.active, viewer).map(({ skill, rules, by }) => {
      if (by === undefined) return one('hidden', skill, rules.map(hiddenBy))
      const text = `${showName(by.path)} is used instead: ${precedenceText({ skill, by })}`
      return one('shadowed', skill, [{ type: 'shadowed', text }])
    }),
    ...catalog.refused.map(({ skill, reasons }) =>
      one(
        'refused',
        skill,
        reasons.map((text) => ({ type: 'refused', text })),
      ),
    ),
    ...catalog.inactive.map((skill) =>
      one('inactive', skill, [{ type: 'inactive', text: `its \`status\` is ${skill.manifest.status}` }]),
    ),
  ]
}

export function folderOf(path: string): string {
  return path.split(/[/\\]/).at(-1)!
}

/** The codes of diagnostics that say what a reason says. */
const SAID_BY_REASONS: ReadonlySet<DiagnosticCode> = new Set(['SKILL_SHADOWED', 'SKILL_NOT_ADMITTED'])

export function diagnosticsOf(path: string, { diagnostics }: Catalog): readonly FateReason[] {
  const said = diagnostics.filter((diagnostic) => diagnostic.path === path && !SAID_BY_REASONS.has(diagnostic.code))
  return said
    .toSorted((one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'))
    .map((diagnostic) => {
      const { code, severity, line } = diagnostic
      const where = line === undefined ? '' : ` on line ${line}`
      return { type: 'diagnostic', text: `${severity} ${code}${where}: ${diagnosticText(diagnostic)}` }
    })
}

function placeOf({ path, source, layer }: Skill): Pick<Candidate, 'path' | 'source' | 'layer'> {
  return { path, source, layer }
}

/** The codes that mean: whole folders or sources were not searched. */
const UNSEEN_CODES: ReadonlySet<string> = new Set([
  'LEFTOVER_FOUND',
  'LOCKED_SKILL_MISSING',
  'PLACE_NOT_SEARCHED',
  'WORKSPACE_UNTRUSTED',
  'SOURCE_FAILED',
  'ROOT_MISSING',
  'ROOT_WITHOUT_SKILLS',
  'ROOT_NOT_A_FOLDER',
  'FOLDER_UNREADABLE',
  'SCAN_DEPTH_REACHED',
  'SCAN_FOLDERS_REACHED',
] satisfies (keyof typeof SOURCE_CODES | 'SOURCE_FAILED')[])
