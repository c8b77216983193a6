import type {
  ContentFacts,
  InstallPlan,
  InstallResult,
  PlaceProblem,
  PlannedSkill,
  ResolvedOrigin,
  ScanResult,
  UnseenText,
  VerifiedSkill,
} from '@repertoire/library'
import type { Paint } from './output.ts'
import { shownPath } from './path.ts'
import { type Row, demandRows, listText, rowLines } from './rows.ts'
import { count, shorten, visible, visibleLine, visibleName } from './text.ts'

/** How a plan is shown. */
export interface PlanStyle {
  readonly paint: Paint
  /** Paths inside this folder are shown relative to it. */
  readonly folder: string
}

/** What was decided about a plan. */
export interface Decision {
  readonly dryRun: boolean
  /** Undefined if no question was asked. */
  readonly agreed: boolean | undefined
}

const MARKS = { add: '+', replace: '~', pin: '=', remove: '-', keep: ' ' } as const
const SAID = { add: 'new', replace: 'replaced', pin: 'pinned', remove: 'removed', keep: 'kept' } as const
const MAX_NAMED = 10
const MAX_MESSAGE = 160

/** A plan for a person: each skill that is touched or kept for a reason, and what it asks for. */
export function planText(plan: InstallPlan, style: PlanStyle): string {
  const shown = plan.skills.filter(({ because }) => because !== 'unchanged')
  const lines = [
    ...shown.flatMap((skill) => skillLines(skill, style)),
    ...placeLines(plan.places, style.paint.yellow('!')),
  ]
  if (lines.length === 0) return ''
  const place = `${style.paint.dim('in')} ${shownPath(plan.folder, style.folder)}`
  return `${place}\n${lines.join('\n')}\n\n`
}

/** One line at the end, and the problems with links. */
export function resultText(
  plan: InstallPlan,
  result: InstallResult | undefined,
  { dryRun, agreed }: Decision,
  paint: Paint,
): string {
  if (!plan.writes) return `Nothing to do: ${keptText(plan)}.\n`
  if (dryRun) return 'Nothing was written: this only shows what would be done.\n'
  if (result === undefined) return agreed === false ? 'Nothing was written.\n' : ''
  const { written, pinned, removed, problems } = result
  const parts = [
    ...(written.length > 0 ? [`${count(written.length, 'skill')} written`] : []),
    ...(pinned.length > 0 ? [`${pinned.length} pinned`] : []),
    ...(removed.length > 0 ? [`${count(removed.length, 'skill')} removed`] : []),
    ...keptParts(plan),
  ]
  const due = plan.places.filter((each) => !problems.some((problem) => isSamePlace(problem, each))).length
  if (due > 0) parts.push(`${count(due, 'link')} made again`)
  const lines = placeLines(problems, paint.yellow('!'))
  return `${[`${parts.join(', ')}.`, ...lines].join('\n')}\n`
}

/** A plan and its result as a JSON value. */
export function planJson(
  { kind, folder, skills, places, diagnostics }: InstallPlan,
  result: InstallResult | undefined,
) {
  const done = result === undefined ? {} : { result }
  return { kind, folder, written: result !== undefined, skills, places, ...done, diagnostics }
}

/** Links with what is the matter with each, one a line. */
export function placeLines(places: readonly PlaceProblem[], mark: string): string[] {
  return places.map(({ folder, skill, reason }) => `${mark} ${visibleName(`${folder}/${skill}`)}  ${visible(reason)}`)
}

function isSamePlace(one: PlaceProblem, other: PlaceProblem): boolean {
  return one.skill === other.skill && one.folder === other.folder
}

/** What differs in a skill's files, as one line: `edited a.md; missing b.md`. Empty: nothing. */
export function differencesText({ edited, added, missing, mode }: VerifiedSkill): string {
  const parts = Object.entries({ edited, added, missing, 'other mode': mode })
  return parts
    .filter(([, paths]) => paths.length > 0)
    .map(([what, paths]) => `${what} ${listText(paths, MAX_NAMED)}`)
    .join('; ')
}

