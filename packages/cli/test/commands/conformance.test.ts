import { type JsonReport, checks } from '@repertoire/conformance'
import { lacksClaudeCode } from '@repertoire/test-servers'
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, inProcess, repertoire, temporaryFolder, write } from '../command.ts'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
/** Those that run without `--adapter`. */
const ADAPTERS = ['ai-sdk', 'langchain', 'mastra', 'openai-agents', 'react-loop']
/** One check by hand is enough to see what the command does with results. */
const CHECK = checks.find(({ id }) => id === 'history-apart')!

function parsed({ stdout }: Ended): JsonReport {
  return JSON.parse(stdout) as JsonReport
}

// One for all tests: Node keeps what it has made of sources by their paths.
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'repertoire-installed-'))
  await cp(join(PACKAGE, 'src'), join(folder, 'src'), { recursive: true })
  await cp(join(PACKAGE, 'package.json'), join(folder, 'package.json'))
  await mkdir(join(folder, 'node_modules/@repertoire'), { recursive: true })
  for (const name of ['@repertoire/core', '@repertoire/conformance', 'commander', 'picocolors', 'string-width']) {
    await symlink(await realpath(join(PACKAGE, 'node_modules', name)), join(folder, 'node_modules', name))
  }
})
afterAll(() => rm(folder, { recursive: true }))

/**
 * The command as it is installed somewhere else: its own sources and what it needs, but of adapters only a
 * `@repertoire/react-loop` of the given source.
 */
async function installed(reactLoop: string): Promise<string> {
  const exports = { './conformance': './conformance.js' }
  await write(join(folder, 'node_modules/@repertoire/react-loop'), {
    'package.json': JSON.stringify({ name: '@repertoire/react-loop', type: 'module', exports }),
    'conformance.js': reactLoop,
  })
  return join(folder, 'src/main.ts')
}

/** The source of a driver that does nothing but what is given as the body of `start`. */
function driver(start: string, more = ''): string {
  const capabilities = ['suspend', 'resume', 'abort', 'parallelCalls', 'hiding'].map(
    (name) => `${name}: { absent: 'no' }`,
  )
  return `export const reactLoopDriver = {
    name: 'react-loop', variants: [{ name: 'plain' }], capabilities: { ${capabilities.join(', ')} }, ${more}
    async start() { ${start} },
  }`
}

/** Judges a driver of the given source, in this process and as a module, and not as what is installed. */
async function asModule(cwd: string, source: string, ...args: readonly string[]): Promise<Ended> {
  await write(cwd, { 'driver.mjs': source })
  return inProcess(['conformance', '--driver', 'driver.mjs', '--check', CHECK.id, ...args], { cwd })
}

