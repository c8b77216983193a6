import { globSync, readFileSync } from 'node:fs'

interface Explained {
  readonly requirements: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly attacks: Readonly<Record<string, { readonly attack: string; readonly outcome: string }>>
}

// Nobody who clones this has more than this file: an id that a title cites must be explained there.
const { requirements, attacks }: Explained = JSON.parse(readFileSync('requirements.json', 'utf8'))
const rows = Object.values(requirements).flatMap((family) => Object.keys(family))
const explained = new Set([...rows, ...Object.keys(attacks)])
const repeated = new Set(rows.filter((id, index) => rows.indexOf(id) !== index))

const files = globSync([
  '{packages,apps}/*/{src,test}/**/*.test.ts',
  'scripts/test/*.test.ts',
  'packages/conformance/src/checks/by-hand/*.ts',
  'packages/conformance/src/checks/scenarios/*.ts',
  'packages/runners/src/testing/cases/*.ts',
  'packages/library/src/testing/cases/*.ts',
  'packages/storage/src/testing/*.ts',
])
const unexplained = new Map<string, string>()
let cited = 0
for (const file of files) {
  for (const [, list = ''] of readFileSync(file, 'utf8').matchAll(/[`'"]\[((?:[A-Z]+-\d+)(?:, [A-Z]+-\d+)*)\] /g)) {
    for (const id of list.split(', ')) {
      cited++
      if (!explained.has(id)) unexplained.set(id, file)
    }
  }
}

for (const [id, file] of unexplained) process.stdout.write(`${id} is not in requirements.json (cited in ${file})\n`)
for (const id of repeated) process.stdout.write(`${id} has several rows, and one may say what the other does not\n`)
process.stdout.write(`${cited} citations in ${files.length} files, ${explained.size} ids explained\n`)
process.exitCode = unexplained.size > 0 || repeated.size > 0 || cited === 0 ? 1 : 0
