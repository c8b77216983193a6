import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'
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
const tests = '{test,src}/**/*.test.ts'
// A worker serves one project only. So all packages are one, whose modules each worker loads once: half of the time of a
// run of many small files. They are projects of their own where some are picked by their names.
const picksProjects = process.argv.some((argument) => argument.startsWith('--project'))
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => ({ name, path: join(root, parent, name) })),
)
const packages = folders.filter(({ path }) => existsSync(join(path, 'package.json')))

export default defineConfig({
  // Vite takes one list for what it bundles and one for what it hands to Node: both must name the sources.
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Vitest takes one less than there are cores. Its own process has little to do while the workers run, and a worker often
    // waits for a process that it has started, or for a time limit.
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
    env: { NODE_COMPILE_CACHE: compiled, TEST_DISK: tmpdir(), TEST_MEMORY: quick ?? tmpdir() },
    globalSetup: join(root, 'scripts/bundled-programs.ts'),
    setupFiles: ['property-seed', 'temporary-files'].map((name) => join(root, `scripts/${name}.ts`)),
    // Real processes, compilers and servers take their time on a loaded machine; this is a net, not a measure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    include: ['packages/*', 'apps/*', 'scripts'].map((folder) => `${folder}/${tests}`),
    ...(picksProjects && {
      projects: [...packages, { name: 'scripts', path: join(root, 'scripts') }].map(({ name, path }) => ({
        extends: true,
        root: path,
        test: { name, include: [tests] },
      })),
    }),
    reporters: [
      'default',
      ...['conformance', 'slowest-files', 'closing-line'].map((name) => join(root, `scripts/${name}-reporter.ts`)),
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary', 'html', 'lcov'],
      thresholds: { lines: 80, 'packages/core/src/**': { lines: 95 } },
    },
  },
})
