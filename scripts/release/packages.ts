import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package.json, as far as a release looks at it. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly license?: string | { readonly type?: string }
  readonly repository?: { readonly url?: string; readonly directory?: string }
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
}

/** Licences that may be installed along: they ask for no more than to be passed on. */
const PERMISSIVE = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause CC-BY-3.0 CC0-1.0 ISC MIT Python-2.0 Unlicense'.split(' '),
)

/** Reads the package.json of a folder. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** What is wrong with a package as it was published and installed. */
export function packageProblems(folder: string, directory: string): readonly string[] {
  const manifest = manifestOf(folder)
  const text = JSON.stringify(manifest)
  const files = new Set(globSync('**', { cwd: folder, exclude: (name) => name === 'node_modules' }))
  const targets = Object.values(manifest.exports ?? {}).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  )
  return [
    ...(/"(?:workspace|catalog):/.test(text) ? ['it has a range that only the workspace understands'] : []),
    ...(text.includes('"./src/') ? ['it exports a source'] : []),
    ...targets.filter((target) => !files.has(target.replace('./', ''))).map((target) => `it lacks ${target}`),
    ...(manifest.license === 'MIT' && files.has('LICENSE') ? [] : ['it lacks the licence']),
    ...(files.has('README.md') ? [] : ['it lacks a README.md']),
    ...(files.has('CHANGELOG.md') ? [] : ['it lacks a CHANGELOG.md']),
    ...(manifest.repository?.directory === directory ? [] : ['its repository.directory is another one']),
    ...(manifest.publishConfig?.access === 'public' ? [] : ['publishConfig.access is not "public"']),
    ...(manifest.publishConfig?.provenance === true ? [] : ['publishConfig.provenance is not true']),
  ]
}

/** Every package below node_modules whose licence is not known to be permissive. */
export function unusualLicences(project: string): readonly string[] {
  return globSync('node_modules/**/package.json', { cwd: project }).flatMap((file) => {
    if (!/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file)) return []
    const { name, license } = JSON.parse(readFileSync(join(project, file), 'utf8')) as Manifest
    const licence = typeof license === 'object' ? license.type : license
    const names = (licence ?? '').replaceAll(/[()]/g, '').split(/ OR /)
    return names.some((each) => PERMISSIVE.has(each)) ? [] : [`${name}: ${licence}`]
  })
}

/** The import specifiers of all entries with types. */
export function entriesOf(folder: string): readonly string[] {
  const { name, exports = {} } = manifestOf(folder)
  return Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'object' && target['types'] !== undefined ? [`${name}${path.slice(1)}`] : [],
  )
}

/** Copies the workspace into a folder, with what is not committed and what is built, and installs its dependencies there. */
export function copyWorkspace(root: string, to: string): void {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
  git('clone', '--quiet', root, to)
  const changed = git('ls-files', '-z', '--modified', '--others', '--exclude-standard').split('\0').filter(Boolean)
  const built = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/dist`)
  for (const path of [...changed, ...built])
    if (existsSync(join(root, path))) cpSync(join(root, path), join(to, path), { recursive: true })
  const flags = ['--frozen-lockfile', '--prefer-offline', '--ignore-scripts', '--silent']
  execFileSync('pnpm', ['install', ...flags], { cwd: to, stdio: ['ignore', 'ignore', 'inherit'] })
}
