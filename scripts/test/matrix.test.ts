import { checks, type Result } from '@repertoire/conformance'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { updateMatrix } from '../conformance-matrix.ts'
import { fingerprint, keepResults, keptResults } from '../conformance-results.ts'
import { makeWorkspace, type Workspace } from './workspace.ts'

const DOCUMENTS = ['README.md', 'docs/conformance.md']
const EMPTY = 'Before.\n\n<!-- conformance:begin -->\n\n<!-- conformance:end -->\n\nAfter.\n'

const passed: readonly Result[] = checks.map(({ id, level, title }) => ({
  adapter: 'One',
  id,
  level,
  title,
  status: 'pass',
  variants: [{ variant: 'plain', passed: true }],
}))

/** Tests that find the given results, in place of those that take as long as the real ones. */
const suite = (results: readonly Result[]) => `
  import { test } from 'vitest'
  for (const result of ${JSON.stringify(results)}) test(result.id, ({ task }) => { task.meta.conformance = result })
`

/** A repository whose tests are run by Vitest. */
async function workspace(tests = suite(passed)): Promise<Workspace> {
  const made = await makeWorkspace()
  for (const file of DOCUMENTS) await made.write(file, EMPTY)
  await made.write(
    'vitest.config.js',
    `export default { test: { projects: [{ root: 'packages/one', test: { name: 'one' } }] } }`,
  )
  await made.write('packages/one/test/conformance.test.ts', tests)
  return made
}

/** What came of bringing the matrix up to date. */
interface Updated {
  readonly isGood: boolean
  readonly said: string
  readonly hasRun: boolean
}

/** As the script does it, with a suite that keeps the given results at once. */
function update({ root }: Workspace, isCheck: boolean, results = passed): Updated {
  let said = ''
  let hasRun = false
  const runSuite = (): void => {
    hasRun = true
    keepResults(root, 'one', { fingerprint: fingerprint(root), results })
  }
  const isGood = updateMatrix({ root, isCheck, runSuite, say: (text) => (said += text) })
  return { isGood, said, hasRun }
}

/** The script itself, and the suite by Vitest. */
function matrix({ run, root }: Workspace, ...args: readonly string[]) {
  return run('node', '--conditions=@repertoire/source', join(root, 'scripts/matrix.ts'), ...args)
}

test('[CONF-3] writes the matrix of all adapters, by their folders, into both documents; then the check passes', async () => {
  const made = await workspace()
  expect(await matrix(made)).toMatchObject({
    code: 0,
    stdout: `README.md is written.\ndocs/conformance.md is written.\n${checks.length} checks of one: 0 results are failures\n`,
  })
  const [readme, list] = await Promise.all(DOCUMENTS.map((file) => readFile(join(made.root, file), 'utf8')))
  expect(readme).toMatch(/^Before\.\n\n<!-- conformance:begin -->\n\n\| Checks of +\| +one +\|\n/)
  expect(readme).toContain(`**✓ ${checks.length}**`)
  for (const { id } of checks) expect(list).toContain(`| ${id} `)
  expect(list).toMatch(/\|\n\n<!-- conformance:end -->\n\nAfter\.\n$/)

  expect(await matrix(made, '--check')).toMatchObject({ code: 0, stderr: '' })
  expect(update(made, false)).toMatchObject({ isGood: true, said: expect.not.stringContaining('written') })
})

test('[CONF-3] the check names a document that is out of date, the line and the remedy, and writes nothing', async () => {
  const made = await workspace()
  update(made, false)
  const written = await readFile(join(made.root, 'README.md'), 'utf8')
  const old = written.replace(`**✓ ${checks.length}**`, '**✓ 7**')
  expect(old).not.toBe(written)
  await made.write('README.md', old)
  const { isGood, said } = update(made, true)
  expect(isGood).toBe(false)
  expect(said).toContain('README.md is out of date. Run "npm run matrix" and commit what it writes.\n  is:     | **all')
  expect(said).toContain('**✓ 7**')
  expect(said).not.toContain('docs/conformance.md is')
  expect(await readFile(join(made.root, 'README.md'), 'utf8')).toBe(old)
})

