import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'

/** Folders with copies, as URLs that end with `/`. They stay: what was imported may import more at any time. */
const folders = new Set<string>()
let isHooked = false

/**
 * Has modules in the folders of a folder import what is in their own folder, and what Node brings. Node itself looks for a
 * package in every folder above the module that imports it, up to the root: in `/tmp`, any user of the machine could put
 * one there.
 * @param parent a real path
 * @throws {TypeError} this Node has nothing that could see to it
 */
export function keepToOwnModules(parent: string): void {
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

/** A `data:` address is text that nobody agreed to, and it may import any file. */
function isNodesOwn(url: string): boolean {
  return url.startsWith('node:') || nodeModule.isBuiltin(url)
}
