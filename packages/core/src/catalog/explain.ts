import {
  SOURCE_CODES,
  type Diagnostic,
  type DiagnosticCode,
  type Skill,
  formatRule,
  nearestNames,
} from '@repertoire/skill-md/internal'
import type { ListingCuts } from '../disclosure/fit.ts'
import { openToolTable, rulesWithoutEffect, type Toolset } from '@repertoire/gate/internal'
import type { SkillAdmission } from './admission.ts'
import { type Catalog, everySkill } from './catalog.ts'
import { type Candidate, type Explanation, type FateReason, type SkillFate, explanationText } from './explanation.ts'
import { unseenSkills } from './view.ts'
import type { Viewer } from '../ports/viewer.ts'
import { type ShadowedSkill, decidedBy } from './precedence.ts'
import type { BrokenSkill } from './read-sources.ts'
import { unmatchedRules } from './unmatched-rules.ts'

/** The input of an explanation. */
export interface ExplainContext {
  readonly catalog: Catalog
  readonly viewer: Viewer
  /** Absent: every skill is admitted. */
  readonly admission?: Pick<SkillAdmission, 'assumedRules'> | undefined
  /** The skills that were cut or shortened in this viewer's list. */
  readonly cuts: ListingCuts
  /** The host's tools. Absent: not known, so that nothing is said of them. */
  readonly tools?: Toolset | undefined
}

/** From the fate nearest to being shown to the one that fails first. */
const FATE_ORDER: readonly SkillFate[] = ['shown', 'cut', 'hidden', 'shadowed', 'inactive', 'refused', 'broken']

/**
 * Explains what became of every skill of a name, for one viewer. The result is for people only: it names skills and
 * paths that the viewer may not see.
 */
