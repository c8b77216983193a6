import { lstatSync, realpathSync, statSync } from 'node:fs'
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
  const [named, real] = readFolder(path)
  const hidden = [...new Set(hide.flatMap((each) => placesInside(each, named, real, 'hide')))]
  if (access === 'read') return { path: real, access, protect: [], hide: hidden }
  const found = protect.flatMap((each) => placesInside(each, named, real, 'protect'))
  const kept = new Set([...found, ...(git === 'read' ? [gitFolder(real)] : [])])
  return { path: real, access, protect: [...kept].filter((each) => !hidden.includes(each)), hide: hidden }
}

function readFolder(path: string): readonly [named: string, real: string] {
  try {
    const named = resolve(path)
    const real = realpathSync.native(named)
    if (statSync(real).isDirectory()) return [named, real]
  } catch {
    // Not there, or not a path.
  }
  throw new TypeError(`openBashTool: \`workspace.path\`, ${JSON.stringify(path)}, is not a folder.`)
}

/** Where a protected path lies in the folder: as it is written, and where its links lead. */
function placesInside(path: string, named: string, real: string, option: 'protect' | 'hide'): readonly string[] {
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new TypeError(`openBashTool: ${JSON.stringify(path)} in \`workspace.${option}\` is not a path.`)
  const whole = resolve(named, path)
  const places = [whole, realPath(whole)].flatMap((each) => inside(named, each) ?? inside(real, each) ?? [])
  if (places.length === 0) {
    if (inside(whole, named) !== undefined || inside(realPath(whole), real) !== undefined) refuseWhole(path, option)
    return []
  }
  if (places.includes('')) refuseWhole(path, option)
  return [...new Set(places)].map((each) => checked(real, each, /[/\\]$/.test(path)))
}

function refuseWhole(path: string, option: 'protect' | 'hide'): never {
  const remedy = option === 'protect' ? "Give it with `access: 'read'`." : 'Give another workspace.'
  throw new TypeError(
    `openBashTool: ${shown(path)} in \`workspace.${option}\` is the workspace, or a folder above it. ${remedy}`,
  )
}

/** One protected path, with `/` at its end if it is a folder. */
function checked(real: string, path: string, isNamedAsFolder: boolean): string {
  const whole = join(real, path)
  const stats = lstatSync(whole, { throwIfNoEntry: false })
  if (stats?.isFile() === true && stats.nlink > 1) {
    throw new TypeError(
      `openBashTool: ${shown(whole)} has a second name (a hard link), by which commands could change it. Give it a copy of its own.`,
    )
  }
  const isFolder = stats === undefined ? isNamedAsFolder : stats.isDirectory()
  return `${path.split(sep).join('/')}${isFolder ? '/' : ''}`
}

/** Git's folder, or the file that points to it in a linked working tree. */
function gitFolder(real: string): string {
  const stats = lstatSync(join(real, '.git'), { throwIfNoEntry: false })
  return stats === undefined || stats.isDirectory() ? '.git/' : '.git'
}

/** The path from a folder on; undefined: it is not inside. */
function inside(folder: string, path: string): string | undefined {
  const rest = relative(folder, path)
  return isAbsolute(rest) || rest === '..' || rest.startsWith(`..${sep}`) ? undefined : rest
}
