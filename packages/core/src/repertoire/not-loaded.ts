import { type Diagnostic, quoteName, shown } from '@repertoire/skill-md/internal'
import type { Catalog } from '../catalog/catalog.ts'
import { folderOf } from '../catalog/explain.ts'
import type { Viewer } from '../ports/viewer.ts'
import type { SessionProblem } from '../ports/problem.ts'
import { diagnosticText } from '../text/message.ts'

/** What is not loaded, and was not reported. One for all sessions of a repertoire. */
export interface NotLoaded {
  /** Returns the problems that a session is to report: only those of skills that it is to see. */
  readonly next: (viewer: Pick<Viewer, 'skills'>) => readonly SessionProblem[]
}

/** @param current returns the catalog, which reloads replace */
export function createNotLoaded(current: () => Catalog): NotLoaded {
  const reported = new Set<string>()
  let catalog: Catalog | undefined
  let lost: ReadonlyMap<string, readonly Diagnostic[]> = new Map()

  return {
    next({ skills }) {
      if (catalog !== current()) {
        catalog = current()
        lost = Map.groupBy(catalog.diagnostics.filter(isLoss), ({ path }) => path)
        // What was repaired and breaks again is news.
        for (const path of reported) if (!lost.has(path)) reported.delete(path)
      }
      const problems: SessionProblem[] = []
      for (const [path, errors] of lost) {
        const names = namesOf(path, errors, catalog)
        if (reported.has(path) || !isWanted(names, skills)) continue
        reported.add(path)
        // Installers link one folder into those of several clients.
        if (errors[0]?.code === 'SKILL_FOLDER_LINKED' && catalog.has(names[0]!)) continue
        problems.push(problemOf(path, errors, names[0]))
      }
      return problems
    },
  }
}

function isLoss({ code, severity }: Diagnostic): boolean {
  return severity === 'error' && code !== 'RELOAD_FAILED'
}

/** What the skill of a file may be called; nothing where the file is none of a skill. */
function namesOf(path: string, errors: readonly Diagnostic[], { broken }: Catalog): readonly string[] {
  const skill = broken.find((each) => each.path === path)
  if (skill !== undefined) return [skill.folderName, ...(skill.declared === undefined ? [] : [skill.declared])]
  return errors[0]?.code === 'SKILL_FOLDER_LINKED' ? [folderOf(path)] : []
}

/** A session that is to see only some skills lacks nothing where another one is broken. */
function isWanted(names: readonly string[], skills: Viewer['skills']): boolean {
  if (skills === undefined || skills.includes('*')) return true
  return names.length === 0 ? skills.length > 0 : names.some((name) => skills.includes(name))
}

function problemOf(path: string, [first]: readonly Diagnostic[], name: string | undefined): SessionProblem {
  const { line } = first!
  const what = name === undefined ? 'Skills were' : `The skill ${quoteName(name)} was`
  const where = line === undefined ? path : `${path}:${line}`
  return {
    code: 'SKILL_NOT_LOADED',
    message: `${what} not loaded. ${where}: ${diagnosticText(first!)}`,
    skill: name && shown(name),
    path,
  }
}
