/** Writes the JSON Schema that is published with the package. Tests say when it is stale. */
import { writeFile } from 'node:fs/promises'
import { frontmatterJsonSchema } from '../src/schema/index.ts'

const file = new URL('../schema/skill-frontmatter.schema.json', import.meta.url)
await writeFile(file, `${JSON.stringify(await frontmatterJsonSchema(), undefined, 2)}\n`)
