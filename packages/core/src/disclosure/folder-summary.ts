import type { FolderListing } from '@repertoire/skill-md/internal'
import { hasScriptExtension, isScriptFile } from '@repertoire/gate/internal'

/** The files of a skill, limited in number. */
export interface FolderSummary {
  /** Files that the instructions name come first, then scripts, then other files that an interpreter runs. At most 50. */
  readonly files: readonly string[]
  /** The number of files that are not listed. Absent: none, or with `truncated` an unknown number. */
  readonly more?: number
  readonly truncated: boolean
  /** The largest folders with the number of files directly in each, at most 20. Absent: every file is listed. */
  readonly folders?: readonly FolderCount[]
}

/** A folder of a skill. */
interface FolderCount {
  /** Relative to the skill's folder; `.` is the skill's folder itself. */
  readonly path: string
  readonly files: number
}

const MAX_FILES = 50
const MAX_FOLDERS = 20

/** Summarises a skill's folder for a model, without the manifest. Scripts and files that the body names come first. */
export function summariseFolder(listing: FolderListing, body: string): FolderSummary {
  const isNamed = createNameTest(body)
  const inFolder = new Map<string, number>()
  const files = listing.files
    .filter(({ path }) => path !== 'SKILL.md')
    .map((file) => {
      const folder = folderOf(file.path)
      const place = inFolder.get(folder) ?? 0
      inFolder.set(folder, place + 1)
      const rank = isNamed(file.path) ? 0 : isScriptFile(file) ? 1 : hasScriptExtension(file.path) ? 2 : 3
      return { path: file.path, rank, place }
    })
  const isCut = files.length > MAX_FILES
  // A folder of many files would hide the others, so each folder gives one file in turn.
  const sorted = files.toSorted((one, other) => one.rank - other.rank || (isCut ? one.place - other.place : 0))
  const summary = { files: sorted.slice(0, MAX_FILES).map(({ path }) => path), truncated: isCut || listing.truncated }
  if (!summary.truncated) return summary
  const folders = [...inFolder]
    .map(([path, count]) => ({ path, files: count }))
    .toSorted((one, other) => other.files - one.files)
    .slice(0, MAX_FOLDERS)
  return { ...summary, folders, ...(!listing.truncated && { more: files.length - MAX_FILES }) }
}

function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? '.' : path.slice(0, end)
}

const PATH = /[\p{L}\p{M}\p{N}_./%@+~-]+/gu
/** What no word of a text holds. */
const NO_PATH = /[^\p{L}\p{M}\p{N}_./%@+~-]/u

/** Returns whether a text names a file. */
function createNameTest(body: string): (path: string) => boolean {
  const text = body.replaceAll('\\', '/')
  const paths = pathsIn(text)
  return (path) => paths.has(path) || (NO_PATH.test(path) && text.includes(path))
}

/** Everything in a text that may be a relative path: in links, code and prose. Escapes of links are decoded. */
function pathsIn(body: string): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const [word] of body.matchAll(PATH)) {
    const path = word.replace(/^(?:\.?\/)+/, '').replace(/\.+$/, '')
    paths.add(path).add(decoded(path))
  }
  return paths
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
