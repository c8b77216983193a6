/** Writes the JSON Schemas that are published with the package. Tests say when they are stale. */
import { writeFile } from 'node:fs/promises'
import { configurationJsonSchema } from '../src/node/configuration/schema.ts'
import { frontmatterJsonSchema } from '../src/schema/index.ts'

const schemas = {
  'skill-frontmatter': await frontmatterJsonSchema(),
  configuration: configurationJsonSchema(),
}
for (const [name, schema] of Object.entries(schemas)) {
  const file = new URL(`../schema/${name}.schema.json`, import.meta.url)
  await writeFile(file, `${JSON.stringify(schema, undefined, 2)}\n`)
}