describe('conformance', () => {
  it('[CONF-1] judges every adapter but slow ones by its own process, with JSON alone on stdout', async () => {
    const cwd = await temporaryFolder()
    const ended = await repertoire(['conformance', '--check', CHECK.id, '--json'], { cwd })
    const { id, level, title } = CHECK
    expect(parsed(ended)).toEqual({
      adapters: ADAPTERS,
      results: ADAPTERS.map((adapter) => ({ adapter, id, level, title, status: 'pass', variants: expect.anything() })),
    })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
  })

  it('[CONF-1] judges the adapters that are named, each once and in this order', async () => {
    const cwd = await temporaryFolder()
    const args = ['--adapter', 'react-loop', '--adapter', 'ai-sdk', 'react-loop', '--check', CHECK.id, '--json']
    expect(parsed(await inProcess(['conformance', ...args], { cwd })).adapters).toEqual(['react-loop', 'ai-sdk'])
  })

  it('[CONF-3] writes the report for a terminal, as Markdown, JSON and JUnit', async () => {
    const cwd = await temporaryFolder()
    const report = async (...args: string[]) =>
      (await inProcess(['conformance', '--adapter', 'react-loop', '--check', CHECK.id, ...args], { cwd })).stdout
    expect(await report()).toMatch(new RegExp(`react-loop\n[^]*✓ +${CHECK.id} [^]*\nreact-loop: ✓ 1 passed\n$`))
    expect(await report('--format', 'markdown')).toMatch(/^# Conformance\n/)
    expect(await report('--format', 'junit')).toMatch(/^<\?xml .*\n<testsuites /)
    expect(await report('--json')).toMatch(/^\{\n  "adapters"/)
  })

  it('[CONF-3] draws the report for a terminal in its width and colours', async () => {
    const cwd = await temporaryFolder()
    const args = ['conformance', '--adapter', 'react-loop', '--check', CHECK.id]
    const { stdout, stderr } = await inProcess(args, { cwd, terminal: { columns: 60 } })
    expect(stdout).toContain('\u001B[32m')
    // oxlint-disable-next-line no-control-regex -- colours take no columns
    const plain = stdout.replaceAll(/\u001B\[\d+m/g, '')
    expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
    expect(stderr).toContain('\r\u001B[K1 of 1 checks')
    expect(stderr.endsWith('\r\u001B[K')).toBe(true)
  })

  it('[CONF-3] writes the report to a file, and shows it on stdout for a person', async () => {
    const cwd = await temporaryFolder()
    const args = [
      'conformance',
      '--adapter',
      'react-loop',
      '--check',
      CHECK.id,
      '--format',
      'junit',
      '--output',
      'report.xml',
    ]
    const ended = await inProcess(args, { cwd })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain('react-loop: ✓ 1 passed\n')
    expect(await readFile(join(cwd, 'report.xml'), 'utf8')).toMatch(/^<\?xml /)
  })

  it('[CONF-3] says before the run that a report cannot be written, and leaves nothing behind', async () => {
    const cwd = await temporaryFolder()
    for (const [output, text] of [
      ['gone/report.xml', /there is no folder .*gone.*Make it first/],
      ['.', /is a folder/],
      ['', /--output is empty/],
    ] as const) {
      const ended = await inProcess(['conformance', '--output', output], { cwd })
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr).toMatch(text)
    }
    expect(await readdir(cwd)).toEqual([])
  })

  it('[CONF-1] ends with 2 for an adapter or a check that is not known, and names the known ones', async () => {
    const cwd = await temporaryFolder()
    const adapter = await inProcess(['conformance', '--adapter', 'autogen'], { cwd })
    expect(adapter).toMatchObject({ code: 2, stdout: '' })
    expect(adapter.stderr).toContain('ai-sdk, claude-agent, langchain, mastra, openai-agents, react-loop')
    for (const [id, meant] of [
      ['gate-rues', ' Did you mean "gate-rules"'],
      ['constructor', ''],
    ] as const) {
      const check = await inProcess(['conformance', '--check', id], { cwd })
      expect(check).toMatchObject({ code: 2, stdout: '' })
      expect(check.stderr).toContain(`There is no check "${id}".${meant}`)
      expect(check.stderr).toContain('conformance --list')
    }
    const both = await inProcess(['conformance', '--json', '--format', 'junit'], { cwd })
    expect(both.code).toBe(2)
  })

  it('[CONF-2] ends with 1 where an adapter fails, and says why', async () => {
    const cwd = await temporaryFolder()
    const main = await installed(driver(`throw new Error('cannot start \\u001B[31m')`))
    const args = ['conformance', '--adapter', 'react-loop', '--check', CHECK.id]
    const json = await repertoire([...args, '--json'], { cwd, main })
    expect(json).toMatchObject({ code: 1, stderr: '' })
    expect(parsed(json).results).toMatchObject([{ adapter: 'react-loop', id: CHECK.id, status: 'fail' }])
    expect(parsed(json).results[0]!.reason).toContain('cannot start')
    const shown = await asModule(cwd, driver(`throw new Error('cannot start \\u001B[31m')`))
    expect(shown.code).toBe(1)
    expect(shown.stdout).toContain(String.raw`cannot start \u{1B}[31m`)
    expect(shown.stdout).toContain('react-loop: ✗ 1 failed\n')
  })

  it('[CONF-2] ends with 0 where what fails is known, and shows the reason', async () => {
    const cwd = await temporaryFolder()
    const known = `known: { '${CHECK.id}': 'not done yet' },`
    const ended = await asModule(cwd, driver(`throw new Error('cannot start')`, known), '--json')
    expect(ended.code).toBe(0)
    expect(parsed(ended).results).toMatchObject([{ status: 'known', reason: 'not done yet' }])
  })

  it('[CONF-1] keeps what a framework says on the console away from stdout', async () => {
    const cwd = await temporaryFolder()
    const noise = `console.log('noise'); console.info('noise'); console.debug('noise'); throw new Error('no')`
    const main = await installed(driver(noise))
    const args = ['conformance', '--adapter', 'react-loop', '--check', CHECK.id, '--json']
    const ended = await repertoire(args, { cwd, main })
    expect(parsed(ended).results).toHaveLength(1)
    expect(ended.stderr).toBe('noise\n'.repeat(3))
  })

  it('[CONF-1] ends with 2 where an adapter brings the process down', async () => {
    const cwd = await temporaryFolder()
    const crash = `await new Promise(() => setImmediate(() => { throw new Error('left \\u001B[2J behind') }))`
    const main = await installed(driver(crash))
    const args = ['conformance', '--adapter', 'react-loop', '--check', CHECK.id, '--json']
    const ended = await repertoire(args, { cwd, main })
    expect(ended.code).toBe(2)
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'FAILED' } })
    expect(ended.stderr).toContain(String.raw`error: An error was left uncaught. Error: left \u{1B}[2J behind`)
  })

  it('[CONF-1] ends with 2 where an adapter is not installed or of another version, and says what to install', async () => {
    const cwd = await temporaryFolder()
    const main = await installed('export const somethingElse = 1')
    const ended = await repertoire(['conformance'], { cwd, main })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toMatch(/"ai-sdk" is not installed: .*npm install --save-dev @repertoire\/ai-sdk, /)
    expect(ended.stderr).toMatch(/"langchain" is not installed: .*npm install --save-dev @repertoire\/langchain, /)
    expect(ended.stderr).toMatch(/"react-loop" that is installed has no driver/)
    expect(ended.stderr).toContain('--adapter')
  })

  it('[CONF-1] leaves variants out whose package is not installed, and says so in every report', async () => {
    const cwd = await temporaryFolder()
    const variants = `variants: [{ name: 'plain' }, { name: 'vendor', load: () => import('no-such-vendor') }],`
    const source = driver(`throw new Error('cannot start')`, variants)
    const reason = 'The package "no-such-vendor" is not installed. Run: npm install --save-dev no-such-vendor'
    const args = ['conformance', '--adapter', 'react-loop', '--check', CHECK.id, '--json']
    const json = await repertoire(args, { cwd, main: await installed(source) })
    expect(parsed(json).leftOut).toEqual([{ adapter: 'react-loop', variant: 'vendor', reason }])
    expect(parsed(json).results[0]!.reason).toContain('cannot start')
    const shown = await asModule(cwd, source)
    expect(shown.stdout.replaceAll(/\s+/g, ' ')).toContain(`Not run: vendor of react-loop. ${reason}`)
    const markdown = await asModule(cwd, source, '--format', 'markdown')
    expect(markdown.stdout).toContain('Not run: vendor of react-loop')
  })

  it('[CONF-1] ends with 2 before it begins where no variant of an adapter can be run', async () => {
    const cwd = await temporaryFolder()
    const source = driver('', `variants: [{ name: 'vendor', load: () => import('no-such-vendor') }],`)
    const ended = await asModule(cwd, source)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(
      'No variant of "react-loop" can be run. The package "no-such-vendor" is not installed.',
    )
  })

  it('[CONF-1, ADPT-8] ends with 2 where the Claude Agent SDK is installed without Claude Code, and says what to do', async () => {
    const cwd = await temporaryFolder()
    const args = ['conformance', '--adapter', 'claude-agent', '--check', CHECK.id]
    const ended = await repertoire(args, { cwd })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain('No variant of "claude-agent" can be run. Claude Code is not installed. Install')
  })

  it.skipIf(lacksClaudeCode())(
    '[CONF-1, ADPT-8] judges the adapter for the Claude Agent SDK with the program that is named (needs Claude Code)',
    async () => {
      const cwd = await temporaryFolder()
      const env = { CLAUDE_CODE_EXECUTABLE: process.env['CLAUDE_CODE_EXECUTABLE'] ?? '' }
      const args = ['conformance', '--adapter', 'claude-agent', '--check', 'gate-stack', '--json']
      const ended = await repertoire(args, { cwd, env })
      expect(parsed(ended).results).toMatchObject([{ adapter: 'claude-agent', status: 'pass' }])
    },
  )

  it('[CONF-1] names in its examples, and on its pages, checks that exist', async () => {
    const pages = await Promise.all(
      ['README.md', '../../docs/adapters.md'].map((path) => readFile(join(PACKAGE, path), 'utf8')),
    )
    const { stdout } = await inProcess(['conformance', '--help'], { cwd: folder })
    const named = [stdout, ...pages].flatMap((text) => [...text.matchAll(/--check ([\w-]+)/g)].map(([, id]) => id))
    expect(named).toEqual(expect.arrayContaining(['gate-rules', 'gate-stack']))
    expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(named))
  })

  it('[CONF-1] lists checks and variants, and runs nothing', async () => {
    const cwd = await temporaryFolder()
    const args = ['conformance', '--adapter', 'ai-sdk', '--check', CHECK.id]
    const listed = await inProcess([...args, '--list', '--json'], { cwd })
    const { id, level, title } = CHECK
    expect(JSON.parse(listed.stdout)).toEqual({
      adapters: [{ name: 'ai-sdk', variants: expect.arrayContaining(['generateText, Gemini']) as unknown }],
      checks: [{ id, level, title }],
    })
    const all = await inProcess(['conformance', '--adapter', 'react-loop', '--list'], { cwd })
    expect(all).toMatchObject({ code: 0, stderr: '' })
    expect(all.stdout).toMatch(/^react-loop: native; native stream; sessions; /)
    for (const check of checks) expect(all.stdout).toContain(check.id)
  })

  describe('--driver', () => {
    const GUIDE = fileURLToPath(new URL('../../conformance/test/careless/driver.ts', new URL('..', import.meta.url)))
    const judge = (cwd: string, ...args: readonly string[]) =>
      repertoire(['conformance', '--check', CHECK.id, '--json', ...args], { cwd })

    it("[CONF-1] judges the adapter of a person's own, alone, by its module", async () => {
      const cwd = await temporaryFolder()
      const ended = await inProcess(['conformance', '--check', CHECK.id, '--json', '--driver', GUIDE], { cwd })
      const adapters = ['careful agent', 'careful conversation']
      const results = adapters.map((adapter) => ({ adapter, id: CHECK.id, status: 'pass' }))
      expect(parsed(ended)).toMatchObject({ adapters, results })
      expect(ended).toMatchObject({ code: 0, stderr: '' })
    })

    it('[CONF-1] judges each driver that modules export, by any name and in lists, once, behind the adapters that are named', async () => {
      const cwd = await temporaryFolder()
      await write(cwd, {
        'one.mjs': `${driver(`throw new Error('cannot start')`)}
          const named = (name) => ({ ...reactLoopDriver, name })
          export const list = [named('a'), named('b')]
          export { list as default }
          export const numbers = [1, 2], server = { start() {} }, reactLoop = named('c'), nothing = null
        `.replace('export const reactLoopDriver', 'const reactLoopDriver'),
        'two.mjs': `console.log('noise')\n${driver(`throw new Error('no')`)}`.replace(`'react-loop'`, `'own'`),
      })
      const ended = await judge(cwd, '--driver', 'one.mjs', '--driver', './two.mjs', '--adapter', 'react-loop')
      expect(parsed(ended).adapters).toEqual(['react-loop', 'a', 'b', 'c', 'own'])
      expect(parsed(ended).results.map(({ status }) => status)).toEqual(['pass', 'fail', 'fail', 'fail', 'fail'])
      expect(ended).toMatchObject({ code: 1, stderr: 'noise\n' })
    })

    it('[CONF-1] says what Node itself makes of a module', async () => {
      const cwd = await temporaryFolder()
      await write(cwd, { 'strange.txt': 'text', 'syntax.mjs': 'export const = 1' })
      for (const [file, text] of [
        ['strange.txt', /strange\.txt cannot be imported\. .*compile it/],
        ['syntax.mjs', /syntax\.mjs cannot be imported\. SyntaxError: .*\. Run "node syntax\.mjs" to see where\.\n$/],
      ] as const) {
        const ended = await judge(cwd, '--driver', file)
        expect(ended.code).toBe(2)
        expect(ended.stderr).toMatch(text)
      }
    })

    it('[CONF-1] says what keeps a driver from being loaded: file, import, exports, shape, name', async () => {
      const cwd = await temporaryFolder()
      await write(cwd, {
        'throws.mjs': `export const broken = (() => { throw new Error('left \\u001B[2J behind') })()`,
        'string.mjs': `throw 'no error'`,
        'needs.mjs': `import 'no-such-package'`,
        'empty.mjs': '',
        'function.mjs': 'export function createDriver() {}\nexport const version = 1',
        'shape.mjs': `export default { name: 'mine', variants: [], capabilities: {}, start() {} }`,
        'same.mjs': driver(''),
      })
      const cases: readonly (readonly [readonly string[], RegExp])[] = [
        [['gone.mjs'], /--driver gone\.mjs: there is no file .*gone\.mjs\. Check/],
        [['empty.mjs/x.mjs'], /there is no file/],
        [['.'], /there is no file/],
        [[''], /--driver is empty/],
        [['throws.mjs'], /throws\.mjs cannot be imported\. Error: left \\u\{1B\}\[2J behind\n +at .*throws\.mjs/],
        [['string.mjs'], /cannot be imported\. It throws: no error/],
        [['needs.mjs'], /cannot be imported\. [^]*no-such-package/],
        [['empty.mjs'], /exports no driver and nothing else\. Export an object/],
        [['function.mjs'], /exports no driver, only: createDriver, version\. Export an object/],
        [['shape.mjs'], /The driver "mine" has no variants/],
        [['same.mjs', '--adapter', 'react-loop'], /Two drivers are named "react-loop"/],
      ]
      for (const [args, text] of cases) {
        const ended = await inProcess(['conformance', '--check', CHECK.id, '--driver', ...args], { cwd })
        expect({ ...ended, args }).toMatchObject({ code: 2, stdout: '', args })
        expect(ended.stderr).toMatch(text)
        expect(ended.stderr).not.toMatch(/Repertoire itself failed|node:internal/)
      }
    })
  })
})