export function explainSkill(name: string, context: ExplainContext): Explanation {
  const { catalog } = context
  const candidates = [
    ...activeCandidates(name, context),
    ...catalog.inactive.filter((skill) => skill.name === name).map((skill) => inactive(skill, catalog)),
    ...refusedCandidates(name, catalog),
    ...brokenCandidates(name, catalog),
  ].toSorted((a, b) => FATE_ORDER.indexOf(a.fate) - FATE_ORDER.indexOf(b.fate))
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

function activeCandidates(
  name: string,
  { catalog, viewer, cuts, admission, tools }: ExplainContext,
): readonly Candidate[] {
  const skills = catalog.active.filter((skill) => skill.name === name)
  const unseen = unseenSkills(skills, viewer)
  return skills.map((skill) => {
    const { rules = [], by } = unseen.find((each) => each.skill === skill) ?? {}
    const isShown = rules.length === 0 && by === undefined
    const cut = isShown
      ? (['dropped', 'withoutDescription', 'shortened'] as const).find((kind) => cuts[kind].includes(name))
      : undefined
    const assumed = by === undefined ? admission?.assumedRules(skill.manifest) : undefined
    return {
      fate: by !== undefined ? 'shadowed' : !isShown ? 'hidden' : cut === 'dropped' ? 'cut' : 'shown',
      ...placeOf(skill),
      reasons: [
        ...(by === undefined ? [] : [shadowedReason({ skill, by })]),
        ...rules.map((rule): FateReason => ({ type: 'hidden', rule })),
        ...(cut === undefined ? [] : [{ type: 'cut', cut } as const]),
        ...(assumed === undefined ? [] : [{ type: 'assumed', rules: assumed.map(formatRule) } as const]),
        ...(by === undefined ? [...unmatchedReason(skill, tools), ...noEffectReason(skill, tools)] : []),
        ...diagnosticReasons(skill, catalog),
      ],
    }
  })
}

function unmatchedReason(skill: Skill, tools: Toolset | undefined): readonly FateReason[] {
  const unmatched = tools && unmatchedRules(skill, tools)
  return unmatched === undefined ? [] : [{ type: 'unmatched', ...unmatched }]
}

function noEffectReason({ manifest: { allowedTools = [] } }: Skill, tools: Toolset | undefined): readonly FateReason[] {
  const known = tools ?? openToolTable({}).of(undefined)
  const rules = rulesWithoutEffect(allowedTools, known)
  return rules.length === 0 ? [] : [{ type: 'no-effect', rules }]
}

/** Returns which skill is used instead of a shadowed one, and why. */
export function shadowedReason(shadowed: ShadowedSkill): Extract<FateReason, { type: 'shadowed' }> {
  const { path, source } = shadowed.by
  return { type: 'shadowed', by: { path, source }, decided: decidedBy(shadowed) }
}

function inactive(skill: Skill, catalog: Catalog): Candidate {
  const { status } = skill.manifest
  return {
    fate: 'inactive',
    ...placeOf(skill),
    reasons: [{ type: 'inactive', status }, ...diagnosticReasons(skill, catalog)],
  }
}

function refusedCandidates(name: string, catalog: Catalog): readonly Candidate[] {
  return catalog.refused
    .filter(({ skill }) => skill.name === name)
    .map(({ skill, reasons }) => ({
      fate: 'refused',
      ...placeOf(skill),
      reasons: [
        ...reasons.map((reason) => ({ type: 'refused', reason }) as const),
        ...diagnosticReasons(skill, catalog),
      ],
    }))
}

/** Returns what could not be read, where the name in the manifest or the folder's name matches. */
function brokenCandidates(name: string, catalog: Catalog): readonly Candidate[] {
  return [
    ...unreadSkills(catalog)
      .filter(({ declared, folderName }) => declared === name || folderName === name)
      .map(({ path, source, layer }): Candidate => ({
        fate: 'broken',
        path,
        source,
        layer,
        reasons: diagnosticsOf(path, catalog),
      })),
    ...closedFolders(catalog)
      .filter(({ path }) => folderOf(path) === name)
      .map((diagnostic): Candidate => ({
        fate: 'broken',
        path: diagnostic.path,
        reasons: [{ type: 'diagnostic', diagnostic }],
      })),
  ]
}

/** Returns the manifests that cannot be read, except those of which the last readable version is kept. */
export function unreadSkills({ broken, kept }: Catalog): readonly BrokenSkill[] {
  const paths = new Set(kept.map(({ path }) => path))
  return broken.filter(({ path }) => !paths.has(path))
}

/** Returns the folders that a source reported but did not search, such as a link or an unreadable folder. */
function closedFolders({ broken, diagnostics }: Catalog): readonly Diagnostic[] {
  const paths = new Set(broken.map(({ path }) => path))
  return diagnostics.filter(
    ({ code, severity, path }) => Object.hasOwn(SOURCE_CODES, code) && severity !== 'info' && !paths.has(path),
  )
}

/** Returns the name of a folder. */
export function folderOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}

/** Returns the diagnostics of a readable skill, except those that are separate reasons. */
function diagnosticReasons(skill: Skill, catalog: Catalog): readonly FateReason[] {
  return [
    ...(catalog.kept.includes(skill) ? [{ type: 'kept' } as const] : []),
    ...diagnosticsOf(skill.path, catalog).filter(({ diagnostic: { code } }) => !SEPARATE_REASONS.has(code)),
  ]
}

const SEPARATE_REASONS: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'SKILL_SHADOWED',
  'SKILL_KEPT',
  'SKILL_NOT_ADMITTED',
])

/** Returns what is said of a path. */
export function diagnosticsOf(
  path: string,
  { diagnostics }: Catalog,
): readonly Extract<FateReason, { type: 'diagnostic' }>[] {
  return diagnostics
    .filter((diagnostic) => diagnostic.path === path)
    .map((diagnostic) => ({ type: 'diagnostic', diagnostic }))
}

function placeOf({ path, source, layer }: Skill): Pick<Candidate, 'path' | 'source' | 'layer'> {
  return { path, source, layer }
}

/** The codes that mean: whole folders or sources were not searched. */
const UNSEEN_CODES: ReadonlySet<string> = new Set([
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
