import { lstatSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SkillError, type Workspace } from '@repertoire/core'
import { listOf, oneOf, type OptionTable, required, text, withDefault } from '@repertoire/core/options'
import { foldersOf } from '../job.ts'

/** The options of a workspace. */
export const WORKSPACE_OPTIONS: OptionTable<Workspace> = {
  path: required(text),
  access: withDefault('read', oneOf('read', 'write')),
  protect: listOf(text, 'a list of paths'),
  hide: listOf(text, 'a list of paths'),
}

/** A protected path, without the `/` at its end. */
export interface ProtectedPath {
  readonly path: string
  readonly isFolder: boolean
  readonly isHidden: boolean
}

/** Where the staging script puts placeholders for hidden files. No one can open them. */
export const HIDDEN = { file: '/sys/hidden-file', folder: '/sys/hidden-folder' }

/**
 * The workspace with its real path.
 * @throws {TypeError} for paths that are not inside the folder
 * @throws {SkillError} SCRIPT_NOT_STARTED: it is not a folder, or it is `/`
 */
export function openWorkspace(workspace: Workspace): Workspace {
  protectedPaths(workspace)
  let path: string
  try {
    path = realpathSync(workspace.path)
    if (!statSync(path).isDirectory()) throw new Error('it is not a folder')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SkillError('SCRIPT_NOT_STARTED', `The workspace "${workspace.path}" cannot be used: ${reason}.`, {
      cause,
    })
  }
  if (path === '/') refuse('The workspace is "/": name the folder with the files that scripts need.')
  return { ...workspace, path }
}

/** What is protected or hidden, and has to be there while scripts run. Only what is writable can be prepared. */
export function protectedPaths({ access = 'read', protect = [], hide = [] }: Workspace): readonly ProtectedPath[] {
  const hidden = hide.map((path) => readPath(path, 'hide'))
  if (access === 'read') return hidden
  return [...protect.map((path) => readPath(path, 'protect')), ...hidden]
}

function readPath(given: string, option: 'protect' | 'hide'): ProtectedPath {
  const path = given.replace(/\/+$/, '')
  if (path === '' || path.includes('\0') || path.split('/').some((part) => ['', '.', '..'].includes(part)))
    throw new TypeError(`"${given}" in "${option}" is not a path inside the workspace.`)
  return { path, isFolder: given.endsWith('/'), isHidden: option === 'hide' }
}

/** The arguments of bubblewrap that show the workspace. With `write`, every protected path is there by now. */
export function workspaceArguments(workspace: Workspace, at: string): readonly string[] {
  const { path: root, access = 'read' } = workspace
  const paths = protectedPaths(workspace)
  const hidden = new Set(paths.flatMap(({ path, isHidden }) => (isHidden ? [path] : [])))
  const kept = [...new Set(paths.map(({ path }) => path))]
  // What a mount stands on can be neither renamed nor removed, but the folders above it can: so each becomes a mount.
  const folders = access === 'read' ? [] : [...new Set(kept.flatMap(foldersOf))].filter((path) => !kept.includes(path))
  const mounts = [
    ...folders.map((path) => ({ path, option: '--bind', source: join(root, path) })),
    ...kept.map((path) => ({
      path,
      option: '--ro-bind',
      source: hidden.has(path) ? standIn(root, path) : join(root, path),
    })),
  ]
    .toSorted((one, other) => one.path.split('/').length - other.path.split('/').length)
    // A folder that is protected holds its own protected paths already, and one that is hidden shows nothing.
    .filter(
      ({ path }) =>
        !foldersOf(path).some((folder) => hidden.has(folder) || (kept.includes(folder) && !hidden.has(path))),
    )
    .filter(({ source }) => source !== undefined)
  return [
    access === 'read' ? '--ro-bind' : '--bind',
    root,
    at,
    ...mounts.flatMap(({ path, option, source = '' }) => [option, source, join(at, path)]),
  ]
}

/** Everything that is hidden and there, by its own path on the host, with what is mounted in its place. */
export function hiddenPlaces(workspace: Workspace): readonly { readonly path: string; readonly standIn: string }[] {
  return protectedPaths(workspace).flatMap(({ path, isHidden }) => {
    const mounted = isHidden ? standIn(workspace.path, path) : undefined
    return mounted === undefined ? [] : [{ path: join(workspace.path, path), standIn: mounted }]
  })
}

/** What is mounted in the place of something hidden; undefined: nothing is there. */
function standIn(root: string, path: string): string | undefined {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return stats.isDirectory() ? HIDDEN.folder : HIDDEN.file
}

/**
 * Refuses protected paths that lead through a link, since what it stands for could be exchanged, and protected and
 * hidden files that can be reached by another name.
 * @throws {SkillError} SCRIPT_NOT_STARTED
 */
export function refuseLinks(workspace: Workspace): void {
  for (const { path, isHidden } of protectedPaths(workspace)) {
    for (const part of [...foldersOf(path), path]) {
      const stats = lstatSync(join(workspace.path, part), { throwIfNoEntry: false })
      if (stats?.isSymbolicLink() === true)
        refuse(
          `"${part}" in the workspace is a link, and cannot be protected. Protect what it leads to, by its own path.`,
        )
      if (part === path && stats?.isFile() === true && stats.nlink > 1)
        refuse(
          `"${path}" in the workspace has a second name (a hard link), and cannot be ${isHidden ? 'hidden' : 'protected'}. Give it a copy of its own.`,
        )
    }
  }
}

function refuse(reason: string): never {
  throw new SkillError('SCRIPT_NOT_STARTED', reason)
}
