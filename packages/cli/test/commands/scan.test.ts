import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { beforeEach, expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

let root: string
let cwd: string

const REPORT = (recommendation: string) => ({
  risk_assessment: { recommendation },
  issues: [
    { id: 'E2', severity: 'HIGH', explanation: 'Reads\u001B secrets.', location: { file: 'a.sh', start_line: 4 } },
  ],
  metadata: { skillspector_version: '2.11.3' },
})

/** A scanner that ends with the verdict of its last argument. */
const SCANNER = `const report = ${JSON.stringify(REPORT('VERDICT'))}
report.risk_assessment.recommendation = process.argv.at(-1)
console.log(JSON.stringify(report))`

beforeEach(async () => {
  root = await temporaryFolder()
  cwd = join(root, 'project')
  await write(root, {
    'project/package.json': '{}',
    'a folder/scan.mjs': SCANNER,
    'scan.mjs': SCANNER,
    'src/skills/pdf/SKILL.md': `${manifest('pdf')}<!-- a secret -->\n`,
  })
})

const words = (verdict: string) => [process.execPath, join(root, 'a folder/scan.mjs'), '{path}', verdict]
const option = (verdict: string) => `${process.execPath} ${join(root, 'scan.mjs')} {path} ${verdict}`
const command = (args: readonly string[], env = {}) => inProcess(args, { cwd, env })

it('[LIB-12, LIB-15] add shows the facts and what a scanner said; its verdict stops it, with valid JSON', async () => {
  const shown = await command(['add', '../src', '--yes', '--scan', option('CAUTION')])
  expect(shown).toMatchObject({ code: 0 })
  expect(shown.stdout).toMatch(/^ {4}comments +SKILL\.md:7 "a secret"$/m)
  expect(shown.stdout).toMatch(/^ {4}scan +SkillSpector 2\.11\.3: caution, 1 finding$/m)
  expect(shown.stdout).toMatch(/^ {4} +error E2 a\.sh:4: Reads\\u\{1B\} secrets\.$/m)
  expect(JSON.parse(readFileSync(join(cwd, 'skills-lock.json'), 'utf8'))).toMatchObject({
    skills: { pdf: { repertoire: { scan: { scanner: 'SkillSpector', version: '2.11.3', verdict: 'caution' } } } },
  })
  await write(root, { 'src/skills/csv/SKILL.md': manifest('csv') })
  for (const more of [[], ['--dry-run'], ['--force', '--scan-optional']]) {
    const refused = await command(['add', '../src', '--yes', ...more, '--scan', option('DO_NOT_INSTALL')])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('refuses "csv"') as string })
    expect(refused.stdout).toContain('SkillSpector 2.11.3: refused')
  }
  const json = await command(['add', '../src', '--yes', '--json', '--scan', option('DO_NOT_INSTALL')])
  expect(JSON.parse(json.stdout)).toMatchObject({ written: false, error: { code: 'SCAN_REFUSED' } })
  expect(existsSync(join(cwd, '.agents/skills/csv'))).toBe(false)
})

it("[LIB-15] the user's own file names a scanner for add, update and install, and a project's never does", async () => {
  const env = { XDG_CONFIG_HOME: join(root, 'config') }
  const settings = (verdict: string) => ({
    'config/repertoire/repertoire.config.json': JSON.stringify({ scan: words(verdict) }),
  })
  await write(root, { 'project/.repertoire/config.json': JSON.stringify({ scan: words('DO_NOT_INSTALL') }) })
  await write(root, { 'project/.env': 'XDG_CONFIG_HOME=.\n' })
  expect(await command(['add', '../src', '--yes'])).toMatchObject({ code: 0 })
  await write(root, { ...settings('DO_NOT_INSTALL'), 'src/skills/pdf/new.md': 'new' })
  const stopped = { code: 1, stderr: expect.stringContaining('refuses "pdf"') as string }
  expect(await command(['add', '../src', '--yes'], env)).toMatchObject(stopped)
  expect(await command(['update', '--yes'], env)).toMatchObject(stopped)
  await write(root, settings('SAFE'))
  expect(await command(['update', '--yes'], env)).toMatchObject({ code: 0 })
  // What is typed comes before the file.
  const typed = ['update', '--yes', '--scan', option('DO_NOT_INSTALL')]
  expect(await command(typed, env)).toMatchObject({ code: 0 })
  await write(root, { 'src/skills/pdf/new.md': 'newer' })
  expect(await command(typed, env)).toMatchObject(stopped)
  await write(root, { 'config/repertoire/repertoire.config.json': JSON.stringify({ scan: ['scan'] }) })
  const wrong = await command(['install'], env)
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('one of them with {path}') as string })
})

it('[LIB-12, LIB-15] a scanner that fails stops it unless it is optional, and a wrong command ends with 2', async () => {
  const failed = await command(['add', '../src', '--yes', '--scan', 'no-such-scanner {path}'])
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no such program') as string })
  const optional = ['add', '../src', '--yes', '--scan', 'no-such-scanner {path}', '--scan-optional']
  expect(await command(optional)).toMatchObject({ code: 0 })
  for (const scan of ['scan', '{path}', '', 'scan "{path}"', './no/such {path']) {
    expect([scan, (await command(['add', '../src', '--scan', scan])).code]).toEqual([scan, 2])
  }
})
