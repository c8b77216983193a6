import { isSkillError } from '../errors.ts'
import type { ADVICE_CODES, Diagnostic } from '../ports/diagnostic.ts'
import type { FolderListing, SkillFolder } from '../ports/skill.ts'
import { excerpt } from '../text/hidden.ts'
import { normalForm } from '../text/normal-form.ts'
import { findLinks } from '../markdown.ts'

/** No one links more targets in one text by hand. */
const MAX_TARGETS = 1000

/** Advises on broken links in the body, and on files that are linked only from another file. */
export async function adviseOnLinks(
  body: string,
  { path, line }: TextPosition,
  files: SkillFiles,
  advise: ReportAdvice,
): Promise<void> {
  const index = indexFiles(files)
  const linked = new Set<string>()
  for (const { target, linkedPath, index: offset } of relativeLinks(body)) {
    const file = index.find(linkedPath)
    if (file !== undefined) {
      linked.add(file)
      continue
    }
    const broken = await explain(linkedPath, index, files)
    if (broken === undefined) continue
    const message = `The link to ${excerpt(target)} ${broken.problem}.`
    advise('LINK_BROKEN', { path, line: line + offset, message, hint: broken.hint })
  }
  await adviseOnDepth(linked, index, files, advise)
}

/** The Agent Skills specification advises that references are one level deep, starting from SKILL.md. */
async function adviseOnDepth(
  linked: ReadonlySet<string>,
  index: FileIndex,
  files: SkillFiles,
  advise: ReportAdvice,
): Promise<void> {
  const known = new Set(['SKILL.md', ...linked])
  for (const path of [...linked].filter(isMarkdown).slice(0, MAX_FILES)) {
    const text = await readText(path, files)
    for (const { linkedPath, index: offset } of text === undefined ? [] : relativeLinks(text)) {
      // The standard says relative to the skill's root; many authors write them relative to the file.
      const relativeToFile = [...path.split('/').slice(0, -1), linkedPath].join('/')
      const target = index.find(linkedPath) ?? index.find(relativeToFile)
      if (target === undefined || !isMarkdown(target) || known.has(target)) continue
      known.add(target)
      const message = `${excerpt(target)} is reached only through ${excerpt(path)}.`
      const hint = 'Link it from SKILL.md, so that no file must be read to learn of another.'
      advise('REFERENCE_DEEP', { path: `${files.folder.location}/${path}`, line: offset + 1, message, hint })
    }
  }
}

/** A link to a relative path. */
interface RelativeLink {
  /** As written. */
  readonly target: string
  /** The path in it, without query, fragment and escapes. */
  readonly linkedPath: string
  readonly index: number
}

/** Returns the first link to each relative path. */
function relativeLinks(markdown: string): readonly RelativeLink[] {
  const found = new Map<string, RelativeLink>()
  for (const { target, index } of findLinks(markdown)) {
    const linkedPath = relativePath(target)
    if (linkedPath !== undefined && !found.has(linkedPath)) found.set(linkedPath, { target, linkedPath, index })
    if (found.size === MAX_TARGETS) break
  }
  return [...found.values()]
}

