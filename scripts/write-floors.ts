// Writes the table of floors into docs/architecture.md and CONTRIBUTING.md: node scripts/write-floors.ts [--check]
//
// `--check` writes nothing, and fails where a document is out of date.
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { renderFloors } from './floor-table.ts'
import { floors, sideways } from './floors.ts'
import { publishSections } from './generated-section.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const content = renderFloors({ floors, sideways })
const isUpToDate = publishSections(
  ['docs/architecture.md', 'CONTRIBUTING.md'].map((file) => ({ file, content })),
  {
    root: fileURLToPath(new URL('..', import.meta.url)),
    name: 'floors',
    command: 'npm run floors',
    isCheck: values.check,
  },
)
process.exitCode = isUpToDate ? 0 : 1
