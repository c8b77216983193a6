import { readFileSync, realpathSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** How a function inside a command line program is reached. */
export interface Unexported {
  readonly package: string
  /** The program's file, relative to the package's folder. */
  readonly file: string
  /** The call at the end of the file that runs the program. It is left out. */
  readonly start: RegExp
  /** The function. */
  readonly name: string
}

/**
 * Imports a function that a command line program does not export: its own file as published, with the call that starts
 * the program replaced by the export of the function.
 * @throws {Error} if the file does not look as expected
 */
export async function importUnexported(from: Unexported): Promise<(...args: readonly unknown[]) => unknown> {
  const folder = packageFolder(from.package)
  const url = pathToFileURL(join(folder, from.file)).href
  const text = readFileSync(join(folder, from.file), 'utf8').replace(/^#!.*/, '')
  if (!from.start.test(text) || !new RegExp(`function ${from.name}\\(`).test(text)) {
    throw new Error(`${from.package} no longer holds "${from.name}" where it was: ${from.file}`)
  }
  const source = text.replace(from.start, `export { ${from.name} };`)
  const hooks = registerHooks({
    load: (wanted, context, next) =>
      wanted === url ? { format: 'module', source, shortCircuit: true } : next(wanted, context),
  })
  try {
    const loaded = (await import(url)) as Record<string, (...args: readonly unknown[]) => unknown>
    const found = loaded[from.name]
    if (found === undefined) throw new Error(`${from.package} does not export "${from.name}".`)
    return found
  } finally {
    hooks.deregister()
  }
}

// Not every package lets its package.json be resolved; the folder is looked up as Node does it.
function packageFolder(name: string): string {
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? []
  for (const folder of paths) {
    try {
      // Node loads modules by their real paths.
      return realpathSync(join(folder, name))
    } catch {
      // The next one up.
    }
  }
  throw new Error(`The package ${name} is not installed below ${dirname(import.meta.url)}.`)
}
