// Writes the harmless options of programs into docs/programs.md: node scripts/write-programs.ts [--check]
//
// `--check` writes nothing, and fails if the page is out of date.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { HARMLESS_PROGRAMS } from '@repertoire/gate/internal'
import { publishSections } from './generated-section.ts'
import { renderPrograms } from './programs-table.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const isUpToDate = publishSections([{ file: 'docs/programs.md', content: renderPrograms(HARMLESS_PROGRAMS) }], {
  root: fileURLToPath(new URL('..', import.meta.url)),
  name: 'programs',
  command: 'npm run programs',
  isCheck: values.check,
})
process.exitCode = isUpToDate ? 0 : 1
