// Rehearses a release without publishing anything: npm run rehearse-release
// In a copy of the repository it makes versions and changelogs, publishes to a registry on loopback, and uses what was
// published as people would. It ends at the first step that fails.
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import process from 'node:process'
import { ROOT } from './packed-packages.ts'
import { copyFirstPrograms, FIRST_PROGRAMS, runFirstProgram } from './release/first-programs.ts'
import { copyWorkspace } from './release/copy-workspace.ts'
import { raiseExamples } from './release/raise-examples.ts'
import { installVerdaccio, openRegistry } from './release/registry.ts'
import { installRuntimes } from './release/runtimes.ts'
import { installedSizes, sizeText } from './release/sizes.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const cache = join(ROOT, 'node_modules/.cache/rehearsal')
const folder = mkdtempSync(join(tmpdir(), 'repertoire-release-'))
const copy = join(folder, 'repository')
const ADAPTERS = Object.keys(FIRST_PROGRAMS)
/** What the first programs import, beside the adapters' own peers. */
const PROVIDERS = ['@ai-sdk/openai', '@langchain/openai', '@langchain/langgraph']

let count = 0
try {
  step('Copy the repository, and make versions and changelogs')
  copyWorkspace(ROOT, copy)
  const packages = makeVersions()
  step('Publish to a registry on loopback')
  installVerdaccio(join(cache, 'verdaccio'))
  const registry = await openRegistry(join(cache, 'verdaccio'), join(folder, 'registry'))
  try {
    publish(registry.url)
    checkTypes(registry.url, packages)
    await runPrograms(registry.url)
    measureCommand(registry.url, packages[0]!.version)
  } finally {
    registry.close()
  }
  process.stdout.write(`\nThe release is rehearsed: ${count} steps passed.\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.stdout.write(`\nThe release cannot be made: step ${count} failed.\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function step(title: string): void {
  process.stdout.write(`\n${++count}. ${title}\n`)
}

/** Runs a program. Its output is shown if it fails. */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): string {
  try {
    return execFileSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${basename(command)} ${args.join(' ')} failed.\n${stdout}${stderr}`, { cause: error })
  }
}

/**
 * Lets changesets make versions and changelogs in the copy. Returns the public packages, which have one version now.
 */
function makeVersions(): readonly Manifest[] {
  run('node_modules/.bin/changeset', ['version'], copy)
  const files = globSync('packages/*/package.json', { cwd: copy })
  const packages = files
    .map((file) => JSON.parse(readFileSync(join(copy, file), 'utf8')) as Manifest)
    .filter((manifest) => manifest.private !== true)
  const [version = '', ...more] = new Set(packages.map((manifest) => manifest.version))
  if (more.length > 0 || !/^0\.[1-9]/.test(version))
    throw new Error(`The packages have the versions ${[version, ...more].join(', ')}, and one of 0.x is meant.`)
  const changelogs = globSync('packages/*/CHANGELOG.md', { cwd: copy }).map((file) =>
    readFileSync(join(copy, file), 'utf8'),
  )
  const changed = changelogs.filter((text) => text.includes(`## ${version}`))
  if (changed.length < packages.length) throw new Error(`Not every CHANGELOG.md has ${version}.`)
  raiseExamples(copy)
  return packages
}

/** Publishes as the workflow does, without what proves the workflow to npm. */
function publish(registry: string): void {
  writeFileSync(join(copy, '.npmrc'), `registry=${registry}\n//${new URL(registry).host}/:_authToken=rehearsal\n`)
  const env = { npm_config_registry: registry, ACTIONS_ID_TOKEN_REQUEST_URL: '' }
  run('node', ['scripts/release/publish.ts'], copy, env)
}

/** Installs packages into an empty project: ours from the registry on loopback, and all others from the usual one. */
function makeProject(name: string, registry: string, packages: readonly string[]): string {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, '.npmrc'), `@repertoire:registry=${registry}\naudit=false\nfund=false\nloglevel=error\n`)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  run('npm', ['install', '--prefer-offline', ...packages], project)
  return project
}

