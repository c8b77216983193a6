// Prints, as Markdown, how the skills below a folder load under each profile: node scripts/real-skills.ts FOLDER
import { openRepertoire, type Diagnostic, type Profile } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { resolve } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new TypeError('Name the folder: npm run real-skills -- FOLDER')
const root = resolve(process.env['INIT_CWD'] ?? '.', folder)
const profiles: readonly Profile[] = ['strict', 'default', 'lenient']

interface Outcome {
  readonly loaded: number
  readonly refused: number
  /** Files with a diagnostic of that code and severity. */
  readonly files: ReadonlyMap<string, number>
}

const outcomes = await Promise.all(profiles.map(outcomeUnder))
const codes = [...new Set(outcomes.flatMap(({ files }) => [...files.keys()]))].toSorted()
const row = (name: string, cell: (outcome: Outcome) => number): string =>
  `| ${name} | ${outcomes.map((outcome) => cell(outcome).toLocaleString('en')).join(' | ')} |`

const lines = [
  `| outcome, in files | ${profiles.join(' | ')} |`,
  `| --- | ${profiles.map(() => '--:').join(' | ')} |`,
  row('**loaded**', ({ loaded }) => loaded),
  row('**not loaded**, each with an error', ({ refused }) => refused),
  ...codes.map((code) => row(code, ({ files }) => files.get(code) ?? 0)),
]
process.stdout.write(`${lines.join('\n')}\n`)

async function outcomeUnder(profile: Profile): Promise<Outcome> {
  const source = directorySource({ root, layer: 'project', depth: 64, hidden: true, maxFolders: 1_000_000 })
  const { catalog } = await openRepertoire({ sources: [source], profile })
  const found = catalog.list().length + catalog.shadowed.length + catalog.inactive.length
  const groups = Map.groupBy(catalog.diagnostics, ({ severity, code }) => `${severity} \`${code}\``)
  return {
    loaded: found,
    refused: pathsOf(catalog.diagnostics.filter(({ severity }) => severity === 'error')),
    files: new Map([...groups].map(([name, diagnostics]) => [name, pathsOf(diagnostics)])),
  }
}

function pathsOf(diagnostics: readonly Diagnostic[]): number {
  return new Set(diagnostics.map(({ path }) => path)).size
}
