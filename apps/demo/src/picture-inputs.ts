import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The project's folder. */
export const ROOT = join(import.meta.dirname, '../../..')

/** Where the pictures of the documents are. */
export const PICTURES_FOLDER = join(ROOT, 'docs/pictures')

/** What the pictures were made from. */
export const INPUTS_FILE = join(PICTURES_FOLDER, 'inputs.json')

const INPUTS = {
  inspector: 'apps/inspector/{build.ts,src/**}',
  demo: 'apps/demo/src/**',
  skills: 'packages/conformance/fixtures/skills/**',
} as const

/** A digest of the sources that decide what the pictures show. It is the same on every machine. */
export function inputDigests(): Readonly<Record<keyof typeof INPUTS, string>> {
  return { inspector: digestOf(INPUTS.inspector), demo: digestOf(INPUTS.demo), skills: digestOf(INPUTS.skills) }
}

function digestOf(pattern: string): string {
  const hash = createHash('sha256')
  const files = globSync(pattern, { cwd: ROOT })
    .filter((file) => statSync(join(ROOT, file)).isFile())
    .map((file) => file.replaceAll(sep, '/'))
    .toSorted()
  for (const file of files) hash.update(`${file}\n${readFileSync(join(ROOT, file), 'utf8').replaceAll('\r\n', '\n')}\n`)
  return hash.digest('hex')
}
