// Writes the public API of every published package into docs/api: npm run api
//
// `-- --models` writes the declarations as data into node_modules/.cache/api instead, for the reference of the site.
// `-- --check` fails if a report is out of date. Both read the built declarations, so build first. They also fail if a
// declaration needs a package that is not installed with its own: its types would be `any`, or an error.
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const REPORTS = resolve('docs/api')
const SILENT = { default: { logLevel: ExtractorLogLevel.None } }
const COMPILER_OPTIONS = {
  module: 'NodeNext',
  target: 'ES2023',
  lib: ['ES2024'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
}
const MODELS = resolve('node_modules/.cache/api')
const { check, models } = parseArgs({
  options: { check: { type: 'boolean', default: false }, models: { type: 'boolean', default: false } },
}).values

/** The report on core has the declarations that it exports from them. */
const BUNDLED: readonly string[] = ['@repertoire/gate', '@repertoire/skill-md']

if (!check && !models) rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })
for (const file of globSync('packages/*/package.json').toSorted()) {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as PackageJson
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([path, target]) =>
    typeof target === 'string' || target.types === undefined || path.startsWith('./internal')
      ? []
      : [exportEntry(path, target.types)],
  )
  if (manifest.private === true || entries.length === 0) continue
  const folder = resolve(dirname(file))
  // One file for all entries, so that a declaration which several of them use is reported once.
  const all = join(folder, 'dist/all-entries.d.ts')
  writeFileSync(all, entries.join('\n'))
  const { apiReportChanged, errorCount } = Extractor.invoke(configurationOf(folder, all), {
    localBuild: !check,
    printApiReportDiff: check,
  })
  rmSync(all)
  if (errorCount > 0) fail(`The declarations of ${file} have errors.`)
  if (models) continue
  if (check && apiReportChanged) fail(`The report on ${file} is out of date. Run "npm run api" and commit it.`)
  for (const name of strangersIn(join(REPORTS, `${basename(folder)}.api.md`), manifest))
    fail(`The declarations of ${file} need ${name}, which is not installed with the package.`)
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

/** Exports the root entry as it is, and another entry as a namespace with its name. */
function exportEntry(path: string, types: string): string {
  const from = types.replace('./dist/', './').replace(/\.d\.ts$/, '.js')
  return path === '.' ? `export * from '${from}'` : `export * as ${path.slice(2).replaceAll(/\W/g, '_')} from '${from}'`
}

/**
 * Returns the packages that a report imports and neither the package nor one whose declarations are in it depends on.
 */
function strangersIn(report: string, { name, dependencies, peerDependencies }: PackageJson): readonly string[] {
  const own = [name, ...Object.keys({ ...dependencies, ...peerDependencies })]
  const installed = new Set([...own, ...own.filter((each) => BUNDLED.includes(each)).flatMap(dependenciesOf)])
  const imports = readFileSync(report, 'utf8').matchAll(/^import .* from '(?!node:)((?:@[^/']+\/)?[^/']+)/gm)
  return Array.from(imports, ([, imported]) => imported!).filter((imported) => !installed.has(imported))
}

function dependenciesOf(name: string): readonly string[] {
  const manifest = readFileSync(`packages/${basename(name)}/package.json`, 'utf8')
  return Object.keys((JSON.parse(manifest) as PackageJson).dependencies ?? {})
}

function configurationOf(folder: string, entry: string): ExtractorConfig {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      newlineKind: 'lf',
      mainEntryPointFilePath: entry,
      bundledPackages: [...BUNDLED],
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [entry] } },
      apiReport: {
        enabled: !models,
        includeForgottenExports: true,
        reportFolder: REPORTS,
        reportTempFolder: MODELS,
        reportFileName: basename(folder),
      },
      docModel: { enabled: models, apiJsonFilePath: join(MODELS, `${basename(folder)}.api.json`) },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: SILENT, tsdocMessageReporting: SILENT },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
  })
}
