import { type Diagnostic, type Profile, quoteName, shown } from '@repertoire/skill-md/internal'
import type { Catalog } from '../catalog/catalog.ts'
import { folderOf } from '../catalog/explain.ts'
import type { Viewer } from '../ports/viewer.ts'
import type { SessionProblem } from '../ports/problem.ts'

/** Files that have a problem of their own, of those that are found at one time. */
const MAX_NAMED = 5

/** What is not loaded, and was not reported. One for all sessions of a repertoire. */
export interface NotLoaded {
  /** Returns the problems that a session is to report: only those of skills that it is to see. */
  readonly next: (viewer: Pick<Viewer, 'skills'>) => readonly SessionProblem[]
}

/** @param current returns the catalog, which reloads replace */
export function createNotLoaded(current: () => Catalog, profile: Profile): NotLoaded {
  const reported = new Set<string>()
  let catalog: Catalog | undefined
  let lost: ReadonlyMap<string, readonly Diagnostic[]> = new Map()

  function update(): void {
    if (catalog === current()) return
    catalog = current()
    const errors = catalog.diagnostics.filter(({ code, severity }) => severity === 'error' && code !== 'RELOAD_FAILED')
    lost = Map.groupBy(errors, ({ path }) => path)
    // What was repaired and breaks again is news.
    for (const path of reported) if (!lost.has(path)) reported.delete(path)
  }

  return {
    next({ skills }) {
      update()
      if (catalog === undefined || lost.size === reported.size) return []
      const problems: SessionProblem[] = []
      for (const [path, errors] of lost) {
        const names = namesOf(path, errors, catalog)
        if (reported.has(path) || !isWanted(names, skills)) continue
        reported.add(path)
        const consequence = consequenceOf(path, names, catalog)
        if (consequence === undefined) continue
        const remedy = isBroken(path, catalog) ? validateCommand(path, profile) : ''
        problems.push({
          code: 'SKILL_NOT_LOADED',
          message: `${consequence} ${reason(errors)}${remedy}`,
          ...(names[0] !== undefined && { skill: shown(names[0]) }),
          path,
        })
      }
      const rest = problems.slice(MAX_NAMED)
      return rest.length < 2 ? problems : [...problems.slice(0, MAX_NAMED), together(rest)]
    },
  }
}

/** What the skill of a file may be called; nothing where the file is none of a skill. */
function namesOf(path: string, errors: readonly Diagnostic[], { broken }: Catalog): readonly string[] {
  const skill = broken.find((each) => each.path === path)
  if (skill !== undefined) return [skill.folderName, ...(skill.declared === undefined ? [] : [skill.declared])]
  return errors.some(({ code }) => code === 'SKILL_FOLDER_LINKED') ? [folderOf(path)] : []
}

/** A session that is to see only some skills lacks nothing where another one is broken. */
function isWanted(names: readonly string[], skills: Viewer['skills']): boolean {
  if (skills === undefined || skills.includes('*')) return true
  return names.length === 0 ? skills.length > 0 : names.some((name) => skills.includes(name))
}

function isBroken(path: string, { broken }: Catalog): boolean {
  return broken.some((each) => each.path === path)
}

/** Says what the agent does without; undefined: nothing. */
function consequenceOf(path: string, [name]: readonly string[], catalog: Catalog): string | undefined {
  if (name === undefined) return 'The agent may work without some of its skills.'
  const skill = `the skill ${quoteName(name)}`
  const broken = isBroken(path, catalog)
  // Installers link one folder into those of several clients.
  if (!broken && catalog.has(name)) return undefined
  if (!broken) return `The agent works without ${skill}.`
  const why = 'because its file cannot be read as a skill'
  if (catalog.kept.some((each) => each.path === path)) return `The agent cannot activate ${skill}, ${why} any more.`
  return catalog.has(name)
    ? `The agent uses another skill in place of ${skill}, ${why}.`
    : `The agent works without ${skill}, ${why}.`
}

function reason([first, ...more]: readonly Diagnostic[]): string {
  if (first === undefined) return ''
  const { path, line, message, hint = '' } = first
  const where = message.includes(path) ? '' : `${path}${line === undefined ? '' : `:${line}`}: `
  return `${where}${message} ${hint}`.trim() + (more.length === 0 ? '' : ` (${more.length} more)`)
}

/** A path on a disk that a shell takes as it is: a folder's name may be of somebody who is not trusted. */
const PLAIN_PATH = /^(?:\/|[A-Za-z]:[/\\])[\w@%+=:,./\\ ~-]+$/

/** Names the command that shows everything; nothing for what is on no disk. */
function validateCommand(path: string, profile: Profile): string {
  const folder = path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')))
  if (!PLAIN_PATH.test(folder)) return ''
  const judged = profile === 'default' ? '' : ` --profile ${profile}`
  return ` \`repertoire validate ${folder.includes(' ') ? `"${folder}"` : folder}${judged}\` shows everything that is wrong.`
}

/** One problem for many files. */
function together(problems: readonly SessionProblem[]): SessionProblem {
  const paths = problems.slice(0, MAX_NAMED).flatMap(({ path }) => path ?? [])
  return {
    code: 'SKILL_NOT_LOADED',
    message: `${problems.length} more could not be loaded, such as ${paths.map(shown).join(', ')}. \`catalog.diagnostics\` of the repertoire has the reasons.`,
    path: paths[0],
  }
}
