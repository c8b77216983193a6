// Rehearses a release without publishing anything: npm run rehearse-release
// In a copy of the repository it makes versions and changelogs, publishes to a registry on loopback, and uses what was
// published as people would. It ends at the first step that fails.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, cpSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import process from 'node:process'
import { ROOT } from './packed-packages.ts'
import { findClaudeCode } from '@repertoire/test-servers'
import {
  type Adapter,
  AI_SDK_6,
  APART,
  CLAUDE_AGENT,
  copyFirstPrograms,
  copyProgramApart,
  FIRST_PROGRAMS,
  type ProgramApart,
  runFirstProgram,
} from './release/first-programs.ts'
import { copyWorkspace, entriesOf, manifestOf, packageProblems, unusualLicences } from './release/packages.ts'
import { raiseExamples } from './release/raise-examples.ts'
import { installVerdaccio, openRegistry } from './release/registry.ts'
import { installRuntimes, type Runtime } from './release/runtimes.ts'
import { installedSizes, sizeText } from './release/sizes.ts'

const start = performance.now()
const cache = join(ROOT, 'node_modules/.cache/rehearsal')
const folder = mkdtempSync(join(tmpdir(), 'repertoire-release-'))
const copy = join(folder, 'repository')
const ADAPTERS = Object.keys(FIRST_PROGRAMS) as readonly Adapter[]

interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a program. Its output is shown if it fails. */
function run(command: string, args: readonly string[], { cwd, env }: Options): string {
  try {
    return execFileSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    throw new Error(`${basename(command)} ${args.join(' ')} failed.\n${stdout}${stderr}`, { cause: error })
  }
}

let count = 0
let stepStart = start
function step(title: string): void {
  stepStart = performance.now()
  process.stdout.write(`\n${++count}. ${title}\n`)
}
function done(text: string): void {
  process.stdout.write(`   ok: ${text} (${seconds(stepStart)} s)\n`)
}
const seconds = (since: number): number => Math.round((performance.now() - since) / 1000)

/** An empty project that takes our packages from the registry on loopback, and all others from the usual one. */
function makeProject(name: string, registry: string): string {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, '.npmrc'), `@repertoire:registry=${registry}\naudit=false\nfund=false\nloglevel=error\n`)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  return project
}

/** The command has no scope, so it is installed by the address of its tarball. */
const command = (registry: string, version: string): string => `${registry}repertoire/-/repertoire-${version}.tgz`

const onPath = (runtime: Runtime): Readonly<Record<string, string>> => ({
  PATH: [runtime.folder, process.env['PATH']].join(delimiter),
})

