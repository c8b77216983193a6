import { globSync, readFileSync } from 'node:fs'

// Nobody who clones this has more than the documents in it: an id that a title cites must be explained there.
const documents = ['docs/requirements.md', 'docs/security.md'].map((file) => readFileSync(file, 'utf8')).join('\n')
const rows = [...documents.matchAll(/^\| ([A-Z]+-\d+[^|]*) \|/gm)].flatMap(([, cell = '']) => expand(cell))
const abuses = Array.from(documents.matchAll(/^\| (\d+) +\|/gm), ([, number]) => `ABUSE-${number}`)
const explained = new Set([...rows, ...abuses])
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

for (const [id, file] of unexplained)
  process.stdout.write(`${id} has no row in docs/requirements.md or docs/security.md (cited in ${file})\n`)
for (const id of repeated) process.stdout.write(`${id} has several rows, and one may say what the other does not\n`)
process.stdout.write(`${cited} citations in ${files.length} files, ${explained.size} ids explained\n`)
process.exitCode = unexplained.size > 0 || repeated.size > 0 || cited === 0 ? 1 : 0

/** The ids of a cell: `CAT-3, CAT-4`, or a range such as `ACT-9 – ACT-14`. */
function expand(cell: string): string[] {
  const ids = cell.match(/[A-Z]+-\d+/g) ?? []
  const [first, last] = ids
  if (!cell.includes('–') || first === undefined || last === undefined) return ids
  const [family = '', from = ''] = first.split('-')
  return Array.from(
    { length: Number(last.split('-')[1]) - Number(from) + 1 },
    (_, n) => `${family}-${Number(from) + n}`,
  )
}
