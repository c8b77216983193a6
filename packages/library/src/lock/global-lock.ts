import { anyText, checkOptions, foreign, listOf, required, text as textKind } from '@repertoire/core/options'
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { isSkillError, SkillError, type SkillFolder } from '@repertoire/core'
import { OpenError, openPinnedFolder, skillFolder } from '@repertoire/core/node'
import { readFileIn, withFolder } from '../open-folder.ts'
import { readKeyLines } from './json-lines.ts'
import { nameProblem } from './skills-lock.ts'
import { folderNameOf, lockedName } from './folder-name.ts'

/** A skill in the lock that other commands keep for a user. */
export interface GlobalLockEntry {
  readonly source: string
  readonly sourceType?: string
  readonly ref?: string
  /** The git tree of its folder, 40 hex digits; or another hash whose algorithm is unknown. */
  readonly skillFolderHash?: string
  /** The name of its folder. */
  readonly folder: string
}

/** The lock that the `skills` command and `gh skill` keep for a user. It is read here, and never written. */
export interface GlobalLock {
  readonly path: string
  /** By name, in code-unit order. Empty: there is no such file. */
  readonly skills: ReadonlyMap<string, GlobalLockEntry>
}

/**
 * What is known of a skill of that lock. `unchanged`, `changed`: by the git tree that the lock has of it. `missing`: its folder
 * is not there. `unknown`: the lock has nothing that can be compared.
 */
export interface GlobalSkill {
  readonly name: string
  readonly source: string
  readonly state: 'unchanged' | 'changed' | 'missing' | 'unknown'
}

const VERSION = 3
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** The largest lock that is read. */
const MAX_LOCK_BYTES = 16 * 1024 * 1024

/**
 * Reads the lock of other commands: `skills/.skill-lock.json` in the folder for states, or `~/.agents/.skill-lock.json`.
 * @param options.home the user's folder
 * @param options.state what `XDG_STATE_HOME` names
 * @throws {SkillError} LOCK_INVALID: it is torn, or of another version than 3
 */
export async function readGlobalLock(options: { readonly home: string; readonly state?: string }): Promise<GlobalLock> {
  checkOptions<typeof options>('readGlobalLock', { home: required(textKind), state: anyText }, options)
  const { home, state } = options
  const paths = [
    ...(state === undefined || state === '' ? [] : [join(state, 'skills/.skill-lock.json')]),
    join(home, '.agents/.skill-lock.json'),
  ]
  for (const path of paths) {
    const text = textOf(path)
    if (text !== undefined) return { path, skills: parse(text, path) }
  }
  return { path: paths.at(-1)!, skills: new Map() }
}

/** Compares the skills of a folder with that lock, as far as it says anything. Reads, and changes nothing. */
export async function verifyGlobalSkills(options: {
  readonly lock: GlobalLock
  readonly folder: string
  /** The names of the skills. One that the lock does not have is left out. Default: all of the lock. */
  readonly skills?: readonly string[]
}): Promise<readonly GlobalSkill[]> {
  checkOptions<typeof options>(
    'verifyGlobalSkills',
    {
      lock: required(
        foreign('a lock, as from `readGlobalLock`', (value) => (value as GlobalLock | null)?.skills instanceof Map),
      ),
      folder: required(textKind),
      skills: listOf(anyText, 'a list of skill names'),
    },
    options,
  )
  const { lock, folder, skills: asked } = options
  const meant = new Set((asked ?? [...lock.skills.keys()]).map((name) => lockedName(lock.skills.keys(), name)))
  const skills: GlobalSkill[] = []
  for (const [name, entry] of lock.skills) {
    if (!meant.has(name)) continue
    const state = await stateOf(join(folder, entry.folder), entry.skillFolderHash)
    skills.push({ name, source: entry.source, state })
  }
  return skills
}

async function stateOf(path: string, hash: string | undefined): Promise<GlobalSkill['state']> {
  try {
    const found = skillFolder(path)
    if (hash === undefined || !/^[\da-f]{40}$/.test(hash)) return 'unknown'
    return (await gitTree(found)) === hash ? 'unchanged' : 'changed'
  } catch (error) {
    if (!isSkillError(error)) throw error
    return error.code === 'RESOURCE_NOT_FOUND' ? 'missing' : 'changed'
  }
}

/** The object id that git gives to a folder with these files. */
async function gitTree(folder: SkillFolder): Promise<string> {
  const { files, withheld } = await folder.list()
  const root: Tree = new Map()
  for (const { path, executable } of [...files, ...withheld.files]) {
    const bytes = await folder.read(path, { withheld: true, maxBytes: MAX_FILE_BYTES })
    const parts = path.split('/')
    let tree = root
    for (const part of parts.slice(0, -1)) {
      const below = tree.get(part)
      const next: Tree = below instanceof Map ? below : new Map()
      tree.set(part, next)
      tree = next
    }
    tree.set(parts.at(-1)!, { mode: executable ? '100755' : '100644', id: objectId('blob', bytes) })
  }
  return treeId(root)
}

type Tree = Map<string, Tree | { readonly mode: string; readonly id: string }>

function treeId(tree: Tree): string {
  const entries = [...tree].map(([name, entry]) =>
    entry instanceof Map ? { name, mode: '40000', id: treeId(entry), key: `${name}/` } : { name, ...entry, key: name },
  )
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
  const parts = sorted.flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])
  return objectId('tree', Buffer.concat(parts))
}

function objectId(kind: 'blob' | 'tree', bytes: Uint8Array): string {
  return createHash('sha1').update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex')
}

function textOf(path: string): string | undefined {
  try {
    const parent = openPinnedFolder(dirname(path))
    const bytes = withFolder(parent, () => readFileIn(parent, basename(path), MAX_LOCK_BYTES))
    if (bytes === undefined) throw invalid(path, 1, `it is larger than ${MAX_LOCK_BYTES} bytes`)
    return bytes.toString()
  } catch (error) {
    if (isSkillError(error)) throw error
    if (error instanceof OpenError && error.kind === 'missing') return undefined
    throw invalid(path, 1, 'it cannot be read, or is a link')
  }
}

function parse(text: string, path: string): ReadonlyMap<string, GlobalLockEntry> {
  const read = readKeyLines(text)
  if ('fault' in read) throw invalid(path, read.fault.line, read.fault.reason)
  const { version, skills } = JSON.parse(text) as { readonly version?: unknown; readonly skills?: unknown }
  if (version !== VERSION)
    throw invalid(path, read.lines.get('version') ?? 1, `its version is not ${VERSION}, the one that is known`)
  if (typeof skills !== 'object' || skills === null)
    throw invalid(path, read.lines.get('skills') ?? 1, 'it has no "skills"')
  const entries = Object.entries(skills as Readonly<Record<string, GlobalLockEntry | null>>)
  for (const [name, entry] of entries) {
    const problem = nameProblem(name) ?? (typeof entry?.source === 'string' ? undefined : 'has no "source"')
    if (problem !== undefined)
      throw invalid(path, read.lines.get(`skills\n${name}`) ?? 1, `the skill ${JSON.stringify(name)} ${problem}`)
  }
  const named = (entries as [string, Omit<GlobalLockEntry, 'folder'>][]).map(
    ([name, entry]): [string, GlobalLockEntry] => [name, { ...entry, folder: folderNameOf(name) }],
  )
  return new Map(named.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function invalid(path: string, line: number, reason: string): SkillError {
  const message = `${path} is not used: ${reason} (line ${line}). It belongs to another command.`
  return new SkillError('LOCK_INVALID', message, { path, line })
}
