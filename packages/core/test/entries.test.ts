import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
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

describe('the built entries', () => {
  beforeAll(() => {
    built = mkdtempSync(join(tmpdir(), 'repertoire-built-'))
    execFileSync(process.execPath, ['scripts/bundle.ts', built], { cwd: root })
    writeFileSync(join(built, 'package.json'), '{"type":"module"}')
  }, 120_000)

  afterAll(() => rmSync(built, { recursive: true, force: true }))

  it('[NFR-4] imports nothing of Node in the root entry', () => {
    const files = loadedBy(join(built, 'index.js'))
    const size = [...files.keys()].reduce((sum, file) => sum + readFileSync(file).length, 0)
    expect(size).toBeGreaterThan(100_000)
    const ofNode = [...files].flatMap(([file, names]) =>
      names.filter((name) => name.startsWith('node:') || builtins.has(name)).map((name) => `${file}: ${name}`),
    )
    expect(ofNode).toEqual([])
  })

  it('[NFR-4] uses no global of Node in the root entry', () => {
    const uses = [...loadedBy(join(built, 'index.js')).keys()].filter((file) => {
      const code = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return /(?<![.\w"'`])(process\s*[.[]|(Buffer|__dirname|__filename|setImmediate)\s*[.([])/.test(code)
    })
    expect(uses).toEqual([])
  })

  it('[NFR-4] has the entry for Node apart', () => {
    expect(existsSync(join(built, 'node/index.js'))).toBe(true)
    const names = [...loadedBy(join(built, 'node/index.js')).values()].flat()
    expect(names.some((name) => name.startsWith('node:'))).toBe(true)
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
})
