import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Packages that some commands need and that are not installed with this one, since they are large. */
const PURPOSES = {
  'just-bash': 'The virtual shell, which runs scripts in memory, needs it.',
  '@modelcontextprotocol/server': 'Serving skills over MCP needs it.',
  '@modelcontextprotocol/client': 'Reading skills from an MCP server needs it.',
} as const

export type OptionalPackage = keyof typeof PURPOSES

const HERE = fileURLToPath(import.meta.url)

/** Tells whether an optional package is installed. */
export function isInstalled(name: OptionalPackage): boolean {
  try {
    createRequire(HERE).resolve(name)
    return true
  } catch (error) {
    // A package without an entry for `require` is there, too.
    return (error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND'
  }
}

/** Says which package is missing, what needs it, and the line that installs it. */
export function missingText(name: OptionalPackage, file = HERE): string {
  return `The package "${name}" is not installed. ${PURPOSES[name]} Run: ${installLine(name, file)}`
}

/** The optional package that could not be imported, if that is the cause of an error. */
export function missingPackage(error: unknown): OptionalPackage | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const [, name = ''] = /^Cannot find package '([^']+)'/.exec(each.message) ?? []
    if (Object.hasOwn(PURPOSES, name)) return name as OptionalPackage
  }
  return undefined
}

/** By where this file lies: in npx's cache, in a project, or in the global folder. */
function installLine(name: OptionalPackage, file: string): string {
  if (file.includes(`${sep}_npx${sep}`)) return `npx -p repertoire -p ${name} repertoire …`
  const [root, ...installed] = file.split(`${sep}node_modules${sep}`)
  const isGlobal = installed.length > 0 && !existsSync(join(root!, 'package.json'))
  return `npm i ${isGlobal ? '-g' : '-D'} ${name}`
}
