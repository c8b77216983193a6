/**
 * The files inside a folder that a path may name, relative to the folder: by text alone, links are not followed. A path
 * has several readings, since tools differ in theirs: a relative one is taken against the working folder (against every
 * folder above where that is unknown), `~` and `$HOME` stand for any folder above. For refusing: a reading too many does
 * no harm, one too few does.
 * @param location the folder: an absolute path, or a URI such as `memory:id/name`
 * @param cwd absent: unknown
 */
export function pathsInside(path: string, location: string, cwd: string | undefined): readonly string[] {
  const folder = partsOf(location)
  const found = pathReadings(path, location, cwd).map((parts) => below(folder, parts))
  return [...new Set(found.filter((inside) => inside !== undefined))]
}

/** The parts of an absolute path or a URI. */
export function partsOf(location: string): readonly string[] {
  return location.split(/[/\\]/).filter((part) => part !== '')
}

/**
 * The readings of a path as the parts of absolute paths, `.` and `..` resolved: see `pathsInside`. The first takes it
 * from the root, as it stands.
 */
export function pathReadings(path: string, location: string, cwd: string | undefined): readonly (readonly string[])[] {
  const folder = partsOf(location)
  const above = folder.map((_, length) => folder.slice(0, length))
  const plain = fromFileUrl(path).trim()
  const atHome = HOME.exec(plain)?.[1]
  const working = cwd === undefined ? above : [cwd.split(/[/\\]/)]
  // What begins like a scheme may yet be a relative path: a tool that knows no URLs takes it for one.
  const bases = /^[/\\]|^[a-z]:[/\\]/i.test(plain) ? [[]] : [[], ...working]
  return [
    ...bases.map((base) => resolved(base, plain)),
    ...(atHome === undefined ? [] : above.map((base) => resolved(base, atHome))),
  ]
}

/**
 * A path's part in the form that parts are compared in. Some file systems take any case and any normal form of Unicode,
 * some pass over letters that nobody sees, and Windows drops dots and blanks at the end; where two files differ in that
 * alone, both count.
 */
export function foldPart(part: string): string {
  const seen = part.replace(PASSED_OVER, '')
  let end = seen.length
  while (end > 0 && (seen[end - 1] === '.' || seen[end - 1] === ' ')) end--
  const text = seen.slice(0, end)
  // By way of the upper case, since some letters have the lower case of others there: the long s, the ligatures.
  return IS_ASCII.test(text) ? text.toLowerCase() : text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** What some file systems pass over in a name. */
const PASSED_OVER = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g

const IS_ASCII = /^[\0-\x7F]*$/

/** Links that every process has: to its working folder, to the root, and to what it has open. */
const PROCESS = /^(?:proc\/[^/]+\/(?:task\/[^/]+\/)?(?:cwd|root|fd|map_files)|dev\/fd)$/i

/**
 * Whether a path leads through a process (`/proc/self/cwd/…`), to what its text does not tell, wherever a `..` behind
 * that seems to lead.
 * @param cwd absent: unknown, and a relative path leads through none
 */
export function leadsThroughProcess(path: string, cwd: string | undefined): boolean {
  const plain = fromFileUrl(path).trim()
  const from = plain.startsWith('/') ? '' : cwd
  if (from === undefined || !/proc|dev/i.test(`${from}/${plain}`)) return false
  const parts: string[] = []
  for (const part of `${from}/${plain}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
    if (PROCESS.test(parts.join('/'))) return true
  }
  return false
}

/** `~/…`, `~user/…`, `$HOME/…`, `${HOME}/…` and `%USERPROFILE%\…`. */
const HOME = /^(?:~[^/\\]*|\$HOME|\$\{HOME\}|%USERPROFILE%)[/\\](.*)$/is

function resolved(base: readonly string[], path: string): readonly string[] {
  const parts: string[] = []
  for (const part of [...base, ...path.split(/[/\\]/)]) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts
}

function below(folder: readonly string[], parts: readonly string[]): string | undefined {
  const isBelow = folder.every((part, index) => foldPart(part) === foldPart(parts[index] ?? ''))
  if (!isBelow || parts.length === folder.length) return undefined
  // NTFS reads `run.sh::$DATA` as `run.sh`.
  const inside = parts.slice(folder.length)
  return (/^[a-z]:$/i.test(folder[0] ?? '') ? inside.map((part) => part.replace(/:.*$/s, '')) : inside).join('/')
}

function fromFileUrl(path: string): string {
  const [, rest] = /^file:(?:\/\/(?:localhost)?)?([/\\][^?#]*)/is.exec(path) ?? []
  if (rest === undefined) return path
  // `file:///C:/x` names a drive.
  const plain = rest.replace(/^[/\\](?=[a-z]:)/i, '')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
