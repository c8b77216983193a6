import { type Diagnostic, type SkillDocument, SkillError, type StoredFile, showName } from '@repertoire/core'
import { parseSkill } from '@repertoire/core/authoring'
import { checkSkillFiles, isSameName, nearestNames, storedSkillName } from '@repertoire/core/stores'
import { refused } from './failure.ts'
import type { FetchOptions, FetchedSkill, FetchedSkills, ResolvedOrigin } from './origin.ts'
import { skillOrigin } from './text.ts'
import type { OriginTree, TreeEntry } from './tree.ts'
import { MAX_SKILL_DEPTH } from './limits.ts'

/** A manifest that was read. */
interface ReadManifest extends FoundManifest {
  readonly document: SkillDocument
  /** As a store keeps it: as it says itself, or else as its folder is named. */
  readonly name: string
}

const WHY: Readonly<Record<Exclude<TreeEntry['kind'], 'file'>, string>> = {
  link: 'is a link, and links are not followed. Its author must put the file itself there',
  submodule: 'is a submodule, and those are not fetched. Name that repository itself',
  special: 'is a device, a pipe or a socket. Its author must remove it',
  deep: 'lies deeper than the folders of a skill may. Its author must move it up',
  node_modules: 'is not part of a skill. Its author must remove it',
}

const LFS = 'stands for a file of Git LFS, and those are not fetched. Its author must put the file itself there'
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
  refuseEqualNames(origin, chosen)
  const diagnostics = [...tree.diagnostics]
  const belongings = new Map<ReadManifest, readonly TreeEntry[]>()
  for (const manifest of chosen) {
    const { document, entry, folder } = manifest
    diagnostics.push(...usable(document, entry.path))
    const own = tree.entries.filter(({ path }) => folder === '' || path.startsWith(`${folder}/`))
    for (const { path, kind } of own) {
      if (kind !== 'file') throw refused(origin.source, `${showName(path)} ${WHY[kind]}.`, path)
      if (path.includes('\uFFFD')) throw refused(origin.source, `the name ${showName(path)} is not UTF-8.`, path)
    }
    belongings.set(manifest, own)
  }
  const contents = await tree.read([...new Set([...belongings.values()].flat())], signal)
  const total = contents.size
  let count = 0
  const skills: FetchedSkill[] = []
  for (const [{ name, entry, folder }, own] of belongings) {
    signal?.throwIfAborted()
    const files = new Map<string, StoredFile>()
    for (const { path, executable } of own) {
      const bytes = contents.get(path)
      if (bytes === undefined) throw refused(origin.source, `${showName(path)} was not received.`, path)
      if (isLfsPointer(bytes)) throw refused(origin.source, `${showName(path)} ${LFS}.`, path)
      files.set(folder === '' ? path : path.slice(folder.length + 1), executable ? { bytes, executable } : { bytes })
    }
    await checkSkillFiles(name, files)
    count += files.size
    onProgress?.({ kind: 'judged', count, total })
    skills.push({ name, path: entry.path, origin: skillOrigin(origin, entry.path), files })
  }
  return { origin, skills: skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)), diagnostics }
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
  const tiers = findManifests(tree).filter(({ length }) => length > 0)
  if (tiers[0] === undefined) {
    const odd = misspelled(tree)
    const hint =
      odd === undefined ? 'Name the folder that holds it.' : `${showName(odd)} would have to be named SKILL.md.`
    throw new SkillError('SKILL_NOT_FOUND', `There is no SKILL.md in ${showName(origin.source)}. ${hint}`)
  }
  if (wanted === undefined) return readManifests(origin, tree, tiers[0], signal)
  const missing = new Set(wanted.map(storedSkillName))
  const chosen: ReadManifest[] = []
  const names = new Set<string>()
  for (const tier of tiers) {
    if (missing.size === 0) break
    const manifests = await readManifests(origin, tree, tier, signal)
    const found = manifests.filter(({ name }) => missing.has(name))
    chosen.push(...found)
    for (const { name } of manifests) names.add(name)
    for (const { name } of found) missing.delete(name)
  }
  for (const name of missing) throw notFound(origin, name, names)
  return chosen
}