function skillLines(skill: PlannedSkill, style: PlanStyle): readonly string[] {
  const { name, action, description, origin, demands, facts, scan, also } = skill
  const { paint } = style
  const said = isMissing(skill) ? 'missing' : SAID[action]
  const head = `${paint.bold(`${MARKS[action]} ${visibleName(name)}`)}  ${paint.cyan(said)}${reasonText(skill)}`
  const from = origin === undefined ? '' : `  ${paint.dim('from')} ${originText(origin)}`
  const rows: readonly Row[] = [
    ['changed', action === 'replace' ? listText(skill.changed, MAX_NAMED) : undefined],
    ...(demands === undefined ? [] : demandRows(demands, MAX_NAMED)),
    ...(facts === undefined ? [] : factRows(facts)),
    ...(scan === undefined ? [] : scanRows(scan)),
    ['files', action === 'add' ? String(skill.changed.length) : undefined],
    ['also in', listText(also, MAX_NAMED)],
  ]
  return [
    head + from,
    ...(description === undefined || demands === undefined ? [] : [`    ${visibleLine(description)}`]),
    ...rowLines(rows, paint, '    '),
  ]
}

/** What its files hold, each text that people do not see on its own row. */
function factRows({ hidden, comments, addresses, binary }: ContentFacts): readonly Row[] {
  return [
    ...listRows('hidden', hidden.map(unseenText)),
    ...listRows('comments', comments.map(unseenText)),
    ['addresses', listText(addresses, MAX_NAMED)],
    ['not text', listText(binary, MAX_NAMED)],
  ]
}

function unseenText({ path, line, text }: UnseenText): string {
  return `${visibleName(path)}:${line} "${visibleLine(text)}"`
}

/** What the scanner said, each finding on its own row. */
function scanRows({ scanner, version = '', verdict, reason, findings }: ScanResult): readonly Row[] {
  const about = reason === undefined ? count(findings.length, 'finding') : visibleLine(reason)
  const rows = findings.map(({ level, rule, message, file, line }) => {
    const place = file === undefined ? '' : ` ${visibleName(file)}${line === undefined ? '' : `:${line}`}`
    return `${level} ${visibleLine(rule)}${place}: ${shorten(visibleLine(message), MAX_MESSAGE)}`
  })
  return [['scan', `${visibleLine(`${scanner} ${version}`)}: ${verdict}, ${about}`], ...listRows('', rows)]
}

function listRows(label: string, values: readonly string[]): readonly Row[] {
  const more = values.length > MAX_NAMED ? [`and ${values.length - MAX_NAMED} more`] : []
  return [...values.slice(0, MAX_NAMED), ...more].map((value, index) => [index === 0 ? label : '', value])
}

function reasonText({ because, found, problem = '' }: PlannedSkill): string {
  if (because === 'unchecked') return `  ${visible(problem)}`
  if (because === 'gone') return '  its origin does not have it any more'
  if (because !== 'edited') return found.state === 'unpinned' ? '  the lock had no digests of it' : ''
  const files = differencesText(found)
  return `  ${files === '' ? 'it was changed here' : files} (--force replaces it)`
}

function originText({ source, ref, revision }: ResolvedOrigin): string {
  const exact = revision === undefined ? '' : ` at ${shortRevision(revision)}`
  return `${visibleName(source)}${ref === undefined ? '' : `#${visibleName(ref)}`}${exact}`
}

/** As much of a commit or a digest as a person needs. */
export function shortRevision(revision: string): string {
  return visibleName(revision.replace(/^(sha\d+[:-])?(.{12}).*$/s, '$1$2'))
}

function keptText(plan: InstallPlan): string {
  if (plan.skills.length === 0) return 'there are no skills'
  return keptParts(plan).join(', ') || 'everything is as it should be'
}

function keptParts({ skills }: InstallPlan): readonly string[] {
  const kept = skills.filter(({ action, because }) => action === 'keep' && because !== 'unchanged')
  const missing = kept.filter(isMissing).length
  const parts = Object.entries({ kept: kept.length - missing, missing })
  return parts.flatMap(([what, many]) => (many > 0 ? [`${many} ${what}`] : []))
}

function isMissing({ action, found }: PlannedSkill): boolean {
  return action === 'keep' && found.state === 'missing'
}
