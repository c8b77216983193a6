import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseAst } from 'rolldown/parseAst'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const builtins = new Set(builtinModules)
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

/** The patterns of the literals of a program. */
function literalPatterns(code: string): readonly string[] {
  const patterns: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node) patterns.push((node.regex as { readonly pattern: string }).pattern)
    for (const part of Object.values(node)) visit(part)
  }
  visit(parseAst(code))
  return patterns
}

/** What a program does with a built package that lies beside it, and what comes of each. */
const PROGRAM = `
import { openRepertoire, parseSkill } from './index.js'
import { directorySource, loadConfiguration } from './node/index.js'

const outcomes = {}
const attempt = async (what, work) => {
  outcomes[what] = await Promise.resolve().then(work).then((value) => value ?? 'done', (error) => error.message)
}
const sources = [directorySource({ root: process.argv[2], layer: 'personal' })]
const call = (tool, input) => ({ id: crypto.randomUUID(), tool, input })
const allow = ['Bash(ls:*)', 'Read']
await attempt('list', async () => {
  const repertoire = await openRepertoire({ sources, policy: { allow, deny: ['Read(.env)'] } })
  if (repertoire.catalog.list().length !== 1) throw new Error('the skill is not found')
  const session = repertoire.openSession()
  if (session.beginStep(['Read']).tools.length === 0) throw new Error('the skill is not shown')
  if ((await session.reminder(() => false)) !== undefined) throw new Error('a reminder of nothing')
  await session.beginTurn('What is this?')
  await session.end()
  await repertoire.close()
})
await attempt('call', async () => {
  const session = (await openRepertoire({ sources, policy: { allow, deny: ['Read(.env)'] } })).openSession()
  session.beginStep(['Read'])
  const read = await session.call(call('Read', { file_path: 'a.md' }), async () => 'read')
  if (!read.ok) throw new Error(JSON.stringify(read))
})
await attempt('use', async () => {
  const repertoire = await openRepertoire({ sources, policy: { allow, deny: ['Read(.env)'] } })
  await repertoire.runTask({ consent: () => true }, async (session) => {
    session.beginStep(['Read'])
    const activated = await session.invoke({ skill: 'plain' })
    const read = await session.call(call('Read', { file_path: 'a.md' }), async () => 'read')
    if (!activated.ok || !read.ok) throw new Error(JSON.stringify([activated, read]))
  })
  await repertoire.close()
})
const command = async (policy) => {
  const repertoire = await openRepertoire({ sources, policy })
  const session = repertoire.openSession()
  session.beginStep(['Bash', 'Read'])
  const ran = []
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      session.call(call('Bash', { command: 'ls ' + index }), async () => ran.push(index)),
    ),
  )
  return ran.join(' ')
}
await attempt('allow', () => command({ allow }))
await attempt('deny', () => command({ deny: ['Bash(rm:*)'] }))
await attempt('protect', () => command({ protect: ['/etc/policy.json'] }))
await attempt('audit', async () => void (await openRepertoire({ sources, audit: { write() {} } })))
const skill = (lines) => '---\\nname: made\\ndescription: Is made.\\n' + lines + '---\\n~~~sh\\nls\\n~~~\\n'
await attempt('search', async () => {
  const { hits } = await (await openRepertoire({ sources })).catalog.search('plain')
  return hits[0].name
})
await attempt('configuration', async () => (await loadConfiguration({ file: false, env: {} })).profile)
await attempt('instruction', async () => (await parseSkill(skill(''))).definition.type)
await attempt('script', async () => (await parseSkill(skill('type: script\\n'))).definition.type)
await attempt('yaml', async () => (await parseSkill(skill('tags: &a [b]\\n'))).diagnostics[0].code)
console.log(JSON.stringify(outcomes))
`

