// Prints, as Markdown, how the skills below a folder load under each profile: npm run real-skills -- FOLDER
import { openRepertoire, type Profile } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { resolve } from 'node:path'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new TypeError('Name the folder: npm run real-skills -- FOLDER')
const root = resolve(process.env['INIT_CWD'] ?? '.', folder)
const profiles: readonly Profile[] = ['strict', 'default', 'lenient']

/** The files of each outcome and of each code, by profile. */
const outcomes = await Promise.all(
  profiles.map(async (profile): Promise<ReadonlyMap<string, number>> => {
    const source = directorySource({ root, depth: 64, hidden: true, maxFolders: 1_000_000 })
    const { catalog } = await openRepertoire({ sources: [source], catalog: { profile } })
    const refused = '**not loaded**, each with an error'
    const files = new Map<string, Set<string | undefined>>([[refused, new Set()]])
    for (const { severity, code, path } of catalog.diagnostics)
      for (const name of [`${severity} \`${code}\``, ...(severity === 'error' ? [refused] : [])])
        files.set(name, (files.get(name) ?? new Set()).add(path))
    const loaded = catalog.list().length + catalog.shadowed.length + catalog.inactive.length
    return new Map([['**loaded**', loaded], ...Array.from(files, ([name, { size }]) => [name, size] as const)])
  }),
)
const rows = [...new Set(outcomes.flatMap((counts) => [...counts.keys()]))].toSorted()
const lines = rows.map((row) => [row, ...outcomes.map((counts) => (counts.get(row) ?? 0).toLocaleString('en'))])
for (const cells of [['outcome, in files', ...profiles], ['---', ...profiles.map(() => '--:')], ...lines])
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
