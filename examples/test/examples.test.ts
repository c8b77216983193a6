import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { packPackages, type Tarballs, useTarballs } from '../../scripts/packed-packages.ts'
import { raiseExamples } from '../../scripts/release/raise-examples.ts'
import { checkTypes, commandOf, EXAMPLES, linkDependencies, ROOT, runLine, temporaryExample } from './example.ts'
import { expectOutput } from './expected.ts'
import { useNextExample } from './nextjs-in-browser.ts'

test.each(['langgraph', 'mastra', 'openai-agents', 'sandbox'])(
  '[FRONT-2] the example %s runs without a key and without a network',
  async (name) => {
    const folder = temporaryExample(name)
    linkDependencies(name, folder)
    const environment = { NODE_OPTIONS: '--conditions=@repertoire/source' }
    expectOutput(name, await runLine('npm start --silent', folder, environment))
  },
)

test('[FRONT-2] the example evals replays its tape; RECORD_TAPES=1 records it again', async () => {
  const folder = temporaryExample('evals')
  linkDependencies('evals', folder)
  const environment = { NODE_OPTIONS: '--conditions=@repertoire/source' }
  const tape = join(ROOT, 'examples/evals/tape')
  if (process.env['RECORD_TAPES'] !== undefined) {
    rmSync(join(folder, 'tape'), { recursive: true })
    await runLine('npm start --silent', folder, { ...environment, RECORD: '1' })
    rmSync(tape, { recursive: true })
    cpSync(join(folder, 'tape'), tape, { recursive: true })
  }
  expectOutput('evals', await runLine('npm start --silent', folder, environment))
  const tested = await runLine(
    'npm test --silent -- --reporter=verbose --testTimeout=60000 --experimental.viteModuleRunner=false',
    folder,
    { ...environment, NO_COLOR: '1' },
  )
  expect(tested).toMatch(/✓ .*no refund for: Where is the parcel of order 7\?[^]*2 passed/)
})

test.each(EXAMPLES)('[FRONT-2] the example %s has at most 150 lines of code, and one page of README', (name) => {
  const linesOf = (patterns: readonly string[]): readonly string[] =>
    globSync(patterns, { cwd: join(ROOT, 'examples', name), exclude: ['**/node_modules', '**/.next', '**/generated'] })
      .flatMap((file) => readFileSync(join(ROOT, 'examples', name, file), 'utf8').split('\n'))
      .filter((line) => line.trim() !== '')
  expect(linesOf(['**/*.{ts,tsx,mjs}']).length).toBeLessThanOrEqual(150)
  expect(linesOf(['README.md']).length).toBeLessThanOrEqual(50)
})

/** The ranges of our packages in the examples of a repository. */
function rangesIn(root: string): readonly string[] {
  const texts = globSync('examples/*/package.json', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'))
  return texts.flatMap((text) =>
    [...text.matchAll(/"@?repertoire(?:\/[\w-]+)?": "([^"]+)"/g)].map(([, range]) => range!),
  )
}

test('[FRONT-2] all examples name the same version of our packages', () => {
  expect(new Set(rangesIn(ROOT)).size).toBe(1)
})

test('[FRONT-2, FRONT-4] a release raises the examples to its version, and changes nothing else in them', () => {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'raised-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'packages/core'), { recursive: true })
  writeFileSync(join(root, 'packages/core/package.json'), '{ "version": "0.7.1" }')
  for (const name of EXAMPLES) {
    mkdirSync(join(root, 'examples', name), { recursive: true })
    cpSync(join(ROOT, 'examples', name, 'package.json'), join(root, 'examples', name, 'package.json'))
  }
  const count = rangesIn(root).length
  expect(raiseExamples(root)).toBe('^0.7.1')
  expect(rangesIn(root)).toEqual(Array.from({ length: count }, () => '^0.7.1'))
  const [, of] = rangesIn(ROOT)
  for (const name of EXAMPLES) {
    const [raised, original] = [root, ROOT].map((at) =>
      readFileSync(join(at, 'examples', name, 'package.json'), 'utf8'),
    )
    expect(raised!.replaceAll('"^0.7.1"', `"${of}"`)).toBe(original)
  }
})

test('[FRONT-4] the version step of a release raises the examples', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  expect(scripts['version-packages']).toMatch(/^changeset version && node scripts\/release\/raise-examples\.ts/)
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
