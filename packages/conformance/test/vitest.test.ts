import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Result } from '../src/report/report.ts'

const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs')
const here = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
let folder: string
let suites: Promise<ReadonlyMap<string, Suite>> | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repertoire-binding-'))
  const settings = {
    include: ['*.suite.ts'],
    isolate: false,
    maxWorkers: 1,
    hookTimeout: 60_000,
    execArgv: ['--conditions=@repertoire/source'],
    // As a person's installed packages, the sources are for Node to load.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  }
  const config = `export default ${JSON.stringify({ test: settings })}`
  await writeFile(join(folder, 'vitest.config.mjs'), config)
})
afterAll(() => rm(folder, { recursive: true }))

interface TestOutcome {
  readonly title: string
  readonly ancestorTitles: readonly string[]
  readonly status: string
  readonly failureMessages: string[]
  readonly meta: { readonly conformance?: Result }
}

interface Suite {
  readonly status: string
  readonly message: string
  readonly tests: readonly TestOutcome[]
}

const IMPORTS = [
  `import { describeConformance } from ${here('../src/vitest.ts')}`,
  `import { loopDriver } from ${here('./loop-driver.ts')}`,
  `import { checkOf } from ${here('./one-check.ts')}`,
]

const SUITES: Readonly<Record<string, string>> = {
  mixed: `
    const pass = async ({ conversation }) => void (await conversation.send('Hello.'))
    const fail = async () => { throw new Error('Not so.') }
    const checks = [
      checkOf(pass, { id: 'passes', title: 'passes' }),
      checkOf(fail, { id: 'fails', title: 'fails' }),
      checkOf(fail, { id: 'known', title: 'is known' }),
      checkOf(pass, { id: 'fixed', title: 'is fixed' }),
      checkOf(fail, { id: 'absent', title: 'is absent', needs: ['abort'] }),
      checkOf(pass, { id: 'present', title: 'is present', needs: ['abort'] }),
    ]
    const { capabilities } = loopDriver()
    describeConformance(
      loopDriver({
        capabilities: { ...capabilities, abort: { absent: 'no signal' } },
        known: { known: 'issue 12', fixed: 'issue 13' },
      }),
      { checks },
    )`,
  green: `describeConformance(loopDriver(), { only: ['gate-rules', 'cleanup-stuck-tool', 'listing-awkward'], seed: 3 })`,
  broken: `describeConformance(loopDriver({ known: { nonsense: 'x' } }))`,
}

/** How a suite ended in its own vitest, which runs them all. */
async function ended(name: string): Promise<Suite> {
  suites ??= runSuites()
  return (await suites).get(name)!
}

async function runSuites(): Promise<ReadonlyMap<string, Suite>> {
  for (const [name, body] of Object.entries(SUITES))
    await writeFile(join(folder, `${name}.suite.ts`), [...IMPORTS, body].join('\n'))
  const output = join(folder, 'results.json')
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${output}`],
    { stdio: 'ignore', env: { ...process.env, VITEST: undefined, CI: '1' } },
  )
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(1)
  const { testResults } = JSON.parse(await readFile(output, 'utf8')) as {
    testResults: { name: string; status: string; message: string; assertionResults: TestOutcome[] }[]
  }
  return new Map(
    testResults.map(({ name, status, message, assertionResults }) => [
      basename(name, '.suite.ts'),
      { status, message, tests: assertionResults },
    ]),
  )
}

test('[CONF-1, CONF-2] declares one test for each check, with what is known and not applicable visible by name', async () => {
  const { status: ending, tests } = await ended('mixed')
  expect(ending).toBe('failed')
  expect(tests.map(({ title, status }) => [title, status])).toEqual([
    ['passes', 'passed'],
    ['fails', 'failed'],
    ['is known (known: issue 12)', 'passed'],
    ['is fixed (known: issue 13)', 'failed'],
    ['is absent (n/a: no signal)', 'skipped'],
    ['is present (n/a: no signal)', 'failed'],
  ])
  const messages = tests.map(({ failureMessages }) => failureMessages.join('\n'))
  expect(messages[1]).toContain('Error: Not so.')
  expect(messages[3]).toContain('Remove "fixed" from')
  expect(messages[5]).toContain('present after all')
  // A reporter sees what the command's report would say.
  expect(tests.map(({ meta }) => [meta.conformance?.id, meta.conformance?.status])).toEqual([
    ['passes', 'pass'],
    ['fails', 'fail'],
    ['known', 'known'],
    ['fixed', 'fail'],
    ['absent', 'n/a'],
    ['present', 'fail'],
  ])
  expect(tests[1]!.meta.conformance).toMatchObject({
    level: 'MUST',
    reason: 'Not so.',
    variants: ['json', 'sse'],
  })
})

test('[CONF-1] passes where everything is as declared', async () => {
  const { status, tests } = await ended('green')
  expect(tests.map((each) => each.status)).toEqual(['passed', 'passed', 'passed'])
  // A seed chooses one of two variants, and the suite is named after it.
  expect(new Set(tests.map(({ ancestorTitles }) => ancestorTitles.join(' ')))).toEqual(
    new Set(['conformance of loop in "sse", seed 3']),
  )
  expect(tests.map(({ meta }) => meta.conformance === undefined)).toEqual([false, true, true])
  expect(status).toBe('passed')
})

test('[CONF-2] fails as a file where a driver knows a check that does not exist', async () => {
  const { status, message } = await ended('broken')
  expect(status).toBe('failed')
  expect(message).toContain('lists "nonsense" as known, and no check has that id')
})
