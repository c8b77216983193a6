import { readFileSync } from 'node:fs'

/** Returns the version of a package that is installed here, so that a column says what was judged. */
export function versionOf(name: string): string {
  const manifest = readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}
