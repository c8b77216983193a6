import {
  type Diagnostic,
  isSkillError,
  type SkillDocument,
  SkillError,
  type StoredFile,
  showName,
} from '@repertoire/core'
import { parseSkill } from '@repertoire/core/authoring'
import { checkSkillFiles, checkSkillPaths, isSameName, nearestNames, storedSkillName } from '@repertoire/core/stores'
import { posix } from 'node:path'
import { refused } from './failure.ts'
import { findManifests, hintForNone, pluginsElsewhere, type FoundManifest } from './find.ts'
import type { FetchOptions, FetchedSkill, FetchedSkills, ListedSkill, ResolvedOrigin } from './origin.ts'
import { skillOrigin } from './text.ts'
import type { OriginTree, TreeEntry } from './tree.ts'

/** A manifest that was read. */
interface ReadManifest extends FoundManifest {
  readonly document: SkillDocument
  /** As a store keeps it: as it says itself, or else as its folder is named. */
  readonly name: string
}

const WHY: Readonly<Record<Exclude<TreeEntry['kind'], 'file'>, string>> = {
  link: 'is a link that leads to no file or folder of the same skill, or to another link. Put the files themselves there',
  submodule: 'is a submodule, and those are not fetched. Name that repository itself',
  special: 'is a device, a pipe or a socket. Remove it',
  deep: 'lies deeper than the folders of a skill may. Move it up',
  node_modules: 'is not part of a skill. Remove it',
}

const LFS = 'stands for a file of Git LFS, and those are not fetched. Put the file itself there'
const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v\d+\n(?:[^\n]+\n)*oid sha256:[\da-f]{64}\n/
/** No pointer is longer. */
const MAX_POINTER_BYTES = 1024

/**
 * Chooses the skills of a tree, reads them, and judges each whole.
 * @throws {SkillError} SKILL_NOT_FOUND; MANIFEST_INVALID with path and line; ORIGIN_REFUSED (a link, two skills of one
 * name); RESOURCE_PATH_INVALID, RESOURCE_REFUSED, RESOURCE_TOO_LARGE as of `checkSkillFiles`
 */
export async function judgeTree(
  origin: ResolvedOrigin,
  tree: OriginTree,
  { skills: wanted, signal, onProgress }: FetchOptions,
): Promise<FetchedSkills> {
  const chosen = await choose(origin, tree, wanted, signal)
  const diagnostics: Diagnostic[] = []
  const failures: SkillError[] = []
  const belongings = new Map<ReadManifest, readonly TreeEntry[]>()
  for (const manifest of chosen) {
    try {
      refuseEqualName(origin, manifest, chosen)
      diagnostics.push(...usable(manifest.document, manifest.entry.path))
      belongings.set(manifest, entriesOf(origin, tree, manifest))
    } catch (error) {
      failures.push(asFailure(error))
    }
  }
  const contents = await tree.read([...new Set([...belongings.values()].flat())], signal)
  const total = contents.size
  let count = 0
  const skills: FetchedSkill[] = []
  for (const [manifest, own] of belongings) {
    const { name, entry } = manifest
    signal?.throwIfAborted()
    try {
      const files = filesOf(origin, manifest, own, contents)
      await checkSkillFiles(name, files)
      skills.push({ name, path: entry.path, origin: skillOrigin(origin, entry.path), files })
      count += files.size
      onProgress?.({ kind: 'judged', count, total })
    } catch (error) {
      failures.push(asFailure(error))
    }
  }
  refuseAny(failures, skills)
  if (wanted === undefined) diagnostics.push(...(await noteElsewhere(origin, tree)))
  return { origin, skills: skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)), diagnostics }
}

/** Lists what a tree offers, by its manifests alone. @throws {SkillError} SKILL_NOT_FOUND */
export async function listTree(
  origin: ResolvedOrigin,
  tree: OriginTree,
  signal: AbortSignal | undefined,
): Promise<readonly ListedSkill[]> {
  const chosen = await choose(origin, tree, undefined, signal)
  return chosen.map((manifest) => {
    const { name, entry, document } = manifest
    const listed = { name, path: entry.path, description: document.manifest?.description }
    try {
      refuseEqualName(origin, manifest, chosen)
      usable(document, entry.path)
      entriesOf(origin, tree, manifest)
      return listed
    } catch (error) {
      return { ...listed, problem: asFailure(error).message }
    }
  })
}

