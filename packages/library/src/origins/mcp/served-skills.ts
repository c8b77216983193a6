import { callable, type OptionTable, repertoireKind, required, viewerKind } from '@repertoire/core/options'
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { Repertoire, Skill as CatalogSkill, Viewer } from '@repertoire/core'
import type { Skill, SkillReadResult, SkillSource } from '@modelcontextprotocol/server/ext/skills'
import { MAX_REMOTE_BYTES, MAX_REMOTE_FILES } from './remote-skill.ts'

/** A skill that is not served, and why. */
export interface UnservedSkill {
  readonly name: string
  readonly message: string
}

/** Which skills are served, and to whom. */
export interface ServedView {
  readonly repertoire: Repertoire
  /** Whoever the skills are served to. Default: one that sees what no scope and no allowlist hides. */
  readonly viewer?: Viewer
  /** Called with each skill that is visible but not served. Default: skills are left out without a notice. */
  readonly onUnserved?: (skill: UnservedSkill) => void
}

/** The options of what is served. */
export const VIEW_OPTIONS: OptionTable<ServedView> = {
  repertoire: required(repertoireKind),
  viewer: viewerKind,
  onUnserved: callable,
}

/** Entries per page: each needs the digests of all files of its skill. */
const PAGE = 50

interface Entry {
  readonly skill: CatalogSkill
  readonly entry: Skill
  /** By path, as they were listed: `sha256:` and hex digits. */
  readonly digests: ReadonlyMap<string, string>
}

type Unserved = Pick<UnservedSkill, 'message'>

/** What is served of the current catalog, in the terms of the server's library: read anew for each request. */
export function servedSkills(view: ServedView): SkillSource {
  const entries = new WeakMap<CatalogSkill, Promise<Entry | Unserved>>()
  const visible = (): readonly CatalogSkill[] => view.repertoire.catalog.list({ viewer: view.viewer ?? {} })
  const serve = (skill: CatalogSkill): Promise<Entry | Unserved> => {
    const known = entries.get(skill)
    if (known !== undefined) return known
    const serving = toServed(skill)
    entries.set(skill, serving)
    serving.then(
      (served) => 'message' in served && view.onUnserved?.({ name: skill.name, message: served.message }),
      () => entries.delete(skill),
    )
    return serving
  }
  const find = async (name: string): Promise<Entry | undefined> => {
    const skill = visible().find((each) => each.name === name)
    const served = skill && (await serve(skill))
    return served !== undefined && 'entry' in served ? served : undefined
  }
  return {
    async list({ cursor }) {
      const skills = visible()
      const from = cursor === undefined ? 0 : skills.findIndex(({ name }) => name >= cursor)
      const page = from === -1 ? [] : skills.slice(from, from + PAGE)
      const next = from === -1 ? undefined : skills[from + PAGE]
      const served: Skill[] = []
      for (const skill of page) {
        const each = await serve(skill)
        if ('entry' in each) served.push(each.entry)
      }
      return { skills: served, nextCursor: next?.name }
    },
    async get(uri) {
      const { name, path } = partsOf(uri)
      const served = path === 'SKILL.md' ? await find(name) : undefined
      return served?.entry
    },
    async read(uri) {
      const { name, path } = partsOf(uri)
      const served = await find(name)
      const listed = served?.digests.get(path)
      if (served === undefined || listed === undefined) return undefined
      const bytes =
        path === 'SKILL.md'
          ? await served.skill.folder.readManifest()
          : await served.skill.folder.read(path, { maxBytes: MAX_REMOTE_BYTES })
      if (`sha256:${hash('sha256', bytes)}` !== listed) {
        // The next one who asks for the entry gets the one of the file as it is now.
        entries.delete(served.skill)
        throw new Error(`${uri} has changed since it was listed. Get its entry again.`)
      }
      return contentOf(path, bytes)
    },
    async readDirectory(uri) {
      const { name, path } = partsOf(uri)
      const served = await find(name)
      return served && childrenOf(served, path)
    },
    async listResources() {
      const listed: Awaited<ReturnType<NonNullable<SkillSource['listResources']>>>[number][] = []
      for (const skill of visible()) {
        const { name, manifest } = skill
        if (!('entry' in (await serve(skill)))) continue
        const uri = `skill://${name}/SKILL.md`
        listed.push({ uri, name, description: manifest.description, mimeType: 'text/markdown' })
      }
      return listed
    },
  }
}

