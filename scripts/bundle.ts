// Bundles what the package in the working folder publishes: node ../../scripts/bundle.ts [TO]
// Node imports one file per entry three times faster than a hundred small ones. `yaml` is bundled too: its own package has
// some seventy files. All other libraries stay dependencies.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
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
  external: (id) => !/^[./]/.test(id) && !/^yaml(\/|$)/.test(id),
  treeshake: { moduleSideEffects: false },
  transform: { target: 'es2023' },
  onLog(_level, log) {
    // Warns about a slow machine, and not about the code.
    if (log.code === 'PLUGIN_TIMINGS') return
    throw new Error(log.message)
  },
})
const { output } = await build.write({
  dir: resolve(to),
  format: 'esm',
  // People read these files in stack traces.
  minify: false,
  comments: { jsdoc: false },
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
})
await build.close()
const bundlesYaml = output.some(
  (file) => file.type === 'chunk' && file.moduleIds.some((id) => /\/yaml\/(?:browser\/)?dist\//.test(id)),
)
if (bundlesYaml) writeFileSync(join(to, 'LICENSES.md'), licenceOf('yaml'))

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

/** What the licence of an inlined package asks to be given on. */
function licenceOf(name: string): string {
  const folder = join(packageFolder, 'node_modules', name)
  const [file] = globSync(['LICENSE*', 'license*'], { cwd: folder })
  if (file === undefined) throw new Error(`${name} has no licence file to give on.`)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }
  return `# ${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
