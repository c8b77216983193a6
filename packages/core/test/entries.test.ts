import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Plugin, rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const builtins = new Set(builtinModules)
/** The folder of the built packages, each in a folder of its name. */
let built: string

/** Every file that an entry's built file loads, with the modules outside the package that it names. */
function loadedBy(entry: string): Map<string, readonly string[]> {
  const seen = new Map<string, readonly string[]>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    const imports = /(?:from|import\()\s*["']([^"']+)["']|^import\s*["']([^"']+)["']/gm
    const named = [...readFileSync(file, 'utf8').matchAll(imports)].map(([, a, b]) => a ?? b ?? '')
    seen.set(
      file,
      named.filter((name) => !name.startsWith('.')),
    )
    for (const name of named) if (name.startsWith('.')) visit(resolve(dirname(file), name))
  }
  visit(entry)
  return seen
}

/** The files that are loaded by importing an entry's built file, and nothing else. */
function importedBy(entry: string): readonly string[] {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*from "(\.[^"]+)";$/gm)) {
      visit(resolve(dirname(file), name))
    }
  }
  visit(entry)
  return [...seen]
}

const PACKAGES = ['core', 'gate', 'skill-md'] as const

/** Resolves the packages of core to what is built here. */
const ownPackages: Plugin = {
  name: 'own-packages',
  resolveId: (id) => {
    const [, name, entry = 'index'] = /^@repertoire\/(gate|skill-md)(?:\/(.+))?$/.exec(id) ?? []
    return name === undefined ? null : join(built, name, `${entry}.js`)
  },
}

/** All files that the packages publish. */
function builtFiles(): readonly string[] {
  return globSync('**/*.js', { cwd: built, exclude: (name) => name === 'node_modules' }).map((file) =>
    join(built, file),
  )
}

