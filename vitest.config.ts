import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = import.meta.dirname
const conditions = ['@repertoire/source']
const folders = ['packages', 'apps'].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => ({ name, path: join(root, parent, name) })),
)
const packages = folders.filter(({ path }) => existsSync(join(path, 'package.json')))

export default defineConfig({
  // Vite takes one list for what it bundles and one for what it hands to Node: both must name the sources.
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [...packages, { name: 'scripts', path: join(root, 'scripts') }].map(({ name, path }) => ({
      extends: true,
      root: path,
      // Real processes, compilers and servers take their time on a loaded machine; this is a net, not a measure.
      test: {
        name,
        include: ['test/**/*.test.ts', 'src/**/*.test.ts'],
        setupFiles: [join(root, 'scripts/property-seed.ts')],
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
    reporters: ['default', ...['conformance', 'closing-line'].map((name) => join(root, `scripts/${name}-reporter.ts`))],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts'],
      reporter: ['text-summary', 'html', 'lcov'],
      thresholds: { lines: 80, 'packages/core/src/**': { lines: 95 } },
    },
  },
})
