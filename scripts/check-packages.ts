import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

interface PackageJson {
  name: string
  private?: boolean
  exports?: Record<string, unknown>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

// Judges the tarballs as they would be published, since pnpm rewrites `exports` and versions while packing, and the
// declarations that go into them.
const tarballs = mkdtempSync(join(tmpdir(), 'repertoire-packages-'))
let failures = 0

try {
  for (const file of globSync('packages/*/package.json').toSorted()) {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as PackageJson
    const { name, private: hidden, exports = {} } = manifest
    if (hidden) continue
    report(name, 'declarations', strangersIn(dirname(file), manifest))
    const before = new Set(readdirSync(tarballs))
    if (!run('pnpm', ['--dir', dirname(file), 'pack', '--pack-destination', tarballs], name)) continue
    const tarball = join(
      tarballs,
      readdirSync(tarballs).find((entry) => !before.has(entry))!,
    )
    run('publint', ['--strict', tarball], name)
    // A package that is only a command has no types to judge.
    if ('.' in exports)
      run(
        'attw',
        ['--profile', 'esm-only', '--no-emoji', '--exclude-entrypoints', './package.json', '--', tarball],
        name,
      )
  }
} finally {
  rmSync(tarballs, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1

function run(command: string, args: string[], name: string): boolean {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  return report(name, command, status === 0 ? [] : [`${stdout}${stderr}${error?.message ?? ''}`])
}

function report(name: string, what: string, problems: readonly string[]): boolean {
  const ok = problems.length === 0
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}: ${what}\n`)
  if (!ok) {
    failures++
    process.stdout.write(`${problems.join('\n')}\n`)
  }
  return ok
}

/**
 * What declarations of the entries name that is not installed with the package: whoever compiles with `skipLibCheck: false`
 * gets an error for each, and elsewhere their types are `any`. Modules of Node are left out: programs for Node have their
 * types.
 */
function strangersIn(folder: string, { name, exports = {}, dependencies, peerDependencies }: PackageJson): string[] {
  const installed = [name, ...Object.keys({ ...dependencies, ...peerDependencies })]
  const isInstalled = (module: string): boolean =>
    module === 'node' ||
    module.startsWith('node:') ||
    installed.some((each) => module === each || module.startsWith(`${each}/`))
  const seen = new Set<string>()
  const strangers: string[] = []
  const visit = (file: string, from: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    if (!existsSync(file)) {
      strangers.push(`${from} names ${file}, which is not there.`)
      return
    }
    for (const module of namedIn(readFileSync(file, 'utf8'))) {
      if (module.startsWith('.')) visit(resolve(dirname(file), module.replace(/\.([cm]?)[jt]s$/, '.d.$1ts')), file)
      else if (!isInstalled(module)) strangers.push(`${file} names ${module}.`)
    }
  }
  for (const types of typesIn(exports)) visit(join(folder, types), 'package.json')
  return strangers
}

/** Every module that declarations name, in whatever way. */
function namedIn(declarations: string): readonly string[] {
  const references = [...declarations.matchAll(/^\/\/\/\s*<reference\s+types\s*=\s*["']([^"']+)["']/gm)]
  const code = declarations.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const modules = [...code.matchAll(/\b(?:from|import|require\s*\(|import\s*\(|declare\s+module)\s*["']([^"']+)["']/g)]
  return [...references, ...modules].map(([, module = '']) => module)
}

/** The declarations of `exports`, however deep the conditions lie. */
function typesIn(exports: unknown): readonly string[] {
  if (typeof exports !== 'object' || exports === null) return []
  return Object.entries(exports).flatMap(([condition, target]: [string, unknown]) =>
    condition === 'types' && typeof target === 'string' ? [target] : typesIn(target),
  )
}
