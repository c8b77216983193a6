import { normalForm } from '@repertoire/skill-md/internal'

/**
 * Returns the files inside a folder that a path may name, relative to the folder. Tools interpret paths differently, so
 * a path has several readings: a relative one is resolved against the working folder (every parent folder if that is
 * unknown), `~` and `$HOME` stand for any parent. For refusals: one reading too many does no harm.
 * @param location the folder: an absolute path, or a URI such as `memory:id/name`
 * @param cwd absent: unknown
 */
export function pathsInside(path: string, location: string, cwd: string | undefined): readonly string[] {
  const folder = partsOf(location)
  const found = pathReadings(path, location, cwd).map((parts) => below(folder, parts))
  return [...new Set(found.filter((inside) => inside !== undefined))]
}

/** Returns the parts of an absolute path or a URI. */
export function partsOf(location: string): readonly string[] {
  return location.split(/[/\\]/).filter((part) => part !== '')
}

/**
 * Returns the readings of a path as parts of absolute paths, with `.` and `..` resolved: see `pathsInside`. The first
 * one is resolved against the root.
 */
export function pathReadings(path: string, location: string, cwd: string | undefined): readonly (readonly string[])[] {
  const folder = partsOf(location)
  const parents = folder.map((_, length) => folder.slice(0, length))
  const plain = fromFileUrl(path).trim()
  const home = HOME.exec(plain)
  const working = cwd === undefined ? parents : [cwd.split(/[/\\]/)]
  // A text that begins like a URL scheme may still be a relative path for a tool that does not support URLs.
  const bases = /^[/\\]|^[a-z]:[/\\]/i.test(plain) ? [[]] : [[], ...working]
  return [
    ...bases.map((base) => resolved(base, plain)),
    ...(home === null ? [] : parents.map((base) => resolved(base, home[1] ?? ''))),
  ]
}

/** The readings of a path, for a relative one without that from the root: there, `**` would name every file. */
export function readingsFromHere(
  path: string,
  location: string,
  cwd: string | undefined,
): readonly (readonly string[])[] {
  const readings = pathReadings(path, location, cwd)
  return /^\s*(?:[/\\]|[a-z][a-z\d+.-]*:)/i.test(path) ? readings : readings.slice(1)
}

/**
 * Returns a part of a path in the form used for comparison. Some file systems ignore case and the normal form of
 * Unicode, some ignore invisible characters, and Windows drops dots and spaces at the end; two files that differ only
 * in this both match.
 */
export function foldPart(part: string): string {
  const visible = part.replace(INVISIBLE, '')
  let end = visible.length
  while (end > 0 && (visible[end - 1] === '.' || visible[end - 1] === ' ')) end--
  const text = visible.slice(0, end)
  // Via upper case, which is the same for some different lower-case letters: the long s, the ligatures.
  return IS_ASCII.test(text)
    ? text.toLowerCase()
    : normalForm(normalForm(text, 'NFC').toUpperCase().toLowerCase(), 'NFC')
}

/** Characters that some file systems ignore in a name. */
const INVISIBLE = /[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g

const IS_ASCII = /^[\0-\x7F]*$/

/** A link that every process has, to its working folder, the root, or an open file: its text hides where it ends. */
const PROCESS_LINK = /(?:^|[/\\])(?:proc|dev)[/\\](?:[^/\\]*[/\\])*(?:cwd|root|fd|map_files)(?:[/\\]|$)/i

export function leadsThroughProcess(path: string): boolean {
  return PROCESS_LINK.test(fromFileUrl(path))
}

/** `~`, `~/…`, `~user/…`, `$HOME/…`, `${HOME}/…` and `%USERPROFILE%\…`. */
const HOME = /^(?:~[^/\\]*|\$\w+|\$\{\w+\}|%\w+%)(?:[/\\](.*))?$/is

/** The parts of a path in a folder, with `.` and `..` resolved; a step above the root stays there. */
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

/** Returns the path that a `file:` address names, whatever its host, and any other path unchanged. */
function fromFileUrl(path: string): string {
  if (!/^\s*file:/i.test(path)) return path
  try {
    // `file:///C:/x` names a drive.
    return decodeURIComponent(new URL(path.trim().replaceAll('\\', '/')).pathname).replace(/^\/(?=[a-z]:)/i, '')
  } catch {
    return path
  }
}

/** A protected path: its folder and its name in it. */
export interface ProtectedPath {
  readonly folder: string
  readonly name: string
  readonly isPartial: boolean
}

export function readProtectedPath(file: string, cwd: string | undefined): ProtectedPath {
  const isAbsolute = /^[/\\]|^[a-z]:[/\\]/i.test(file)
  const parts = resolved([], isAbsolute || cwd === undefined ? file : `${cwd}/${file}`)
  const folder = parts.slice(0, -1).join('/')
  return {
    folder: /^[a-z]:/i.test(folder) ? folder : `/${folder}`,
    name: parts.at(-1) ?? file,
    isPartial: !isAbsolute && cwd === undefined,
  }
}