function asFailure(error: unknown): SkillError {
  if (isSkillError(error)) return error
  throw error
}

/** @throws {SkillError} the first failure, with the way on without the skills that failed */
function refuseAny([first, ...others]: readonly SkillError[], whole: readonly FetchedSkill[]): void {
  if (first === undefined) return
  const more =
    others.length === 0 ? '' : ` ${others.length} other ${others.length === 1 ? 'skill is' : 'skills are'} refused too.`
  const names = whole.map(({ name }) => `--skill ${showName(name)}`)
  const which = names.length > MAX_NAMED ? '--skill and their names; --list shows them' : names.join(' ')
  const way =
    whole.length === 0
      ? 'If the skill is not yours, correct a copy, and add its folder.'
      : `To go on without: ${which} (in code: \`skills\`).`
  const { code, path, line } = first
  throw new SkillError(code, `${first.message}${more} ${way}`, { path, line, cause: first })
}

const MAX_NAMED = 10

async function noteElsewhere({ source }: ResolvedOrigin, tree: OriginTree): Promise<readonly Diagnostic[]> {
  const plugins = await pluginsElsewhere(source, tree)
  if (plugins.length === 0) return []
  return [
    {
      code: 'ENTRY_REFUSED',
      severity: 'warning',
      path: source,
      message: `The marketplace of ${showName(source)} names plugins that are elsewhere: ${plugins.join(', ')}.`,
      hint: 'Add them from there.',
    },
  ]
}

/** What macOS puts into archives and folders that it has shown. */
const OF_THE_FINDER = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/

/** @throws {SkillError} ORIGIN_REFUSED: something of the skill is no file, or has a name that is not UTF-8 */
function entriesOf({ source }: ResolvedOrigin, tree: OriginTree, { folder }: FoundManifest): readonly TreeEntry[] {
  const own = tree.entries.filter(
    ({ path }) => (folder === '' || path.startsWith(`${folder}/`)) && !OF_THE_FINDER.test(path),
  )
  for (const { path, kind } of own) {
    if (kind !== 'file' && kind !== 'link') throw refused(source, `${showName(path)} ${WHY[kind]}.`, path)
    if (path.includes('\uFFFD')) throw refused(source, `the name ${showName(path)} is not UTF-8. Rename it.`, path)
  }
  return own
}

