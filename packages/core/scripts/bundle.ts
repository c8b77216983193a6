// Bundles what this package publishes: node scripts/bundle.ts [TO]
// A hundred small files take Node three times as long to import as a few large ones.
import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { rolldown } from 'rolldown'
import { compileAtOnce } from './compile-at-once.ts'

const packageFolder = join(import.meta.dirname, '..')
const source = join(packageFolder, 'src')
const [to = join(packageFolder, 'dist')] = process.argv.slice(2)

/**
 * Small, and a file or more each: read from their own packages those that every program uses at once take a quarter of
 * the time that the root entry takes to import. `yaml` is not small: its own package is some seventy files, which take
 * five times as long to import as the one made of them, and a large catalog mostly holds a frontmatter that needs it. All
 * others are their owner's to update.
 */
const INLINED = ['@noble/hashes', 'fastest-levenshtein', 'lru-cache', 'stemmer', 'tokenx', 'yaml']

/** What more than one entry or chunk needs, and an entry at once: it lies, with all that it needs, in one file. */
const CORE = [
  'manifest/with-origin.ts',
  ...['index.ts', 'adapter.ts', 'stores.ts'].flatMap(importedBy),
  // What they import in turn, and what the entry for Node does.
  'catalog/fast-visit.ts',
  'catalog/timed-folder.ts',
  'execution/executor.ts',
  'newest-entries.ts',
  'options/kinds.ts',
  'options/table.ts',
  'resources/survey-means.ts',
  'session/option-tables.ts',
].map((file) => join(source, file))

/** What opens a repertoire and reads manifests, and is imported when a program does it first: with all that it needs. */
const OPENING = ['repertoire/create-repertoire.ts', 'manifest/parse-document.ts'].map((file) => join(source, file))

/** The same of the entry for Node, and of what it imports when it is first needed. */
const FOLDERS = [
  'node/bundled/embed-skills.ts',
  'node/sources/directory.ts',
  'node/sources/package.ts',
  'node/sources/standard.ts',
].map((file) => join(source, file))

/** What the entry for Node imports when it is first needed, in one file: configuration, sinks, copies and mounts. */
const MACHINE = [
  'node/audit/log-file.ts',
  'node/bundled/copy-defaults.ts',
  'node/configuration/read.ts',
  'node/folder/write-resource.ts',
  'node/mounts/copies.ts',
  'node/toolsets/open-modules.ts',
].map((file) => join(source, file))

/** What the entry says elsewhere: a bundler for browsers does not see that modules of Node are taken, and does not stop. */
const NEEDS_NODE =
  '@repertoire/core/node needs process.getBuiltinModule, which Node 22.13 and later have. Import @repertoire/core, which runs anywhere, where there is no Node.'

/** The names of the functions that are compiled with their file, by file. */
type CompiledAtOnce = Readonly<Record<string, readonly string[]>>

