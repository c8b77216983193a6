import { quoteName, shown } from '@repertoire/skill-md/internal'
import type { Catalog } from '../catalog/catalog.ts'
import { folderOf } from '../catalog/explain.ts'
import type { Viewer } from '../ports/viewer.ts'
import type { SessionProblem } from '../ports/problem.ts'
import { diagnosticText } from '../text/message.ts'

/**
 * Returns a function that lists skills which were not loaded, as problems for a session to report: only skills that the
 * session may see, and that no session of the repertoire has reported.
 * @param current returns the catalog, which reloads replace
 */
export function createNotLoaded(current: () => Catalog): (viewer: Pick<Viewer, 'skills'>) => readonly SessionProblem[] {
  let catalog: Catalog | undefined
  let lost: ReadonlyMap<string, SessionProblem> = new Map()
  const reported = new Set<string>()

  return ({ skills }) => {
    if (catalog !== current()) {
      catalog = current()
      lost = lostSkills(catalog)
      // What was repaired and breaks again is news.
      for (const path of reported) if (!lost.has(path)) reported.delete(path)
    }
    // A session that is to see only some skills lacks nothing where another one is broken.
    const isWanted = ({ skill }: SessionProblem): boolean =>
      skills === undefined || skills.includes('*') || (skill === undefined ? skills.length > 0 : skills.includes(skill))
    const news = [...lost].filter(([path, problem]) => !reported.has(path) && isWanted(problem))
    return news.map(([path, problem]) => {
      reported.add(path)
      return problem
    })
  }
}

/** Returns the problems of a catalog, by their files. */
function lostSkills(catalog: Catalog): ReadonlyMap<string, SessionProblem> {
  const lost = new Map<string, SessionProblem>()
  for (const diagnostic of catalog.diagnostics) {
    const { code, severity, path, line } = diagnostic
    if (code === 'LOCK_DIFFERS')
      lost.set(`${code} ${path}`, { code: 'SKILL_EDITED', message: diagnosticText(diagnostic), path })
    if (severity !== 'error' || code === 'RELOAD_FAILED' || lost.has(path)) continue
    const isLink = code === 'SKILL_FOLDER_LINKED'
    const isFolder = isLink || code === 'LOCKED_SKILL_MISSING'
    const name = isFolder ? folderOf(path) : catalog.broken.find((each) => each.path === path)?.folderName
    // Installers link one folder into those of several clients.
    if (isLink && catalog.has(name!)) continue
    const what = name === undefined ? 'Skills were' : `The skill ${quoteName(name)} was`
    const where = line === undefined ? path : `${path}:${line}`
    const message = `${what} not loaded. ${where}: ${diagnosticText(diagnostic)}`
    lost.set(path, { code: 'SKILL_NOT_LOADED', message, skill: name && shown(name), path })
  }
  return lost
}
