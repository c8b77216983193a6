import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import * as nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { text, checkOptions } from '@repertoire/skill-md/internal'
import type { MountFile } from '../../ports/mount.ts'
import type { ToolsetLoader, ToolsetRequest } from '../../ports/toolset.ts'
import { quoted } from '../../resources/path.ts'

/** Options of `moduleToolsets`. */
export interface ModuleToolsetsOptions {
  /** The folder in which the private copies are made. Default: that of the system for temporary files. */
  readonly root?: string | undefined
}

/**
 * Loads modules of skills by importing them, from a private copy of the skill's folder that only this user can read.
 * The copy is named by the folder's digest, since a module is imported once for a path: a skill that has changed is
 * imported anew. It has the files that were consented to and no others, and its modules import these and what Node
 * brings: no package is found, wherever it is.
 *
 * What is imported runs in this process, with all its rights. `close` removes the copies.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function moduleToolsets(options: ModuleToolsetsOptions = {}): ToolsetLoader & {
  close(): Promise<void>
} {
  checkOptions<ModuleToolsetsOptions>('moduleToolsets', { root: text }, options)
  const { root = tmpdir() } = options
  let folder: Promise<string> | undefined
  const copies = new Map<string, Promise<string>>()

  async function copyOf({ digest, files }: ToolsetRequest): Promise<string> {
    // Equal digests are equal files: two skills with one share a copy.
    const name = digest.replace(/[^0-9A-Za-z]/g, '_')
    const known = copies.get(name)
    if (known !== undefined) return known
    folder ??= makeFolder(root)
    const made = folder.then((parent) => write(join(parent, name), files))
    copies.set(name, made)
    // The next one tries again.
    made.catch(() => copies.delete(name))
    return made
  }

  return {
    async load(request) {
      const path = modulePath(request)
      const copy = await copyOf(request)
      const module = (await import(
        /* webpackIgnore: true */ pathToFileURL(join(copy, ...path.split('/'))).href
      )) as Record<string, unknown>
      if (Object.hasOwn(module, request.export)) return module[request.export]
      const names = Object.keys(module).slice(0, 20).map(quoted).join(', ')
      throw new TypeError(`${quoted(path)} has no export ${quoted(request.export)}. It exports ${names || 'nothing'}.`)
    },
    async close() {
      const made = folder
      folder = undefined
      copies.clear()
      if (made !== undefined) await remove(await made)
    },
  }
}

/** Endings of modules, in the order in which they are named. */
const ENDINGS = ['.js', '.mjs', '.ts', '.mts'] as const

/** Whether this Node runs TypeScript, by leaving the types out. */
const runsTypeScript = Boolean((process.features as { readonly typescript?: unknown }).typescript)

/** A folder for copies, whose modules import nothing from above it. */
async function makeFolder(root: string): Promise<string> {
  const folder = await realpath(await mkdtemp(join(root, 'skill-toolsets-')))
  keepToOwnModules(folder)
  return folder
}

/** @throws {TypeError} there is no such module, or more than one */
function modulePath({ module, files }: ToolsetRequest): string {
  const found = ENDINGS.map((ending) => module + ending).filter((path) => files.some((file) => file.path === path))
  const [path, other] = found
  if (path === undefined) {
    throw new TypeError(`There is no ${quoted(module)} with the ending ${ENDINGS.join(', ')} in the skill's folder.`)
  }
  if (other !== undefined) {
    throw new TypeError(`There are both ${quoted(path)} and ${quoted(other)}, and which one is meant is not certain.`)
  }
  if (/\.m?ts$/.test(path) && !runsTypeScript) {
    throw new TypeError(`${quoted(path)} is TypeScript, which this version of Node does not run.`)
  }
  return path
}

async function write(copy: string, files: readonly MountFile[]): Promise<string> {
  await mkdir(copy, { mode: 0o700 })
  for (const { path, read } of files) {
    const to = join(copy, ...path.split('/'))
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await writeFile(to, await read(), { flag: 'wx', mode: 0o400 })
  }
  return copy
}

async function remove(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  await rm(folder, { recursive: true, force: true })
}

/** Folders with copies, as URLs that end with `/`. They stay: what was imported may import more at any time. */
const folders = new Set<string>()
let isHooked = false

/**
 * Has modules in the folders of a folder import what is in their own folder, and what Node brings. Node itself looks
 * for a package in every folder above the module that imports it, up to the root: in `/tmp`, any user of the machine
 * could put one there.
 * @param parent a real path
 * @throws {TypeError} this Node has nothing that could see to it
 */
function keepToOwnModules(parent: string): void {
  // Missing before Node 22.15.
  if (typeof nodeModule.registerHooks !== 'function') {
    throw new TypeError(
      'This version of Node imports packages from any folder above a module. Use Node 22.15 or later for toolsets.',
    )
  }
  folders.add(`${pathToFileURL(parent).href}/`)
  if (isHooked) return
  isHooked = true
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const own = ownFolder(context.parentURL)
      const resolved = next(specifier, context)
      if (own === undefined || resolved.url.startsWith(own) || isNodesOwn(resolved.url)) return resolved
      throw new TypeError(
        `A toolset imports ${JSON.stringify(specifier)}, which is not a file of its skill. Put what it needs into the skill's folder.`,
      )
    },
  })
}

/** The folder of a module, if it is in a copy. */
function ownFolder(url: string | undefined): string | undefined {
  if (url === undefined) return undefined
  for (const folder of folders) {
    if (url.startsWith(folder)) return url.slice(0, url.indexOf('/', folder.length) + 1)
  }
  return undefined
}

/** A `data:` address is text without consent, and it may import any file. */
function isNodesOwn(url: string): boolean {
  return url.startsWith('node:') || nodeModule.isBuiltin(url)
}