/** Returns the relative path in a target; undefined for a URL, an absolute path, a fragment or a placeholder. */
function relativePath(target: string): string | undefined {
  const [path = ''] = target.split(/[?#]/, 1)
  if (path === '' || path.startsWith('/') || path.startsWith('\\') || /^[a-z][a-z\d+.-]*:/i.test(path)) return undefined
  // `{name}.md`, `$DIR/x`, `*.md`, `…` are placeholders for the reader to fill in.
  if (/[{}<>$*|…]|\.\.\.|^~/.test(path)) return undefined
  return path.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path)
}

interface FileIndex {
  /** Returns the path in the listing of the file that a relative path names. */
  find(path: string): string | undefined
  isFolder(path: string): boolean
  /** Returns a file whose path differs only in case. */
  similar(path: string): string | undefined
}

function indexFiles({ listing }: SkillFiles): FileIndex {
  const byPath = new Map(listing.files.map(({ path }) => [normalForm(path, 'NFC'), path]))
  const byLetters = new Map(listing.files.map(({ path }) => [normalForm(path, 'NFC').toLowerCase(), path]))
  const folders = new Set(['', ...[...byPath.keys()].flatMap(foldersAbove)])
  return {
    find: (path) => resolvedPaths(path).flatMap((inside) => byPath.get(inside) ?? [])[0],
    isFolder: (path) => resolvedPaths(path).some((inside) => folders.has(inside)),
    similar: (path) => resolvedPaths(path).flatMap((inside) => byLetters.get(inside.toLowerCase()) ?? [])[0],
  }
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

/**
 * Returns what a path may mean: decoded and as written, each with `.` and `..` resolved. One that leaves the folder is
 * left out.
 */
function resolvedPaths(path: string): readonly string[] {
  return [...new Set([decoded(path), path])].flatMap((variant) => {
    const parts: string[] = []
    for (const part of variant.split('/')) {
      if (part === '..') {
        if (parts.pop() === undefined) return []
      } else if (part !== '' && part !== '.') parts.push(part)
    }
    return [normalForm(parts.join('/'), 'NFC')]
  })
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Returns why a path leads to no file; undefined if it leads to a folder, or to a file that a truncated listing may have
 * left out.
 */
async function explain(
  path: string,
  index: FileIndex,
  { folder, listing }: SkillFiles,
): Promise<{ readonly problem: string; readonly hint: string } | undefined> {
  if (index.isFolder(path)) return undefined
  const [inside] = resolvedPaths(path)
  if (inside === undefined) {
    const hint = "Put the file into the skill's folder: nothing outside of it is available."
    return { problem: "leaves the skill's folder", hint }
  }
  const isAt = (entry: { readonly path: string }) => entry.path === inside || inside.startsWith(`${entry.path}/`)
  const refused = [...listing.refused, ...listing.withheld.refused].find(isAt)
  if (refused !== undefined || listing.withheld.files.some(isAt)) {
    const reason = refused?.reason ?? 'hidden'
    return { problem: `leads to a file that is not available (${reason})`, hint: 'Put a plain, visible file there.' }
  }
  if (listing.truncated && !(await isMissing(inside, folder))) return undefined
  const similar = index.similar(path)
  const hint =
    similar === undefined ? 'Correct the path, or add the file.' : `Write it as the file's name: "${similar}".`
  return { problem: 'leads to no file', hint }
}

async function isMissing(path: string, folder: SkillFolder): Promise<boolean> {
  try {
    await folder.read(path, { maxBytes: 0 })
    return false
  } catch (error) {
    return isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND'
  }
}

/** The most files that are read for advice, which does not justify reading whole archives. */
export const MAX_FILES = 100
/** Larger files are skipped. */
export const MAX_BYTES = 256 * 1024

/** Reports one piece of advice. */
export type ReportAdvice = (code: keyof typeof ADVICE_CODES, finding: Omit<Diagnostic, 'code' | 'severity'>) => void

/** A position in a file; the line is 1-based. */
export interface TextPosition {
  readonly path: string
  readonly line: number
}

/** The files that advice is about. */
export interface SkillFiles {
  readonly folder: SkillFolder
  readonly listing: FolderListing
}

/** Reads a text file. Returns undefined for a file that is refused, too large, or not text. */
export async function readText(path: string, { folder }: SkillFiles): Promise<string | undefined> {
  try {
    const bytes = await folder.read(path, { maxBytes: MAX_BYTES })
    return bytes.subarray(0, 1024).includes(0) ? undefined : new TextDecoder().decode(bytes)
  } catch (error) {
    if (isSkillError(error)) return undefined
    throw error
  }
}