try {
  step('Copy the repository, and make versions and changelogs')
  copyWorkspace(ROOT, copy)
  const version = makeVersions()
  const packages = manifestsOf(copy)
  done(`${packages.length} packages have the version ${version} and a changelog, and the examples name it`)

  step('Start a registry on loopback, and publish to it')
  installVerdaccio(join(cache, 'verdaccio'))
  const registry = await openRegistry(join(cache, 'verdaccio'), join(folder, 'registry'))
  try {
    publish(registry.url)
    done(`${packages.length} packages are published`)
    await use(registry.url, version, packages)
    await upgrade(registry.url, version)
  } finally {
    registry.close()
  }
  process.stdout.write(`\nThe release is rehearsed: ${count} steps passed in ${seconds(start)} s.\n`)
} catch (error) {
  process.stdout.write(`   FAILED: ${error instanceof Error ? error.message : String(error)}\n`)
  process.stdout.write(`\nThe release cannot be made: step ${count} failed after ${seconds(start)} s.\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function use(registry: string, version: string, packages: readonly Package[]): Promise<void> {
  step('Find the runtimes')
  const { here, missing } = installRuntimes(join(cache, 'runtimes'))
  const nodes = here.filter(({ name }) => name.startsWith('node'))
  const newest = nodes.at(-1)
  if (nodes.length < 2 || newest === undefined) throw new Error(missing.join('\n'))
  for (const reason of missing) process.stdout.write(`   not here: ${reason}\n`)
  done(here.map(({ name }) => name).join(', '))

  step('Install every package with all its peers, and look at what arrived')
  const all = makeProject('all', registry)
  const peers = packages.flatMap(({ manifest }) => Object.entries(manifest.peerDependencies ?? {}))
  const others = new Map(peers.filter(([name]) => !name.startsWith('@repertoire/')))
  const names = packages.flatMap(({ manifest: { name } }) => (name === 'repertoire' ? [] : [`${name}@${version}`]))
  const types = ['@types/node@^22.13.0', '@types/pg']
  run(
    'npm',
    // Without the binaries of Claude Code, an optional package of 380 MB: nothing here starts it.
    [
      'install',
      '--prefer-offline',
      '--omit=optional',
      ...names,
      ...Array.from(others, ([name, range]) => `${name}@${range}`),
      ...types,
    ],
    {
      cwd: all,
      env: onPath(newest),
    },
  )
  const problems = packages.flatMap(({ directory, manifest: { name } }) =>
    name === 'repertoire'
      ? []
      : packageProblems(join(all, 'node_modules', name), directory).map((each) => `${name}: ${each}`),
  )
  if (problems.length > 0) throw new Error(problems.join('\n'))
  done('exports, licences, changelogs, repository and provenance settings are right')

  step('Check types strictly, and import every entry')
  const entries = packages.flatMap(({ manifest: { name } }) =>
    name === 'repertoire' ? [] : entriesOf(join(all, 'node_modules', name)),
  )
  const usable = entries.filter((entry) => !/\/(?:vitest|testing)$/.test(entry))
  copyFirstPrograms(all)
  writeFileSync(join(all, 'entries.ts'), importing(entries))
  writeFileSync(join(all, 'usable.ts'), importing(usable))
  for (const resolution of ['bundler', 'nodenext']) checkTypes(all, resolution)
  const [oldest = newest] = nodes
  run(oldest.command[0], ['usable.ts'], { cwd: all })
  done(`${entries.length} entries with "bundler" and "nodenext"; ${usable.length} imported on ${oldest.name}`)

  step("Run each adapter's first program in an empty project")
  const programs = [
    '@ai-sdk/openai',
    '@mastra/core',
    '@openai/agents',
    'zod',
    'ai',
    'langchain',
    '@langchain/core',
    '@langchain/langgraph',
    '@langchain/openai',
  ]
  for (const node of nodes) {
    const project = makeProject(node.name.replace(' ', '-'), registry)
    const own = ['core', ...ADAPTERS].map((name) => `@repertoire/${name}`)
    run('npm', ['install', '--prefer-offline', ...own, ...programs], { cwd: project, env: onPath(node) })
    copyFirstPrograms(project)
    for (const adapter of ADAPTERS) await first(adapter, project, node)
  }
  const project = join(folder, newest.name.replace(' ', '-'))
  for (const runtime of here.filter((each) => !nodes.includes(each)))
    for (const adapter of ADAPTERS) await first(adapter, project, runtime)
  done(`${ADAPTERS.join(', ')} on ${here.map(({ name }) => name).join(', ')}`)
  await useApart(AI_SDK_6, registry, [newest])
  const lacksProgram = findClaudeCode() === undefined
  if (lacksProgram) process.stdout.write('   not here: Claude Code. "npm run claude-code" installs it.\n')
  await useApart(CLAUDE_AGENT, registry, lacksProgram ? [] : nodes)
}

/** Uses an adapter in a project of its own. Types are checked, and the first program runs on some versions of Node. */
async function useApart(program: ProgramApart, registry: string, nodes: readonly Runtime[]): Promise<void> {
  step(`Use ${program} in a project of its own`)
  const { packages, entry } = APART[program]
  const project = makeProject(program, registry)
  const own = ['@repertoire/core', '@repertoire/conformance', '@types/node@^22.13.0']
  // Without the binaries of Claude Code here too.
  run('npm', ['install', '--prefer-offline', '--omit=optional', ...own, ...packages], { cwd: project })
  copyProgramApart(program, project)
  writeFileSync(join(project, 'entries.ts'), importing([entry]))
  for (const resolution of ['bundler', 'nodenext']) checkTypes(project, resolution, [program])
  for (const node of nodes) await first(program, project, node)
  done(`types with "bundler" and "nodenext"; the first program ran on ${nodes.length} versions of Node`)
}

/** A program that imports entries, and uses them. */
function importing(entries: readonly string[]): string {
  const imports = entries.map((entry, at) => `import * as e${at} from '${entry}'\n`)
  return `${imports.join('')}console.log([${entries.map((_, at) => `e${at}`).join(', ')}].length)\n`
}

async function first(
  adapter: Adapter | ProgramApart,
  project: string,
  { name, command: line }: Runtime,
): Promise<void> {
  const problem = await runFirstProgram(adapter, project, line)
  if (problem !== undefined) throw new Error(`The first program of ${adapter} fails on ${name}.\n${problem}`)
}

/** Our own declarations are checked too; those of others may have errors. */
function checkTypes(project: string, resolution: string, programs: readonly string[] = ADAPTERS): void {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2023',
    lib: ['ES2024', 'DOM'],
    module: resolution === 'bundler' ? 'preserve' : 'nodenext',
    moduleResolution: resolution,
    // Our declarations are the same in both, so one of them reads all of them.
    skipLibCheck: resolution === 'bundler',
    types: ['node'],
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
  }
  const files = ['entries.ts', ...programs.map((name) => `first-${name}.ts`)]
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  let output = ''
  try {
    run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.', '--pretty', 'false'], { cwd: project })
  } catch (error) {
    output = (error as Error).message
  }
  const errors = output.split('\n').filter((line) => / error TS/.test(line))
  const ours = errors.filter((line) => line.includes('@repertoire/') || !line.startsWith('node_modules/'))
  if (ours.length > 0) throw new Error(`With ${resolution}:\n${ours.join('\n')}`)
}

async function upgrade(registry: string, version: string): Promise<void> {
  step('Install the command, measure it, and let a project save what it keeps')
  const project = makeProject('upgrade', registry)
  run('npm', ['install', command(registry, version)], { cwd: project })
  const sizes = installedSizes(project)
  for (const size of sizes) process.stdout.write(`   ${sizeText(size)}\n`)
  if (sizes.some(({ value, limit }) => value > limit)) throw new Error('It takes more than it may.')
  const licences = unusualLicences(project)
  if (licences.length > 0) throw new Error(`These licences are not known to be permissive:\n${licences.join('\n')}`)
  mkdirSync(join(project, 'own/greet'), { recursive: true })
  mkdirSync(join(project, '.repertoire'))
  const skill = '---\nname: greet\ndescription: Greets people.\nallowed-tools: Read\n---\nGreet them.\n'
  writeFileSync(join(project, 'own/greet/SKILL.md'), skill)
  writeFileSync(join(project, '.repertoire/config.json'), '{ "style": "section" }')
  const repertoire = (...args: readonly string[]): string =>
    run('node', ['node_modules/repertoire/dist/main.js', ...args], { cwd: project })
  repertoire('add', './own', '--yes')
  cpSync(join(import.meta.dirname, 'release/upgrade'), project, { recursive: true })
  run('node', ['save.ts'], { cwd: project })
  done(`a saved session, a lock, an audit log and a configuration of ${repertoire('--version').trim()}`)

  step('Release a second version, upgrade, and open what the first has saved')
  const change = `---\n${manifestsOf(copy)
    .map(({ manifest }) => `'${manifest.name}': minor\n`)
    .join('')}---\n\nA second version.\n`
  writeFileSync(join(copy, '.changeset/second-version.md'), change)
  const second = makeVersions()
  publish(registry)
  run('npm', ['install', command(registry, second)], { cwd: project })
  if (repertoire('--version').trim() !== second) throw new Error(`The command is not ${second}.`)
  repertoire('verify', '--strict')
  repertoire('install', '--frozen')
  const opened = run('node', ['open.ts'], { cwd: project }).trim()
  done(`${version} became ${second}: the lock is verified; ${opened}`)
}

interface Package {
  readonly directory: string
  readonly manifest: ReturnType<typeof manifestOf>
}

/** What the workspace publishes. */
function manifestsOf(root: string): readonly Package[] {
  const listed = JSON.parse(run('pnpm', ['list', '--recursive', '--depth=-1', '--json'], { cwd: root })) as readonly {
    readonly path: string
    readonly private?: boolean
  }[]
  return listed.flatMap(({ path, private: isPrivate }) =>
    isPrivate === true ? [] : [{ directory: `packages/${basename(path)}`, manifest: manifestOf(path) }],
  )
}

/** Lets changesets make versions and changelogs in the copy. Returns the version that all packages have now. */
function makeVersions(): string {
  run('node_modules/.bin/changeset', ['version'], { cwd: copy })
  const packages = manifestsOf(copy)
  const [version = '', ...more] = new Set(packages.map(({ manifest }) => manifest.version))
  if (more.length > 0) throw new Error(`The packages have different versions: ${[version, ...more].join(', ')}`)
  if (!/^0\.[1-9]/.test(version)) throw new Error(`The version would be ${version}, and 0.x is meant.`)
  for (const { directory } of packages)
    if (!readFileSync(join(copy, directory, 'CHANGELOG.md'), 'utf8').includes(`## ${version}`))
      throw new Error(`${directory}/CHANGELOG.md does not have ${version}.`)
  raiseExamples(copy)
  return version
}

/** Publishes as the workflow does, without what proves the workflow to npm. */
function publish(registry: string): void {
  const { host } = new URL(registry)
  writeFileSync(join(copy, '.npmrc'), `registry=${registry}\n//${host}/:_authToken=rehearsal\n`)
  run('node', ['scripts/release/publish.ts'], {
    cwd: copy,
    env: { npm_config_registry: registry, ACTIONS_ID_TOKEN_REQUEST_URL: '' },
  })
}
