import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { quickFolder } from './scripts/quick-folder.ts'

const root = import.meta.dirname
const conditions = ['@repertoire/source']
const measuresCoverage = process.argv.some((argument) => argument.startsWith('--coverage'))
// Workers, and the processes that tests start, load the same modules again and again: with compiled code in a fraction
// of the time. What a worker covers is counted less exactly with it, so then it is for the processes alone.
const compiled = join(root, 'node_modules/.cache/compiled')
if (!measuresCoverage) process.env.NODE_COMPILE_CACHE = compiled
const quick = quickFolder()
const escaped = (path: string): string => realpathSync(path).replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
// Not those of the repository, wherever it lies: their coverage is measured.
const temporaryFiles = [tmpdir(), quick].flatMap((folder) =>
  folder === undefined ? [] : new RegExp(`^(?:file://)?(?!${escaped(root)}/)${escaped(folder)}/`),
)
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => ({ name, path: join(root, parent, name) })),
)
const packages = folders.filter(({ path }) => existsSync(join(path, 'package.json')))
const others = ['examples', 'scripts'].map((name) => ({ name, path: join(root, name) }))
const rooms = [...packages, ...others]
// A worker is kept for the files of one project: with a project for each package, every change of package started all
// workers anew, and each loaded core and the frameworks again. Core has one of its own, since what others load makes
// regular expressions several times slower. What the tests of some write is small, many files, and much of it synced;
// sandboxes see another `/dev`, so theirs is elsewhere.
const IN_MEMORY = new Set(['core', 'gate', 'library', 'skill-md', 'storage'])
const CORE = new Set(['core', 'gate', 'skill-md'])
const shared = [
  { name: 'others', of: rooms.filter(({ name }) => !IN_MEMORY.has(name)) },
  { name: 'stores', of: rooms.filter(({ name }) => IN_MEMORY.has(name) && !CORE.has(name)) },
  { name: 'core', of: rooms.filter(({ name }) => CORE.has(name)) },
]
// Who names a project means a package.
const namesProject = process.argv.some((argument) => argument === '--project' || argument.startsWith('--project='))
const projects = namesProject ? rooms.map((room) => ({ name: room.name, of: [room] })) : shared

/** Runs one project after another, and the conformance suites first: they take longest, and their files are small. */
class ConformanceFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byDuration = await BaseSequencer.prototype.sort.call(this, files)
    return byDuration.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  const place = projects.findIndex(({ name }) => name === project.name)
  return moduleId.endsWith('/test/conformance.test.ts') ? place - 0.5 : place
}

export default defineConfig({
  // Vite takes one list for what it bundles and one for what it hands to Node: both must name the sources.
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Vitest takes one less than there are cores. Its own process has little to do while the workers run, and a worker
    // often waits for a process that it has started, or for a time limit.
    maxWorkers: availableParallelism() + 1,
    // A worker runs many files with one copy of the modules: loading them again took longer than most files. A test
    // that changes what others see (the environment, globals, module state) restores it.
    isolate: false,
    // Node runs the sources itself, as it does in the demo and in the command: no file is transformed for each project,
    // and what is imported is used directly, a fifth of all the time. So no module can be mocked. Coverage needs Vite.
    experimental: { viteModuleRunner: measuresCoverage, nodeLoader: false },
    // With Vite too, Node itself imports what tests have written: modules of skills are loaded under its own hooks.
    server: { deps: { external: temporaryFiles } },
    execArgv: conditions.map((name) => `--conditions=${name}`),
    // What the library keeps outside of projects stays out of the user's own folders.
    env: { NODE_COMPILE_CACHE: compiled, XDG_STATE_HOME: join(root, 'node_modules/.cache/state') },
    globalSetup: join(root, 'scripts/bundled-programs.ts'),
    sequence: { sequencer: ConformanceFirst },
    projects: projects.map(({ name, of }) => ({
      extends: true,
      root,
      // Real processes, compilers and servers take their time on a loaded machine; this is a net, not a measure.
      test: {
        name,
        ...(quick !== undefined && of.every((room) => IN_MEMORY.has(room.name)) && { env: { TMPDIR: quick } }),
        include: of.flatMap(({ path }) =>
          ['test/**/*.test.ts', 'src/**/*.test.ts'].map((pattern) => `${relative(root, path)}/${pattern}`),
        ),
        setupFiles: [join(root, 'scripts/property-seed.ts')],
        testTimeout: 60_000,
        hookTimeout: 60_000,
        expect: { poll: { timeout: 30_000 } },
      },
    })),
    reporters: ['default', join(root, 'scripts/summary-reporter.ts'), ...(process.env['CI'] ? ['json'] : [])],
    // `npm run matrix -- --from` reads it.
    outputFile: { json: join(root, 'reports/tests.json') },
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary', 'html', 'lcov'],
      thresholds: { lines: 80, 'packages/{core,gate,skill-md}/src/**': { lines: 95 } },
    },
  },
})
