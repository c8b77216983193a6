// Bundles what the package in the working folder publishes: node ../../scripts/bundle.ts [TO]
// Node imports one file per entry three times faster than a hundred small ones. Libraries stay dependencies.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { rolldown } from 'rolldown'

const packageFolder = process.cwd()
const source = join(packageFolder, 'src')
const [to = join(packageFolder, 'dist')] = process.argv.slice(2)

const build = await rolldown({
  cwd: packageFolder,
  input: Object.fromEntries(entrySources().map((file) => [file.slice(0, -'.ts'.length), join(source, file)])),
  // The root entry runs anywhere; a test holds that it imports nothing of Node.
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'], conditionNames: ['browser', 'import', 'default'] },
  external: (id) => !/^[./]/.test(id),
  treeshake: { moduleSideEffects: false },
  transform: { target: 'es2023' },
  onLog(_level, log) {
    // Warns about a slow machine, and not about the code.
    if (log.code === 'PLUGIN_TIMINGS') return
    throw new Error(log.message)
  },
})
await build.write({
  dir: resolve(to),
  format: 'esm',
  // People read these files in stack traces.
  minify: false,
  comments: { jsdoc: false },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
})
await build.close()

/** The source of every entry that the package has, from `src`. */
function entrySources(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  }
  const sources = Object.values(exports).map((entry) =>
    typeof entry === 'string' ? undefined : entry['@repertoire/source'],
  )
  return sources.flatMap((file) => (file?.endsWith('.ts') === true ? file.replace('./src/', '') : []))
}