type Children = Awaited<ReturnType<NonNullable<SkillSource['readDirectory']>>>

/** Returns the direct children of a folder, by the list that clients were given; undefined: no such folder. */
function childrenOf({ entry: { resources } }: Entry, folder: string): Children {
  const depth = folder === '' ? 0 : folder.split('/').length
  const children = new Map<string, NonNullable<Children>['resources'][number]>()
  for (const { uri, size } of resources === 'dynamic' ? [] : resources) {
    const parts = partsOf(uri).path.split('/')
    const name = parts[depth]
    if (name === undefined || parts.slice(0, depth).join('/') !== folder) continue
    // Before the path, a URI has its scheme, an empty part and the skill's name.
    const child = uri.split('/', depth + 4).join('/')
    const isFolder = parts.length > depth + 1
    // The media type by which the extension marks a folder.
    const about = isFolder ? { mimeType: 'inode/directory' } : { size }
    children.set(child, { uri: child, name, ...about })
  }
  if (children.size === 0) return undefined
  return { resources: [...children.values()].toSorted((a, b) => (a.uri < b.uri ? -1 : 1)) }
}

async function toServed(skill: CatalogSkill): Promise<Entry | Unserved> {
  const { name, folder } = skill
  if (folder.onDemand === true) return { message: 'It comes from another server, which serves it itself.' }
  const { files, truncated, refused } = await folder.list()
  if (truncated || refused.length > 0) {
    const [first] = refused
    const found = first === undefined ? 'more files than are listed' : `${first.path}, which is not read`
    return { message: `Its folder has ${found}, and an entry lists every file.` }
  }
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (files.length > MAX_REMOTE_FILES || total > MAX_REMOTE_BYTES) {
    return {
      message: `It has ${files.length} files of ${total} bytes. A client need not load more than ${MAX_REMOTE_FILES} files of ${MAX_REMOTE_BYTES} bytes.`,
    }
  }
  const contents: Record<string, Uint8Array> = Object.create(null) as Record<string, Uint8Array>
  for (const { path } of files) {
    contents[path] =
      path === 'SKILL.md' ? await folder.readManifest() : await folder.read(path, { maxBytes: MAX_REMOTE_BYTES })
  }
  const { skillEntry, SkillCatalogError } = await import('@modelcontextprotocol/server/ext/skills')
  try {
    const entry = await skillEntry(name, contents)
    const listed = entry.resources === 'dynamic' ? [] : entry.resources
    return { skill, entry, digests: new Map(listed.map(({ uri, digest }) => [partsOf(uri).path, digest])) }
  } catch (error) {
    if (!SkillCatalogError.isInstance(error)) throw error
    return { message: `It breaks a rule of the extension: ${error.problems.map(({ message }) => message).join('; ')}` }
  }
}

/** The skill and the path that a URI names; empty where it names none. */
function partsOf(uri: string): { readonly name: string; readonly path: string } {
  try {
    const { protocol, host, pathname, search } = new URL(uri)
    if (protocol !== 'skill:' || search !== '') return { name: '', path: '' }
    return { name: decodeURIComponent(host), path: decodeURIComponent(pathname.slice(1)) }
  } catch {
    return { name: '', path: '' }
  }
}

function contentOf(path: string, bytes: Uint8Array): SkillReadResult {
  if (!isUtf8(bytes)) return { bytes, mimeType: 'application/octet-stream' }
  // With its byte order mark, which is part of the bytes that the digest covers.
  return { text: Buffer.from(bytes).toString(), mimeType: /\.md$/i.test(path) ? 'text/markdown' : 'text/plain' }
}