describe('the built entries', () => {
  beforeAll(() => {
    built = mkdtempSync(join(tmpdir(), 'repertoire-built-'))
    execFileSync(process.execPath, ['scripts/bundle.ts', built], { cwd: root })
    writeFileSync(join(built, 'package.json'), '{"type":"module"}')
  }, 120_000)

  afterAll(() => rmSync(built, { recursive: true, force: true }))

  const ANYWHERE = [
    ['root entry', 'index.js'],
    ["adapters' entry", 'adapter.js'],
  ] as const

  it.each(ANYWHERE)('[NFR-4] imports nothing of Node in the %s', (_, entry) => {
    const files = loadedBy(join(built, entry))
    const size = [...files.keys()].reduce((sum, file) => sum + readFileSync(file).length, 0)
    expect(size).toBeGreaterThan(100_000)
    const ofNode = [...files].flatMap(([file, names]) =>
      names.filter((name) => name.startsWith('node:') || builtins.has(name)).map((name) => `${file}: ${name}`),
    )
    expect(ofNode).toEqual([])
  })

  it.each(ANYWHERE)('[NFR-4] uses no global of Node in the %s', (_, entry) => {
    const uses = [...loadedBy(join(built, entry)).keys()].filter((file) => {
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return /(?<![.\w"'`])(process\s*[.[]|(Buffer|__dirname|__filename|setImmediate)\s*[.([])/.test(code)
    })
    expect(uses).toEqual([])
  })

  it('[NFR-4] has the entry for Node apart', () => {
    expect(existsSync(join(built, 'node/index.js'))).toBe(true)
    const code = [...loadedBy(join(built, 'node/index.js')).keys()].map((file) => readFileSync(file, 'utf8'))
    expect(code.filter((text) => text.includes('getBuiltinModule("node:fs")'))).not.toEqual([])
  })

  it('[NFR-4] has one definition of each thing, whichever entry it is reached by', () => {
    const classes = globSync('**/*.js', { cwd: built }).flatMap((file) =>
      [...readFileSync(join(built, file), 'utf8').matchAll(/^var (\w+) = class |^class (\w+) /gm)].map(
        ([, a, b]) => a ?? b,
      ),
    )
    expect(classes).toContain('SkillError')
    expect(classes).toEqual([...new Set(classes)])
  })

  it('[NFR-4] has what only adapters need apart from the root entry, and nothing twice', () => {
    const filesOf = (entry: string): readonly string[] => importedBy(join(built, entry))
    const shared = filesOf('index.js').filter((file) => filesOf('adapter.js').includes(file))
    expect(shared).not.toEqual([])
    const modulesOf = (files: readonly string[]): readonly string[] =>
      files.flatMap((file) => readFileSync(file, 'utf8').match(/^\/\/ src\/.*$/gm) ?? [])
    expect(modulesOf(filesOf('index.js'))).not.toContain('// src/session/fork/sub-agent.ts')
    expect(modulesOf(filesOf('adapter.js'))).toContain('// src/session/fork/sub-agent.ts')
    const modules = modulesOf(globSync('**/*.js', { cwd: built }).map((file) => join(built, file)))
    expect(modules.length).toBeGreaterThan(100)
    expect(modules).toEqual([...new Set(modules)])
  })

  it('[NFR-4] evaluates no module of Node as an ES module', () => {
    const outside = ['index.js', 'adapter.js', 'stores.js', 'node/index.js'].flatMap((entry) =>
      importedBy(join(built, entry)).flatMap((file) => [
        ...readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*["']([^."'][^"']*)["'];$/gm),
      ]),
    )
    expect(outside.map(([, name]) => name)).toEqual([])
    const { href } = pathToFileURL(join(built, 'node/index.js'))
    const program = `import { directorySource } from '${href}'
      import { openRepertoire } from '${pathToFileURL(join(built, 'index.js')).href}'
      const sources = [directorySource({ root: ${JSON.stringify(join(root, 'skills'))}, layer: 'project' })]
      const shown = (await openRepertoire({ sources })).openSession().beginStep(['Read']).tools
      console.log(shown.length > 0 ? process.moduleLoadList.join() : 'no skills')`
    const flags = ['--input-type=module', '--eval', program]
    const loaded = execFileSync(process.execPath, flags, { encoding: 'utf8' }).trim().split(',')
    expect(loaded).toContain('NativeModule fs')
  })

  it('[NFR-1] reads full YAML from one file of its own', () => {
    const files = globSync('**/*.js', { cwd: built }).map((file) => [file, readFileSync(join(built, file), 'utf8')])
    const holding = files.filter(([, code]) => /^\/\/ .*node_modules\/yaml\/.*\.js$/m.test(code!))
    expect(holding.map(([file]) => file)).toEqual(['chunks/yaml-library.js'])
    const asking = files.filter(([, code]) => /(?:from |import\()["']yaml["']/.test(code!))
    expect(asking.map(([file]) => file)).toEqual([])
    expect(readFileSync(join(built, 'LICENSES.md'), 'utf8')).toMatch(/^# yaml \d/m)
  })

  it('[NFR-4] says what the entry for Node needs where there is no Node, as in a bundle for browsers', () => {
    const { href } = pathToFileURL(join(built, 'node/index.js'))
    const program = `const { stdout } = process
      delete globalThis.process
      await import('${href}').catch((error) => stdout.write(error.name + ': ' + error.message))`
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
    expect(said).toMatch(/^TypeError: @repertoire\/core\/node needs .*Node 22\.13/)
  })

  it('[NFR-4] imports the modules of skills by paths that bundlers leave alone', () => {
    const computed = globSync('**/*.js', { cwd: built }).flatMap(
      (file) => readFileSync(join(built, file), 'utf8').match(/\bimport\((?!["'])[^)]*\)/g) ?? [],
    )
    expect(computed).toEqual([expect.stringMatching(/^import\(\s*\/\* webpackIgnore: true \*\/\s*pathToFileURL\(/)])
  })

  it('[NFR-4] imports few files, of which none opens a repertoire', () => {
    const sizes = ['index.js', 'adapter.js', 'stores.js', 'node/index.js'].map((entry) => {
      const files = importedBy(join(built, entry))
      return { files: files.length, bytes: files.reduce((sum, file) => sum + readFileSync(file).length, 0) }
    })
    expect(Math.max(...sizes.map(({ files }) => files))).toBeLessThanOrEqual(5)
    const [anywhere = 0, adapter = 0, stores = 0, node = 0] = sizes.map(({ bytes }) => bytes)
    expect([anywhere, adapter, stores].filter((bytes) => bytes > 240_000)).toEqual([])
    expect(node).toBeLessThan(310_000)
  })

  it('[NFR-5] compiles with their files what is called until a model is shown its skills', () => {
    const atOnce = ['core', 'opening', 'fields', 'folders'].map((name) => {
      const code = readFileSync(join(built, `chunks/${name}.js`), 'utf8')
      return Array.from(code.matchAll(/^var (\w+) = \((?:async )?function ?\(/gm), ([, called]) => called)
    })
    expect(atOnce.flat()).toEqual(expect.arrayContaining(['openCatalog', 'readManifest', 'openRegularFile', 'fitList']))
    expect(atOnce.map(({ length }) => length > 20)).toEqual([true, true, true, true])
    // Not what programs need later, if ever.
    expect(atOnce.flat()).not.toContain('explainSkill')
  })

  it('[NFR-4] has source maps that name the lines of such functions', () => {
    const program = `import { openRepertoire } from '${pathToFileURL(join(built, 'index.js')).href}'
      console.log((await openRepertoire({}).catch((error) => error)).stack)`
    const flags = ['--enable-source-maps', '--input-type=module', '--eval', program]
    const stack = execFileSync(process.execPath, flags, { encoding: 'utf8', cwd: root })
    const [, message = '', file = '', line = ''] =
      /^TypeError: (.*)\n +at .*?([\w/.-]+src\/[\w/-]+\.ts):(\d+)/.exec(stack) ?? []
    expect([stack, message]).toEqual([stack, expect.stringContaining('sources')])
    const lines = readFileSync(join(root, file.slice(file.indexOf('src/'))), 'utf8').split('\n')
    expect(lines.slice(Number(line) - 3, Number(line)).join('\n')).toContain('TypeError')
  })

  it('[NFR-4] is read fast by engines: all ASCII, and no literals of Unicode properties', () => {
    const names = new Set(
      ['index.js', 'adapter.js', 'node/index.js'].flatMap((entry) => importedBy(join(built, entry))),
    )
    const files = [...names].map((file) => readFileSync(file, 'utf8'))
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter((code) => /[^\0-\x7F]/.test(code))).toEqual([])
    // Of a package of somebody else's, and small. See unicode-expression.ts for what others cost.
    const ofOthers = String.raw`^\p{Extended_Pictographic}[\p{Extended_Pictographic}\p{Emoji_Component}]*$`
    expect(files.flatMap(literalPatterns).filter((pattern) => /\\p/i.test(pattern))).toEqual([ofOthers])
  })

  describe('with what many programs never need', () => {
    /** Parts of the source that are files of their own, each by one that lies in it. */
    const APART = {
      commands: 'gate/allow/command.ts',
      'protected files': 'gate/protect/protected-file.ts',
      audit: 'session/audit/recorder.ts',
      definitions: 'manifest/definition/definition.ts',
      'full YAML': 'manifest/yaml/yaml.ts',
      search: 'catalog/searcher.ts',
      configuration: 'node/configuration/read.ts',
    }
    /** A library, which only activations and readers of documents need. */
    const CACHE = 'chunks/lru-cache.js'
    const WORK = 'chunks/work.js'
    const OPENING = 'chunks/opening.js'
    let skills: string

    beforeAll(() => {
      skills = mkdtempSync(join(tmpdir(), 'repertoire-skills-'))
      mkdirSync(join(skills, 'plain'))
      writeFileSync(join(skills, 'plain/SKILL.md'), '---\nname: plain\ndescription: Is plain.\n---\nDo it.\n')
    })

    afterAll(() => rmSync(skills, { recursive: true, force: true }))

    /** What comes of the program with a copy of the built package, after something is done to the copy. */
    function outcomes(change: (copy: string) => void = () => undefined): Record<string, string> {
      const copy = mkdtempSync(join(tmpdir(), 'repertoire-copy-'))
      try {
        cpSync(built, copy, { recursive: true })
        symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
        change(copy)
        writeFileSync(join(copy, 'program.js'), PROGRAM)
        return JSON.parse(execFileSync(process.execPath, [join(copy, 'program.js'), skills], { encoding: 'utf8' }))
      } finally {
        rmSync(copy, { recursive: true, force: true })
      }
    }

    const whole = {
      list: 'done',
      call: 'done',
      use: 'done',
      allow: '0 1 2 3 4 5 6 7',
      deny: '0 1 2 3 4 5 6 7',
      protect: '0 1 2 3 4 5 6 7',
      audit: 'done',
      search: 'plain',
      configuration: 'default',
      instruction: 'instruction',
      script: 'script',
      yaml: 'YAML_ALIAS',
    }

    it('[NFR-4, GATE-2] runs calls in their order, also while what judges them is imported', () => {
      expect(outcomes()).toEqual(whole)
    })

    it('[NFR-4] imports it when it is first needed, neither with the entries nor for a scan, an activation and a call', () => {
      const without = outcomes((copy) => {
        for (const [what, part] of Object.entries(APART)) {
          const holds = (file: string): boolean => readFileSync(join(copy, file), 'utf8').includes(`// src/${part}\n`)
          const files = globSync('**/*.js', { cwd: copy, exclude: ['node_modules'] }).filter(holds)
          expect([part, files.length]).toEqual([part, 1])
          writeFileSync(join(copy, files[0]!), `throw new Error('${what}')\n`)
        }
      })
      expect(without).toEqual({
        list: 'done',
        call: 'done',
        use: 'done',
        allow: 'commands',
        deny: 'commands',
        protect: 'protected files',
        audit: 'audit',
        search: 'search',
        configuration: 'configuration',
        instruction: 'instruction',
        script: 'definitions',
        yaml: 'full YAML',
      })
    })

    it('[NFR-4] imports what carries out calls with the first of them, neither for a list of skills nor for the end of a session', () => {
      const without = outcomes((copy) => {
        const code = readFileSync(join(copy, WORK), 'utf8')
        writeFileSync(join(copy, WORK), `throw new Error('calls')\n${code}`)
      })
      const needed = ['call', 'use', 'allow', 'deny', 'protect', 'audit', 'script'].map((what) => [what, 'calls'])
      expect(without).toEqual({ ...whole, ...Object.fromEntries(needed) })
    })

    it('[NFR-5] imports what opens a repertoire and reads manifests with the first of them', () => {
      const without = outcomes((copy) => writeFileSync(join(copy, OPENING), `throw new Error('opening')\n`))
      // The entries are imported all the same, and settings are read.
      expect(without).toEqual({
        ...Object.fromEntries(Object.keys(whole).map((what) => [what, 'opening'])),
        configuration: 'default',
      })
    })

    it('[NFR-4] imports the cache with the first activation, neither for a list of skills nor for a call', () => {
      const without = outcomes((copy) => writeFileSync(join(copy, CACHE), `throw new Error('cache')\n`))
      expect(without).toEqual({ ...whole, use: 'cache' })
    })
  })
})
