// Writes the public API of every entry of every package into docs/api: node scripts/api.ts [--check]
//
// It is read from the built declarations, so build first. `--check` writes nothing, and fails where a file is out of date.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { apiDifference } from './api/difference.ts'
import { apiSnapshots } from './api/snapshot.ts'

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly publishConfig?: { readonly exports?: Readonly<Record<string, string | { readonly types?: string }>> }
}

const FOLDER = 'docs/api'
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const snapshots = new Map(
  globSync('packages/*/package.json')
    .toSorted()
    .flatMap((file) => [...snapshotsOf(file)]),
)
const files = [...new Set([...snapshots.keys(), ...globSync(`${FOLDER}/**/*.d.ts`)])].toSorted()
const outdated = files.flatMap((file) => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const difference = apiDifference(before, snapshots.get(file) ?? '')
  return difference.length === 0 && before === (snapshots.get(file) ?? '') ? [] : [{ file, difference }]
})

for (const { file, difference } of outdated) {
  process.stdout.write(`${[file, ...difference].join('\n  ')}\n`)
  if (!values.check) write(file)
}
process.stdout.write(
  values.check && outdated.length > 0
    ? `The public API is not what ${FOLDER} shows. If that is meant, run "npm run api" and commit what it writes.\n`
    : `${snapshots.size} entries, ${outdated.length} of them changed.\n`,
)
process.exitCode = values.check && outdated.length > 0 ? 1 : 0

/** The snapshots of what a package publishes, by the files where they are kept. */
function snapshotsOf(packageFile: string): ReadonlyMap<string, string> {
  const { name, private: hidden, publishConfig } = JSON.parse(readFileSync(packageFile, 'utf8')) as PackageJson
  if (hidden) return new Map()
  const folder = dirname(packageFile)
  const paths = new Map<string, string>()
  const entries = new Map<string, string>()
  for (const [path, target] of Object.entries(publishConfig?.exports ?? {})) {
    if (typeof target === 'string' || target.types === undefined) continue
    const entry = path.replace('.', name)
    entries.set(entry, join(folder, target.types))
    paths.set(entry, join(FOLDER, folder.split('/').at(-1)!, `${path.slice(2) || 'index'}.d.ts`))
  }
  return new Map([...apiSnapshots(entries, readText)].map(([entry, text]) => [paths.get(entry)!, text]))
}

function readText(file: string): string {
  return readFileSync(file, 'utf8')
}

function write(file: string): void {
  const text = snapshots.get(file)
  if (text === undefined) return rmSync(file)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