describe('the built entries', () => {
  beforeAll(() => {
    built = mkdtempSync(join(tmpdir(), 'repertoire-built-'))
    for (const name of PACKAGES) {
      const folder = join(root, '..', name)
      execFileSync(process.execPath, ['../../scripts/bundle.ts', join(built, name)], { cwd: folder })
      writeFileSync(join(built, name, 'package.json'), '{"type":"module"}')
      symlinkSync(join(folder, 'node_modules'), join(built, name, 'node_modules'))
    }
  }, 120_000)

  afterAll(() => rmSync(built, { recursive: true, force: true }))

  const ANYWHERE = [
    ['core/index.js'],
    ['core/adapter.js'],
    ['gate/index.js'],
    ['gate/internal.js'],
    ['gate/internal/options.js'],
    ['skill-md/index.js'],
    ['skill-md/internal.js'],
    ['skill-md/internal/parser.js'],
  ] as const

  it.each(ANYWHERE)('[NFR-4] imports nothing of Node in %s', (entry) => {
    const files = loadedBy(join(built, entry))
    const size = [...files.keys()].reduce((sum, file) => sum + readFileSync(file).length, 0)
    expect(size).toBeGreaterThan(5_000)
    const ofNode = [...files].flatMap(([file, names]) =>
      names.filter((name) => name.startsWith('node:') || builtins.has(name)).map((name) => `${file}: ${name}`),
    )
    expect(ofNode).toEqual([])
  })

  it.each(ANYWHERE)('[NFR-4] uses no global of Node in %s', (entry) => {
    const uses = [...loadedBy(join(built, entry)).keys()].filter((file) => {
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return /(?<![.\w"'`])(process\s*[.[]|(Buffer|__dirname|__filename|setImmediate)\s*[.([])/.test(code)
    })
    expect(uses).toEqual([])
  })

  it('[NFR-4] has the entry for Node apart', () => {
    expect(existsSync(join(built, 'core/node/index.js'))).toBe(true)
    const code = [...loadedBy(join(built, 'core/node/index.js')).keys()].map((file) => readFileSync(file, 'utf8'))
    expect(code.filter((text) => text.includes('from "node:fs"'))).not.toEqual([])
  })

  it('[NFR-4] has one definition of each thing, whichever entry it is reached by', () => {
    const classes = builtFiles().flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^var (\w+) = class |^class (\w+) /gm)].map(([, a, b]) => a ?? b),
    )
    expect(classes).toContain('SkillError')
    expect(classes).toEqual([...new Set(classes)])
  })

  it('[NFR-4] has what only adapters need apart from the root entry, and nothing twice', () => {
    const filesOf = (entry: string): readonly string[] => importedBy(join(built, 'core', entry))
    const shared = filesOf('index.js').filter((file) => filesOf('adapter.js').includes(file))
    expect(shared).not.toEqual([])
    const modulesOf = (files: readonly string[]): readonly string[] =>
      files.flatMap((file) => readFileSync(file, 'utf8').match(/^\/\/ src\/.*$/gm) ?? [])
    expect(modulesOf(filesOf('index.js'))).not.toContain('// src/session/fork/sub-agent.ts')
    expect(modulesOf(filesOf('adapter.js'))).toContain('// src/session/fork/sub-agent.ts')
    const modules = modulesOf(builtFiles().filter((file) => file.startsWith(join(built, 'core'))))
    expect(modules.length).toBeGreaterThan(100)
    expect(modules).toEqual([...new Set(modules)])
  })

  it('[NFR-4] imports heavy libraries on first use only', () => {
    const core = ['index.js', 'adapter.js', 'stores.js', 'node/index.js'].map((entry) => `core/${entry}`)
    const entries = [...core, 'gate/internal.js', 'skill-md/internal.js']
    const files = new Set(entries.flatMap((entry) => importedBy(join(built, entry))))
    const code = Array.from(files, (file) => readFileSync(file, 'utf8')).join('\n')
    const libraries = Array.from(code.matchAll(/^import .* from "([^."][^"]*)";$/gm), ([, name]) => name!)
    expect(libraries.filter((name) => /^(?:unbash|js-yaml|zod|liquidjs|re2js|chokidar|@cfworker)/.test(name))).toEqual(
      [],
    )
  })

  it('[NFR-4] loads at most 200 kB in a browser up to the first session, and 410 kB in all, compressed', async () => {
    const bundle = await rolldown({
      cwd: root,
      input: join(built, 'core/index.js'),
      platform: 'browser',
      resolve: { conditionNames: ['browser', 'import', 'default'] },
      plugins: [ownPackages],
    })
    const folder = mkdtempSync(join(tmpdir(), 'repertoire-browser-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { output } = await bundle.write({ dir: folder, format: 'esm', minify: true })
    const program = `import { registerHooks } from 'node:module'
      const loaded = new Set()
      registerHooks({ load: (url, context, next) => (loaded.add(url.split('/').at(-1)), next(url, context)) })
      const { memorySource, openRepertoire } = await import('./index.js')
      const text = '---\\nname: pdf\\ndescription: Reads PDF files.\\nallowed-tools: Read\\n---\\nRead it.'
      const repertoire = await openRepertoire({ sources: [memorySource({ skills: { pdf: { 'SKILL.md': text } } })] })
      await repertoire.openSession({ agent: 'reader' })
      console.log(JSON.stringify([...loaded]))`
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder })
    const loaded = JSON.parse(printed.toString()) as readonly string[]
    const sizes = new Map(
      output.map((file) => [file.fileName, gzipSync(readFileSync(join(folder, file.fileName))).length]),
    )
    const start = loaded.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
    expect(loaded).toContain('index.js')
    expect(start).toBeLessThan(200_000)
    // Without what a skill must ask for (regular expressions, full YAML, templates, schemas) it would be 290 kB.
    expect([...sizes.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(410_000)
  })

  it('[NFR-4] imports the modules of skills by paths that bundlers leave alone', () => {
    const computed = builtFiles().flatMap(
      (file) => readFileSync(file, 'utf8').match(/\bimport\((?!["'])[^)]*\)/g) ?? [],
    )
    expect(computed).toEqual([expect.stringMatching(/^import\(\s*\/\* webpackIgnore: true \*\/\s*pathToFileURL\(/)])
  })

  // As a module, the process opens the standard streams, and Deno lacks some of its names.
  it('[NFR-4] imports no names from the process', () => {
    const imports = builtFiles().flatMap(
      (file) => readFileSync(file, 'utf8').match(/ from "node:(?:process|path)";$/gm) ?? [],
    )
    expect(imports).toContain(' from "node:path";')
    expect(imports).not.toContain(' from "node:process";')
  })

  it('[NFR-4] publishes readable code, and no source map', () => {
    expect(globSync('**/*.map', { cwd: built, exclude: (name) => name === 'node_modules' })).toEqual([])
    const parser = readFileSync(join(built, 'skill-md/index.js'), 'utf8')
    expect(parser).toMatch(/^\/\/ src\//m)
    expect(parser).not.toContain('sourceMappingURL')
  })
})