test('[CONF-3] the check takes what the tests found of exactly these sources, and no run of its own', async () => {
  const made = await workspace()
  update(made, false)
  keepResults(made.root, 'one', { fingerprint: fingerprint(made.root), results: passed })
  // A suite that would find something else, were it run.
  expect(update(made, true, [])).toMatchObject({ isGood: true, hasRun: false })
})

test('[CONF-3] results of older sources do not pass: the suite runs again', async () => {
  const made = await workspace()
  update(made, false)
  await made.write('packages/one/src/conformance.ts', 'export const edited = 1\n')
  // Were the old results taken, the check would pass.
  expect(() => update(made, true, passed.slice(1))).toThrow('has not judged every check of every adapter')
})

test.each([
  ['a source', 'packages/one/src/conformance.ts'],
  ['a new source', 'packages/one/src/deep/new.ts'],
  ['a test', 'packages/one/test/setup.ts'],
  ['a skill', 'packages/one/skills/a/SKILL.md'],
  ['another package', 'packages/two/package.json'],
  ['the lockfile', 'pnpm-lock.yaml'],
])('[CONF-3] %s that is edited makes the sources others', async (_, file) => {
  const { root, write } = await workspace()
  const before = fingerprint(root)
  await write('packages/one/README.md', 'A document is not a source.\n')
  await write('packages/one/dist/index.js', 'built()\n')
  expect(fingerprint(root)).toBe(before)
  await write(file, '{}')
  expect(fingerprint(root)).not.toBe(before)
})

test('[CONF-3] results of only some checks, or of only some adapters, do not pass', async () => {
  const made = await workspace()
  update(made, false)
  const now = fingerprint(made.root)
  expect(update(made, true).hasRun).toBe(false)
  keepResults(made.root, 'one', { fingerprint: now, results: passed.slice(1) })
  expect(update(made, true).hasRun).toBe(true)
  await made.write('reports/conformance/one.json', '{ "fingerprint": ')
  expect(update(made, true).hasRun).toBe(true)
})

test('[CONF-3] what is edited while the suite runs does not make its results those of the edited sources', async () => {
  const made = await workspace()
  const source = JSON.stringify(join(made.root, 'packages/one/src/conformance.ts'))
  const edit = `import { writeFileSync } from 'node:fs'\nwriteFileSync(${source}, 'export const edited = 1')\n`
  await made.write('packages/one/test/conformance.test.ts', edit + suite(passed))
  expect(await matrix(made)).toMatchObject({ code: 0 })
  expect(keptResults(made.root, 'one')?.fingerprint).not.toBe(fingerprint(made.root))
})

test('[CONF-3] a failure is written down, and fails the run', async () => {
  const failed = { ...passed[0]!, status: 'fail' as const, reason: 'in plain: Not so.' }
  const made = await workspace()
  const { isGood, said } = update(made, false, [failed, ...passed.slice(1)])
  expect(isGood).toBe(false)
  expect(said).toContain(
    `one fails ${failed.id}: in plain: Not so.\n${checks.length} checks of one: 1 results are failures`,
  )
  expect(await readFile(join(made.root, 'README.md'), 'utf8')).toContain(`✓ ${checks.length - 1}, ✗ 1`)
  expect(await matrix(made, '--check')).toMatchObject({ code: 1, stdout: expect.stringContaining('1 results are') })
})

test('[CONF-3] says which document has no markers', async () => {
  const made = await workspace()
  await made.write('README.md', 'No place for it.\n')
  expect(() => update(made, false)).toThrow(
    'README.md needs the lines "<!-- conformance:begin -->" and "<!-- conformance:end -->"',
  )
})
