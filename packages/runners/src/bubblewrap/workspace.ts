import { lstatSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { SkillError } from '@repertoire/core'
import { foldersOf } from '../job.ts'

/** The folder with the user's files, which scripts see as `/workspace`. */
export interface Workspace {
  /** A folder of the host's. */
  readonly path: string
  /** What scripts may do there. Default `read`. */
  readonly access?: 'read' | 'write'
  /**
   * With `write`: what stays as it is, also what is not there yet. Paths inside the folder; one that ends with `/` is a
   * folder. None of them may be a link, or lead through one.
   */
  readonly protect?: readonly string[]
}

/** A protected path, without the `/` at its end. */
export interface ProtectedPath {
  readonly path: string
  readonly isFolder: boolean
}

/**
 * The workspace with its real path.
 * @throws {TypeError} for paths that are not inside the folder
 * @throws {SkillError} SCRIPT_NOT_STARTED: it is not a folder
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
  if (path === '/') throw new TypeError('The workspace is "/": name the folder with the files that scripts need.')
  return { ...workspace, path }
}

export function protectedPaths({ access = 'read', protect = [] }: Workspace): readonly ProtectedPath[] {
  if (access === 'read') return []
  return protect.map((given) => {
    const path = given.replace(/\/+$/, '')
    if (path === '' || path.includes('\0') || path.split('/').some((part) => ['', '.', '..'].includes(part)))
      throw new TypeError(`"${given}" in "protect" is not a path inside the workspace.`)
    return { path, isFolder: given.endsWith('/') }
  })
}

/** The arguments of bubblewrap that show the workspace. Every protected path is there by now. */
export function workspaceArguments(workspace: Workspace, at: string): readonly string[] {
  const { path: root, access = 'read' } = workspace
  if (access === 'read') return ['--ro-bind', root, at]
  const paths = protectedPaths(workspace).map(({ path }) => path)
  // What a mount stands on can be neither renamed nor removed, but the folders above it can: so each becomes a mount.
  const folders = [...new Set(paths.flatMap(foldersOf))].filter((folder) => !paths.includes(folder))
  const mounts = [
    ...folders.map((path) => ({ path, option: '--bind' })),
    ...paths.map((path) => ({ path, option: '--ro-bind' })),
  ].toSorted((one, other) => one.path.split('/').length - other.path.split('/').length)
  const isProtected = (path: string): boolean => foldersOf(path).some((folder) => paths.includes(folder))
  // A folder that is protected holds its own protected paths already, and takes no mount points.
  const inner = mounts.filter(({ path }) => !isProtected(path))
  return ['--bind', root, at, ...inner.flatMap(({ path, option }) => [option, join(root, path), join(at, path)])]
}

/**
 * Refuses protected paths that lead through a link: what it stands for could be exchanged.
 * @throws {SkillError} SCRIPT_NOT_STARTED
 */
export function refuseLinks(workspace: Workspace): void {
  for (const { path } of protectedPaths(workspace)) {
    for (const part of [...foldersOf(path), path]) {
      if (lstatSync(join(workspace.path, part), { throwIfNoEntry: false })?.isSymbolicLink() === true)
        throw new SkillError(
          'SCRIPT_NOT_STARTED',
          `"${part}" in the workspace is a link, and cannot be protected. Protect what it leads to, by its own path.`,
        )
    }
  }
}