// What programs call until they show a model their skills is known once they can be run.
const draft = mkdtempSync(join(tmpdir(), 'repertoire-bundle-'))
try {
  writeFileSync(join(draft, 'package.json'), '{"type":"module"}')
  await bundle(draft, {})
  const script = join(import.meta.dirname, 'first-prompt.ts')
  const called = execFileSync(process.execPath, [script, draft], {
    encoding: 'utf8',
    maxBuffer: Infinity,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await bundle(resolve(to), JSON.parse(called) as CompiledAtOnce)
} finally {
  rmSync(draft, { recursive: true })
}
writeFileSync(join(to, 'LICENSES.md'), INLINED.map(licenceOf).join('\n'))

async function bundle(folder: string, atOnce: CompiledAtOnce): Promise<void> {
  const build = await rolldown({
    cwd: packageFolder,
    input: Object.fromEntries(entrySources().map((file) => [file.slice(0, -'.ts'.length), join(source, file)])),
    // The root entry runs anywhere; what it must not import, a test tells.
    platform: 'neutral',
    // What a package has for browsers runs anywhere; what it has for all others may import a module of Node after all.
    resolve: { mainFields: ['module', 'main'], conditionNames: ['browser', 'import', 'default'] },
    external: (id) => !/^[./]/.test(id) && !INLINED.some((name) => id === name || id.startsWith(`${name}/`)),
    treeshake: { moduleSideEffects: false },
    transform: { target: 'es2023' },
    plugins: [
      { name: 'builtins', renderChunk: (code) => ({ code: withBuiltins(code), map: null }) },
      // One other character, and V8 keeps the whole file at two bytes a character and is slower to read it. Places in source
      // maps are off by some columns behind what is escaped.
      { name: 'ascii', renderChunk: (code, { fileName }) => ({ code: escaped(code, fileName), map: null }) },
      { name: 'at-once', renderChunk: (code, { fileName }) => compiled(code, atOnce[fileName] ?? []) },
    ],
    onLog(_level, log) {
      // Not about the code: a busy machine is slow.
      if (log.code === 'PLUGIN_TIMINGS') return
      throw new Error(log.message)
    },
  })
  await build.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // People see these files in stack traces, and read in the declarations what is documented.
    minify: false,
    comments: { jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    codeSplitting: {
      groups: [
        { name: 'lru-cache', test: /[/\\]node_modules[/\\]lru-cache[/\\]/, priority: 3 },
        { name: 'yaml-library', test: /[/\\]node_modules[/\\]yaml[/\\]/, priority: 3 },
        // All that the root entry needs lies in two files, as the entry for schemas needs the one of them alone.
        { name: 'fields', test: (file) => file === join(source, 'manifest/fields/fields.ts'), priority: 2 },
        { name: 'core', test: (file) => CORE.includes(file), minShareCount: 2, priority: 1 },
        { name: 'opening', test: (file) => OPENING.includes(file), priority: 0.6 },
        // One file: many programs need all of it with their first call, and each further file takes half a millisecond.
        { name: 'work', test: (file) => file === join(source, 'session/work.ts'), priority: 0 },
        { name: 'folders', test: (file) => FOLDERS.includes(file), priority: 0.5 },
        { name: 'machine', test: (file) => MACHINE.includes(file), priority: 0 },
      ],
    },
  })
  await build.close()
}

function compiled(code: string, names: readonly string[]): { readonly code: string; readonly map: string } {
  const changed = compileAtOnce(code, new Set(names))
  return { code: changed.toString(), map: changed.generateMap({ hires: 'boundary' }).toString() }
}

/** The modules that an entry imports at once, from `src`. */
function importedBy(entry: string): readonly string[] {
  const code = readFileSync(join(source, entry), 'utf8')
  const imports = code.matchAll(/^(?:import|export) \{([^}]+)\} from '\.\/(.+)'$/gm)
  return Array.from(imports).flatMap(([, names = '', file = '']) =>
    names.split(',').every((name) => /^\s*(?:type\s|$)/.test(name)) ? [] : [file],
  )
}

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

/**
 * The same code, which takes the modules of Node as they are. Where a program imports one of them first, Node evaluates
 * everything that it exports, such as `process.stdin` and the promises and streams of `node:fs`, to make an ES module of
 * it: that takes longer than reading all code of this package.
 */
function withBuiltins(code: string): string {
  const taken = code.replaceAll(
    /^import (?:(\w+)(?:, )?)?(?:\* as (\w+)|\{(.+)\})? from ("node:[^"]+");$/gm,
    builtinTaken,
  )
  // On a line that is there: source maps hold.
  return taken.replace(
    /^const .* = globalThis\.process\.getBuiltinModule\(/m,
    (first) =>
      `if (typeof globalThis.process?.getBuiltinModule !== "function") throw new TypeError(${JSON.stringify(NEEDS_NODE)}); ${first}`,
  )
}

function builtinTaken(_import: string, whole = '', space = '', named = '', name = ''): string {
  const module = `globalThis.process.getBuiltinModule(${name})`
  const names = named === '' ? '' : `{${named.replaceAll(' as ', ': ')}}`
  return [whole, space, names].flatMap((taken) => (taken === '' ? [] : `const ${taken} = ${module};`)).join(' ')
}

/** The same code in ASCII. Throws where the escape would say something else than the character. */
function escaped(code: string, fileName: string): string {
  if (/String\.raw\s*`[^`]*[^\0-\x7F]/.test(code)) throw new Error(`${fileName}: a raw string that is not ASCII.`)
  if (/\\[^\0-\x7F]/.test(code)) throw new Error(`${fileName}: a backslash before a character that is not ASCII.`)
  return code.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** What the licence of an inlined package asks to be given on. */
function licenceOf(name: string): string {
  const folder = join(packageFolder, 'node_modules', name)
  const [file] = globSync(['LICENSE*', 'license*'], { cwd: folder })
  if (file === undefined) throw new Error(`${name} has no licence file to give on.`)
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }
  return `# ${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
