// Lets the examples depend on the version that the packages have now: node scripts/release/raise-examples.ts
// changesets raises packages of the workspace only, and examples are none: they install what is published.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Raises the examples in a repository. Returns the range that they then name. */
export function raiseExamples(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as { version: string }
  const range = `^${version}`
  for (const file of globSync('examples/*/package.json', { cwd: root })) {
    const path = join(root, file)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll(/("(?:@repertoire\/[\w-]+|repertoire)": )"[^"]+"/g, `$1"${range}"`))
  }
  return range
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`The examples name ${raiseExamples(process.cwd())}\n`)
