import { lstatSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Workspace } from '@repertoire/core'
import { realPath } from '../real-path.ts'
import { shown } from '../roots.ts'

/**
 * Checks a host's folder, and finds what of the protected files lies in it. Those outside are not shown to commands, so
 * nothing needs to be done for them.
 * @throws {TypeError} it is not a folder, or something in it cannot be protected
 */
export function openWorkspace(workspace: Workspace, git: 'read' | 'write'): Workspace {
  const { path, access = 'read', protect = [], hide = [] } = workspace
  const named = resolve(path)
  const real = realPath(named)
  if (statSync(real, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new TypeError(`openBashTool: \`workspace.path\`, ${JSON.stringify(path)}, is not a folder.`)
  const find = (paths: readonly string[], option: 'protect' | 'hide'): readonly string[] =>
    paths.flatMap((each) => placesInside(each, named, real, option))
  const hidden = new Set(find(hide, 'hide'))
  const kept = new Set([...find(protect, 'protect'), ...(git === 'read' ? [asPlace(real, '.git', true)] : [])])
  return {
    path: real,
    access,
    protect: access === 'read' ? [] : [...kept].filter((each) => !hidden.has(each)),
    hide: [...hidden],
  }
}

/** Where a protected path lies in the folder: as it is written, and where its links lead. */
function placesInside(path: string, named: string, real: string, option: 'protect' | 'hide'): readonly string[] {
  if (path.includes('\0'))
    throw new TypeError(`openBashTool: ${JSON.stringify(path)} in \`workspace.${option}\` is not a path.`)
  const whole = resolve(named, path)
  if (inside(whole, named) !== undefined || inside(realPath(whole), real) !== undefined) {
    const remedy = option === 'protect' ? "Give it with `access: 'read'`." : 'Give another workspace.'
    throw new TypeError(
      `openBashTool: ${shown(path)} in \`workspace.${option}\` is the workspace, or a folder above it. ${remedy}`,
    )
  }
  const places = [whole, realPath(whole)].flatMap((each) => inside(named, each) ?? inside(real, each) ?? [])
  return places.map((each) => asPlace(real, each, /[/\\]$/.test(path)))
}

/** A path in the folder, with `/` at its end if it is a folder. */
function asPlace(real: string, path: string, isNamedAsFolder: boolean): string {
  const stats = lstatSync(join(real, path), { throwIfNoEntry: false })
  return `${path.split(sep).join('/')}${(stats?.isDirectory() ?? isNamedAsFolder) ? '/' : ''}`
}

/** The path from a folder on; undefined: it is not inside. */
function inside(folder: string, path: string): string | undefined {
  const rest = relative(folder, path)
  return isAbsolute(rest) || rest === '..' || rest.startsWith(`..${sep}`) ? undefined : rest
}
