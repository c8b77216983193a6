import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packPackages, type Tarballs, useTarballs } from '../../scripts/packed-packages.ts'
import {
  checkTypes,
  commandOf,
  dependenciesOf,
  EXAMPLES,
  linkDependencies,
  ROOT,
  runLine,
  temporaryExample,
} from './example.ts'
import { expectOutput } from './expected.ts'
import { useNextExample } from './nextjs-in-browser.ts'

test.each(['langgraph', 'sandbox'])(
  '[FRONT-2] the example %s runs without a key and without a network',
  async (name) => {
    const folder = temporaryExample(name)
    linkDependencies(name, folder)
    const environment = { NODE_OPTIONS: '--conditions=@repertoire/source' }
    expectOutput(name, await runLine('npm start --silent', folder, environment))
  },
)

test.each(EXAMPLES)('[FRONT-2] the example %s has at most 150 lines of code, and one page of README', (name) => {
  const linesOf = (patterns: readonly string[]): readonly string[] =>
    globSync(patterns, { cwd: join(ROOT, 'examples', name), exclude: ['**/node_modules', '**/.next', '**/generated'] })
      .flatMap((file) => readFileSync(join(ROOT, 'examples', name, file), 'utf8').split('\n'))
      .filter((line) => line.trim() !== '')
  expect(linesOf(['**/*.{ts,tsx,mjs}']).length).toBeLessThanOrEqual(150)
  expect(linesOf(['README.md']).length).toBeLessThanOrEqual(50)
})

test('[FRONT-2] all examples name the same version of our packages', () => {
  const ranges = EXAMPLES.flatMap((name) =>
    Object.entries(dependenciesOf(name)).flatMap(([dependency, range]) =>
      dependency.startsWith('@repertoire/') ? [range] : [],
    ),
  )
  expect(new Set(ranges).size).toBe(1)
})

describe.skipIf(process.env['CI'] === undefined)('[FRONT-2] with packed packages', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'examples-packed-'))
  let tarballs: Tarballs
  beforeAll(() => {
    execFileSync('npx', ['turbo', 'run', 'build', '--filter=./packages/*'], { cwd: ROOT, stdio: 'inherit' })
    tarballs = packPackages(folder)
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(EXAMPLES)(
    'the command in the README of %s installs it and runs it (only with CI set)',
    async (name) => {
      const copy = temporaryExample(name)
      useTarballs(copy, tarballs)
      const quick = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
      if (name === 'nextjs') return useNextExample(commandOf(name), copy, quick)
      expectOutput(name, await runLine(commandOf(name), copy, quick))
      await checkTypes(copy)
    },
    600_000,
  )

  test('`npm run example` runs one in a checkout (only with CI set)', async () => {
    expectOutput('hono-redis', await runLine('node scripts/example.ts hono-redis', ROOT))
  }, 300_000)
})
