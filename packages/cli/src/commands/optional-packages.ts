import { createRequire } from 'node:module'

/** Packages that some commands need and that are not installed with this one, since they are large. */
const PURPOSES = {
  'just-bash': 'The virtual shell, which runs scripts in memory, needs it.',
  '@modelcontextprotocol/server': 'Serving skills over MCP needs it.',
  '@modelcontextprotocol/client': 'Reading skills from an MCP server needs it.',
} as const

type OptionalPackage = keyof typeof PURPOSES

/** Tells whether an optional package is installed. */
export function isInstalled(name: OptionalPackage): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch (error) {
    // A package without an entry for `require` is there, too.
    return (error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND'
  }
}

/** Says which package is missing, what needs it, and how it is installed beside this one. */
export function missingText(name: OptionalPackage): string {
  return `The package "${name}" is not installed. ${PURPOSES[name]} Run: npm install ${name} (or npx -p repertoire -p ${name} repertoire …)`
}

/** The optional package that could not be imported, if that is the cause of an error. */
export function missingPackage(error: unknown): OptionalPackage | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const [, name = ''] = /^Cannot find package '([^']+)'/.exec(each.message) ?? []
    if (Object.hasOwn(PURPOSES, name)) return name as OptionalPackage
  }
  return undefined
}