/** Checks every entry of every package in both module resolutions, and imports it. */
function checkTypes(registry: string, packages: readonly Manifest[]): void {
  step('Install every package with its peers, check types strictly, and import every entry')
  const libraries = packages.filter(({ name }) => name !== 'repertoire')
  const peers = libraries.flatMap(({ peerDependencies = {} }) => Object.entries(peerDependencies))
  const others = new Map(peers.filter(([name]) => !name.startsWith('@repertoire/')))
  const all = makeProject('all', registry, [
    // Without the binaries of Claude Code, an optional package of 380 MB: nothing here starts it.
    '--omit=optional',
    ...libraries.map(({ name, version }) => `${name}@${version}`),
    ...Array.from(others, ([name, range]) => `${name}@${range}`),
    '@types/node@^22.13.0',
    '@types/pg',
  ])
  const entries = libraries.flatMap(({ name, exports = {} }) =>
    Object.entries(exports).flatMap(([path, target]) =>
      typeof target === 'string' ? [] : [`${name}${path.slice(1)}`],
    ),
  )
  writeFileSync(join(all, 'entries.ts'), importing(entries))
  // The others are for tests.
  writeFileSync(join(all, 'usable.ts'), importing(entries.filter((entry) => !/\/(?:vitest|testing)$/.test(entry))))
  const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: true }
  for (const [moduleResolution, module] of [
    ['bundler', 'preserve'],
    ['nodenext', 'nodenext'],
  ]) {
    const target = { target: 'ES2023', lib: ['ES2024', 'DOM'], types: ['node'], noEmit: true }
    const compilerOptions = { ...strict, ...target, module, moduleResolution }
    writeFileSync(join(all, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['entries.ts'] }))
    run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.', '--pretty', 'false'], all)
  }
  run(process.execPath, ['usable.ts'], all)
}

/** A program that imports entries, and uses them. */
function importing(entries: readonly string[]): string {
  const imports = entries.map((entry, at) => `import * as e${at} from '${entry}'\n`)
  return `${imports.join('')}console.log([${entries.map((_, at) => `e${at}`).join(', ')}].length)\n`
}

async function runPrograms(registry: string): Promise<void> {
  step("Run each adapter's first program in an empty project, on every runtime")
  const { here, missing } = installRuntimes(join(cache, 'runtimes'))
  for (const reason of missing) process.stdout.write(`   not here: ${reason}\n`)
  if (here.filter(({ name }) => name.startsWith('node')).length < 2) throw new Error('Two versions of Node are needed.')
  const own = ['core', ...ADAPTERS].map((name) => `@repertoire/${name}`)
  const project = makeProject('programs', registry, [...own, ...PROVIDERS])
  copyFirstPrograms(project)
  for (const { name, command } of here)
    for (const adapter of ADAPTERS) {
      const problem = await runFirstProgram(adapter, project, command)
      if (problem !== undefined) throw new Error(`The first program of ${adapter} fails on ${name}.\n${problem}`)
    }
  process.stdout.write(`   ${here.map(({ name }) => name).join(', ')}\n`)
}

function measureCommand(registry: string, version: string): void {
  step('Install the command, measure it, and run it')
  // It has no scope, so it is installed by the address of its tarball.
  const project = makeProject('command', registry, [`${registry}repertoire/-/repertoire-${version}.tgz`])
  const sizes = installedSizes(project)
  for (const size of sizes) process.stdout.write(`   ${sizeText(size)}\n`)
  if (sizes.some(({ value, limit }) => value > limit)) throw new Error('It takes more than it may.')
  const skill = '---\nname: greet\ndescription: Greets people.\n---\nGreet them.\n'
  mkdirSync(join(project, 'own/greet'), { recursive: true })
  writeFileSync(join(project, 'own/greet/SKILL.md'), skill)
  for (const args of [['add', './own', '--yes'], ['verify']])
    run('node', ['node_modules/repertoire/dist/main.js', ...args], project)
}
