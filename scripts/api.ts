// Writes the public API of every published package into docs/api: node scripts/api.ts [--check]
//
// Reads the built declarations, so build first. `--check` writes nothing, and fails where a report is out of date.
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

interface PackageJson {
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>
}

const FOLDER = 'docs/api'
const SILENT = { default: { logLevel: ExtractorLogLevel.None } }
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const temporary = mkdtempSync(join(tmpdir(), 'repertoire-api-'))
const problems: string[] = []

mkdirSync(FOLDER, { recursive: true })
const reports = globSync('packages/*/package.json')
  .toSorted()
  .flatMap((file) => writeReport(file) ?? [])
rmSync(temporary, { recursive: true })
for (const file of globSync(`${FOLDER}/*`)) {
  if (reports.includes(file)) continue
  if (values.check) problems.push(`${file} is of no published package.`)
  else rmSync(file, { recursive: true })
}
process.stdout.write(
  problems.length > 0
    ? `${problems.join('\n')}\nIf that is meant, run "npm run api" and commit what it writes.\n`
    : `The public API of ${reports.length} packages is in ${FOLDER}.\n`,
)
process.exitCode = problems.length > 0 ? 1 : 0

/** Returns the file of a package's report, or undefined if it publishes no declarations. */
function writeReport(packageFile: string): string | undefined {
  const { private: isPrivate, exports = {} } = JSON.parse(readFileSync(packageFile, 'utf8')) as PackageJson
  const entries = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string' || target.types === undefined ? [] : [{ path, types: target.types }],
  )
  if (isPrivate || entries.length === 0) return undefined
  const folder = resolve(dirname(packageFile))
  const report = join(FOLDER, `${basename(folder)}.api.md`)
  // One file for all entries, so that a declaration which several of them use is reported once.
  const together = join(folder, 'dist/all-entries.d.ts')
  writeFileSync(together, entries.map(exportEntry).join('\n'))
  try {
    const { apiReportChanged, errorCount } = Extractor.invoke(configurationOf(folder, together), {
      localBuild: !values.check,
      printApiReportDiff: values.check,
    })
    if (errorCount > 0) problems.push(`The declarations of ${packageFile} have errors.`)
    else if (values.check && apiReportChanged) problems.push(`${report} is out of date.`)
  } finally {
    rmSync(together)
  }
  return report
}

/** Exports the root entry as it is, and another entry as a namespace with its name. */
function exportEntry({ path, types }: { readonly path: string; readonly types: string }): string {
  const from = types.replace('./dist/', './').replace(/\.d\.ts$/, '.js')
  return path === '.' ? `export * from '${from}'` : `export * as ${path.slice(2).replaceAll(/\W/g, '_')} from '${from}'`
}

function configurationOf(folder: string, entry: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      newlineKind: 'lf',
      mainEntryPointFilePath: entry,
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: 'NodeNext',
            target: 'ES2023',
            lib: ['ES2024'],
            types: ['node'],
            strict: true,
            skipLibCheck: true,
            noEmit: true,
          },
          files: [entry],
        },
      },
      apiReport: {
        enabled: true,
        includeForgottenExports: true,
        reportFolder: resolve(FOLDER),
        reportTempFolder: temporary,
        reportFileName: basename(folder),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: SILENT, tsdocMessageReporting: SILENT },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  })
}