/** The files of a skill, by their paths in its folder. A link becomes a copy of what it leads to, also of a folder. */
function filesOf(
  { source }: ResolvedOrigin,
  { folder, name }: ReadManifest,
  own: readonly TreeEntry[],
  contents: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, StoredFile> {
  const inner = (path: string): string => (folder === '' ? path : path.slice(folder.length + 1))
  // Their number bounds what links can make of them.
  const sizes = own.map(({ path }) => [inner(path), 0] as const)
  checkSkillPaths(name, sizes)
  const files = new Map<string, StoredFile>()
  for (const { path, kind } of own) {
    const target = kind === 'link' ? targetOf(path, contents.get(path)) : path
    const copied = own.filter((each) => each.path === target || each.path.startsWith(`${target}/`))
    if (copied.length === 0 || copied.some((each) => each.kind === 'link')) {
      throw refused(source, `${showName(path)} ${WHY.link}.`, path)
    }
    for (const file of copied) {
      const bytes = contents.get(file.path)
      if (bytes === undefined) throw refused(source, `${showName(path)} was not received.`, path)
      if (isLfsPointer(bytes)) throw refused(source, `${showName(path)} ${LFS}.`, path)
      const copy = inner(path + file.path.slice(target.length))
      files.set(copy, file.executable ? { bytes, executable: true } : { bytes })
    }
  }
  return files
}

/** The path that a link leads to, from the top of the origin. */
function targetOf(path: string, target: Uint8Array = new Uint8Array()): string {
  return posix.join(posix.dirname(path), Buffer.from(target).toString()).replace(/\/$/, '')
}

/** Whether bytes only say where a file is, so that the skill would be without it. */
function isLfsPointer(bytes: Uint8Array): boolean {
  return bytes.length <= MAX_POINTER_BYTES && LFS_POINTER.test(Buffer.from(bytes).toString('latin1'))
}

async function choose(
  origin: ResolvedOrigin,
  tree: OriginTree,
  wanted: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly ReadManifest[]> {
  const found = findManifests(tree)
  const places = [found.offered, ...found.others]
  if (wanted === undefined || places.every(({ length }) => length === 0)) {
    if (found.offered.length > 0) return readManifests(tree, found.offered, signal)
    const what = found.others.length > 0 ? 'offers no skill' : 'has no SKILL.md'
    const hint = await hintForNone(origin.source, tree, found)
    const where = tree.base === '' ? '' : ` in ${showName(tree.base)}`
    throw new SkillError('SKILL_NOT_FOUND', `${showName(origin.source)} ${what}${where}. ${hint}`)
  }
  const missing = new Map(wanted.map((name) => [storedSkillName(name), name]))
  const chosen: ReadManifest[] = []
  const names = new Set<string>()
  for (const place of places) {
    if (missing.size === 0) break
    const manifests = await readManifests(tree, place, signal)
    const named = manifests.filter(({ name }) => missing.has(name))
    chosen.push(...named)
    for (const { name } of manifests) names.add(name)
    for (const { name } of named) missing.delete(name)
  }
  for (const name of missing.values()) throw notFound(origin.source, name, names)
  return chosen
}

async function readManifests(
  tree: OriginTree,
  found: readonly FoundManifest[],
  signal: AbortSignal | undefined,
): Promise<readonly ReadManifest[]> {
  const plain = found.filter(({ entry }) => entry.kind === 'file')
  const contents = await tree.read(
    plain.map(({ entry }) => entry),
    signal,
  )
  return Promise.all(
    found.map(async (each) => {
      const { path } = each.entry
      const context = { path, folderName: each.folderName }
      const document = await parseSkill(contents.get(path) ?? '', context)
      return { ...each, document, name: storedSkillName(document.manifest?.name ?? each.folderName ?? '') }
    }),
  )
}

/** Returns what is to be told of a manifest. @throws {SkillError} MANIFEST_INVALID */
function usable({ manifest, body, definition, diagnostics }: SkillDocument, path: string): readonly Diagnostic[] {
  const error = diagnostics.find(({ severity }) => severity === 'error')
  if (manifest !== undefined && body !== undefined && definition !== undefined) return diagnostics
  const at = error?.line === undefined ? showName(path) : `${showName(path)}, line ${error.line}`
  const message = `${at}: ${error?.message ?? 'It is not a SKILL.md.'} ${error?.hint ?? ''}`.trim()
  throw new SkillError('MANIFEST_INVALID', message, { path, ...(error?.line !== undefined && { line: error.line }) })
}

/** @throws {SkillError} ORIGIN_REFUSED: it is no file, or another skill has its name */
function refuseEqualName({ source }: ResolvedOrigin, manifest: ReadManifest, all: readonly ReadManifest[]): void {
  const { name, entry } = manifest
  if (entry.kind !== 'file') throw refused(source, `${showName(entry.path)} ${WHY[entry.kind]}.`, entry.path)
  const other = all.find((each) => each !== manifest && isSameName(each.name, name))
  if (other === undefined) return
  const [one, two] = [other.entry.path, entry.path].toSorted().map(showName)
  const reason = `${one} and ${two} are both named "${showName(name)}". Name the folder of the one that is meant.`
  throw refused(source, reason, entry.path)
}

/** The error for a name that an origin does not have, with what it has. */
export function notFound(source: string, name: string, names: Iterable<string>): SkillError {
  const nearest = nearestNames(name, names)
  const near = nearest.map((each) => `"${showName(each)}"`).join(', ')
  const some =
    near === '' ? `It has ${[...names].slice(0, MAX_NAMED).map(showName).join(', ')}.` : `Did you mean ${near}?`
  const message = `${showName(source)} has no skill "${showName(name)}". ${some} --list shows what it offers (in code: \`list\`).`
  return new SkillError('SKILL_NOT_FOUND', message, { nearest })
}
