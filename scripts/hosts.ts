// Judges systems that load skills: npm run hosts, or npm run hosts -- mastra voltagent for some of them.
//
// The drivers of other systems are in hosts/, with a lock file of their own, so that only this installs the systems.
// Their types are checked first. Each system runs in its own process, since one that ends the process must not end
// the others. The reports are in reports/hosts.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { hostFacts, hostResults, type HostReport, hostSummary } from './hosts/tables.ts'

const HOSTS = resolve('hosts')
const REPORTS = resolve('reports/hosts')
const PAGE = resolve('docs/other-loaders.md')
const RESULTS = join(HOSTS, 'results.md')
/** What "repertoire check" knows. */
const FACTS = resolve('packages/cli/src/loaders.json')
/** Our own driver, which is the last column. */
const OWN = { name: 'repertoire', file: resolve('packages/ai-sdk/test/repertoire-host.ts') }
const { positionals, values } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })

const drivers = [
  ...globSync('drivers/*.ts', { cwd: HOSTS })
    .map((file) => ({ name: basename(file, '.ts'), file: join(HOSTS, file) }))
    .toSorted((one, other) => one.name.localeCompare(other.name)),
  OWN,
]
const unknown = positionals.filter((name) => drivers.every((driver) => driver.name !== name))
if (unknown.length > 0) {
  fail(`There is no driver ${unknown.join(', ')}. Known are: ${drivers.map(({ name }) => name).join(', ')}.`)
}
install()
checkTypes()
mkdirSync(REPORTS, { recursive: true })
const reports = drivers
  .filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  .flatMap((driver) => judge(driver) ?? [])
if (values.write) {
  if (positionals.length > 0) fail('The page has every system. Leave the names out to write it.')
  if (reports.length < drivers.length) fail('A system has no report, so the page is not written.')
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), hostSummary(reports)))
  writeFileSync(RESULTS, hostResults(reports))
  writeFileSync(FACTS, JSON.stringify(hostFacts(reports)))
  process.stdout.write(
    `The results are in docs/other-loaders.md, hosts/results.md and ${FACTS}. Run npx oxfmt on all three.\n`,
  )
}

function install(): void {
  const lock = readFileSync(join(HOSTS, 'package-lock.json'), 'utf8')
  const stamp = join(HOSTS, 'node_modules/.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--legacy-peer-deps'], {
    cwd: HOSTS,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, lock)
}

function checkTypes(): void {
  const { status } = spawnSync('npx', ['tsc', '-p', join(HOSTS, 'tsconfig.json')], { stdio: 'inherit' })
  if (status !== 0) fail('The drivers in hosts/ have errors of types. Correct them first.')
}

/** Judges one system and returns its report; undefined, after saying so, if its process ended without one. */
function judge({ name, file: driver }: { name: string; file: string }): HostReport | undefined {
  const file = join(REPORTS, `${name}.json`)
  const command = ['conformance', '--host', driver, '--json', '--output', file]
  const { status } = spawnSync(
    process.execPath,
    ['--conditions=@repertoire/source', 'packages/cli/src/main.ts', ...command],
    { stdio: 'inherit' },
  )
  // 1: a check failed, which is a result.
  if (status === 0 || status === 1) return JSON.parse(readFileSync(file, 'utf8')) as HostReport
  process.exitCode = 1
  process.stderr.write(`The process that judged ${name} ended without a report.\n`)
  return undefined
}

/** Replaces what is between the two marks of the page. */
function withTable(page: string, table: string): string {
  const [before, after] = ['<!-- tables -->', '<!-- end of tables -->'].map((mark) => page.indexOf(mark))
  if (before === -1 || after === -1) fail('docs/other-loaders.md has lost the marks of its table.')
  return `${page.slice(0, before)}<!-- tables -->\n\n${table}\n\n${page.slice(after)}`
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