async function readManifests(
  origin: ResolvedOrigin,
  tree: OriginTree,
  found: readonly FoundManifest[],
  signal: AbortSignal | undefined,
): Promise<readonly ReadManifest[]> {
  for (const { entry } of found) {
    const { kind, path } = entry
    if (kind !== 'file') throw refused(origin.source, `${showName(path)} ${WHY[kind]}.`, path)
  }
  const contents = await tree.read(
    found.map(({ entry }) => entry),
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

function refuseEqualNames({ source }: ResolvedOrigin, manifests: readonly ReadManifest[]): void {
  for (const [index, { name, entry }] of manifests.entries()) {
    const other = manifests.slice(0, index).find((each) => isSameName(each.name, name))
    if (other === undefined) continue
    const paths = `${showName(other.entry.path)} and ${showName(entry.path)}`
    const reason = `${paths} are both named "${showName(name)}". Name the folder of the one that is meant.`
    throw refused(source, reason, entry.path)
  }
}

function notFound({ source }: ResolvedOrigin, name: string, names: ReadonlySet<string>): SkillError {
  const nearest = nearestNames(name, names)
  const some = nearest.length > 0 ? nearest : [...names].slice(0, 5)
  const message = `${showName(source)} has no skill "${showName(name)}". It has ${some.map(showName).join(', ')}.`
  return new SkillError('SKILL_NOT_FOUND', message, { nearest })
}

/** A SKILL.md in an origin. */
interface FoundManifest {
  readonly entry: TreeEntry
  /** The folder that holds it; empty: the top. */
  readonly folder: string
  /** The name of that folder; absent where the origin does not name it, at its top. */
  readonly folderName?: string
}

/** Folders whose skills do not belong to the origin. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '__MACOSX'])

/**
 * Finds the manifests of an origin, in tiers: the first that holds any is what the origin offers.
 *
 * 1. SKILL.md at the top, or else everything below a folder named `skills`
 * 2. every other folder that is not hidden
 * 3. hidden ones, such as `.claude/skills`, which are mostly copies for the repository's own use
 * 4. a skill inside of another skill counts as its resource, unless the caller names it
 */
function findManifests({ entries, base, folders }: OriginTree): readonly (readonly FoundManifest[])[] {
  const found = entries
    .filter(({ path }) => path === 'SKILL.md' || path.endsWith('/SKILL.md'))
    .map((entry) => manifestAt(entry, base))
    .filter((manifest) => manifest !== undefined)
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
  if (folders !== undefined) return [found.filter(({ folder }) => folders.includes(folder))]
  const all = new Set(found.map(({ folder }) => folder))
  const tiers: [FoundManifest[], FoundManifest[], FoundManifest[], FoundManifest[]] = [[], [], [], []]
  for (const manifest of found) tiers[tierOf(manifest.folder, base, all)].push(manifest)
  return tiers
}

/** Returns why nothing was found, where another spelling of the name is the reason. */
function misspelled({ entries }: OriginTree): string | undefined {
  return entries.find(({ path }) => /(?:^|\/)skill\.md$/i.test(path) && !path.endsWith('SKILL.md'))?.path
}

function manifestAt(entry: TreeEntry, base: string): FoundManifest | undefined {
  const folder = entry.path.slice(0, Math.max(0, entry.path.length - '/SKILL.md'.length))
  const parts = relativeParts(folder, base)
  if (parts.length > MAX_SKILL_DEPTH || parts.some((part) => SKIPPED.has(part))) return undefined
  const folderName = parts.at(-1)
  return { entry, folder, folderName }
}

function relativeParts(folder: string, base: string): readonly string[] {
  const relative = base === '' ? folder : folder === base ? '' : folder.slice(base.length + 1)
  return relative === '' ? [] : relative.split('/')
}

function tierOf(folder: string, base: string, all: ReadonlySet<string>): 0 | 1 | 2 | 3 {
  const parts = relativeParts(folder, base)
  const top = base === '' ? [] : [base]
  const isInside = parts.some((_part, end) => all.has([...top, ...parts.slice(0, end)].join('/')))
  if (isInside) return 3
  if (parts.some((part) => part.startsWith('.'))) return 2
  return parts.length === 0 || parts.slice(0, -1).includes('skills') ? 0 : 1
}
