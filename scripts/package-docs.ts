// Copies the pages about a package into its folder `docs`, before it is packed: coding agents read node_modules. Links
// within these pages stay, and all others lead to the repository. `prepack` of every package runs this in its folder.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { packageDocs } from './site/package-docs.ts'

const folder = process.cwd()
const docs = join(folder, 'docs')
rmSync(docs, { recursive: true, force: true })
mkdirSync(docs)
for (const [name, text] of packageDocs(basename(folder))) {
  writeFileSync(join(docs, name), text)
}
