import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { applyPlan, planAdd, planInstall, planUpdate, readSkillsLock, type ScanOptions } from '@repertoire/library'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { filesIn, originOf, put } from './project.ts'

/** A scanner that is its own program: `body` sees its folder as `path`. */
function scanner(body: string, more: Partial<ScanOptions> = {}): ScanOptions {
  const file = join(temporaryFolder(), 'scan.mjs')
  writeFileSync(file, `import fs from 'node:fs'\nconst path = process.argv[2]\n${body}\n`)
  return { command: [process.execPath, file, '{path}'], ...more }
}

const write = (report: unknown): string => `process.stdout.write(${JSON.stringify(JSON.stringify(report))})`

const spector = (recommendation: string, issues: readonly unknown[] = []) => ({
  skill: { name: 'pdf' },
  risk_assessment: { score: 1, severity: 'LOW', recommendation },
  issues,
  metadata: { skillspector_version: '2.11.3' },
})
const ISSUE = {
  id: 'E2',
  category: 'Data exfiltration',
  severity: 'HIGH',
  location: { file: 'scripts/get.sh', start_line: 2 },
  explanation: 'It reads the environment.',
}

const sarif = (results: readonly unknown[], more: object = {}, rules: readonly unknown[] = []) => ({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'other-scan', semanticVersion: '1.2.0', rules } }, results, ...more }],
})
const result = (level: string | undefined, more: object = {}) => ({
  ruleId: 'R1',
  ...(level && { level }),
  message: { text: 'Look.' },
  ...more,
})

const add = (project: string, scan?: ScanOptions) =>
  planAdd({ project, origins: [originOf({ pdf: { 'scripts/get.sh': '#!/bin/sh\nenv\n' } })], scan })

describe('a scanner before an installation', () => {
  it.each([
    ['SAFE', spector('SAFE'), 'passed'],
    ['CAUTION', spector('CAUTION', [ISSUE]), 'caution'],
    ['SARIF without results', sarif([]), 'passed'],
    ['SARIF with a note', sarif([result('note')]), 'passed'],
    ['SARIF with a warning', sarif([result('warning')]), 'caution'],
    ['SARIF without a level', sarif([result(undefined)]), 'caution'],
    ['an error that is suppressed', sarif([result('error', { suppressions: [{ kind: 'external' }] })]), 'passed'],
    ['an error that is of another kind', sarif([result('error', { kind: 'pass' })]), 'passed'],
  ])('[LIB-15] %s installs, and the lock has scanner, version and result', async (_, report, verdict) => {
    const project = temporaryFolder()
    const plan = await add(project, scanner(write(report)))
    expect(plan.skills[0]!.scan).toMatchObject({ verdict, stops: false })
    await applyPlan(plan)
    const { skills } = await readSkillsLock(project)
    const [name, version] = 'runs' in report ? ['other-scan', '1.2.0'] : ['SkillSpector', '2.11.3']
    const findings = plan.skills[0]!.scan!.findings.length
    expect(skills.get('pdf')!.repertoire!.scan).toEqual({ scanner: name, version, verdict, findings })
  })

  it.each([
    ['DO_NOT_INSTALL', `${write(spector('DO_NOT_INSTALL', [ISSUE]))};process.exitCode = 1`],
    ['an error', write(sarif([result('error')]))],
    [
      'an error by its rule',
      write(sarif([result(undefined)], {}, [{ id: 'R1', defaultConfiguration: { level: 'error' } }])),
    ],
    ['exit code 1', `${write(sarif([result('note')]))};process.exitCode = 1`],
  ])('[LIB-15] %s stops it, with its findings in the plan, also if the scanner is optional', async (_, body) => {
    const project = temporaryFolder()
    const plan = await add(project, scanner(body, { optional: true }))
    expect(plan.skills[0]!.scan).toMatchObject({ verdict: 'refused', stops: true, findings: [{ rule: /R1|E2/ }] })
    expect(plan.refused).toMatch(/refuses "pdf" \(findings: 1\)\.$/)
    await expect(applyPlan(plan)).rejects.toMatchObject({ code: 'SCAN_REFUSED' })
    expect(filesIn(project)).toEqual({})
  })

  it.each([
    ['a crash', 'process.stderr.write("no key");process.exitCode = 2', 'it ended with code 2: no key'],
    ['a signal', 'process.kill(process.pid, "SIGKILL")', 'it was ended'],
    ['silence', '', 'it wrote no report'],
    ['text', 'console.log("all is well")', 'is not JSON'],
    ['other JSON', 'console.log("[]")', 'neither SARIF nor the JSON of SkillSpector'],
    ['no recommendation', write(spector('MAYBE')), 'no verdict'],
    ['no runs', write({ version: '2.1.0', runs: [] }), 'no verdict'],
    ['no results', write({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x' } } }] }), 'no verdict'],
    ['a failed run', write(sarif([], { invocations: [{ executionSuccessful: false }] })), 'it failed'],
    ['too much', 'process.stdout.write("x".repeat(17 * 1024 * 1024))', 'it wrote more than'],
    ['a hang', 'setInterval(() => {}, 1000)', 'it did not end within 0.5 s'],
  ])('[LIB-15] %s stops it, unless the scanner is optional', async (what, body, reason) => {
    const project = temporaryFolder()
    const scan = scanner(body, what === 'a hang' ? { timeout: 500 } : {})
    const plan = await add(project, scan)
    expect(plan.refused).toContain(reason)
    expect(plan.refused).toMatch(/go on without its answer with --scan-optional/)
    await expect(applyPlan(plan)).rejects.toMatchObject({ code: 'SCAN_REFUSED' })
    const optional = await add(project, { ...scan, optional: true })
    expect(optional.skills[0]!.scan).toMatchObject({ verdict: 'failed', stops: false })
    await applyPlan(optional)
    const { skills } = await readSkillsLock(project)
    expect(skills.get('pdf')!.repertoire!.scan).toMatchObject({ verdict: 'failed' })
  })

  it('[LIB-15] a program that is missing stops it; a command without {path} or with a relative program is refused', async () => {
    const project = temporaryFolder()
    const closed = join(temporaryFolder(), 'scan')
    writeFileSync(closed, '#!/bin/sh\n', { mode: 0o600 })
    for (const program of ['no-such-scanner-here', closed]) {
      const plan = await add(project, { command: [program, '{path}'] })
      expect(plan.refused).toContain('there is no such program that may be run')
    }
    await expect(add(project, { command: ['scan'] })).rejects.toThrow('one of them with {path}')
    await expect(add(project, { command: [] })).rejects.toThrow('one of them with {path}')
    await expect(add(project, { command: ['./scan', '{path}'] })).rejects.toThrow('by its absolute path')
  })

  it('[LIB-15] gets a copy of the files as one argument, in an empty folder, and nothing stays of it', async () => {
    const project = temporaryFolder()
    const log = join(temporaryFolder(), 'log.json')
    const seen = `{ argv: process.argv.slice(2), cwd: fs.readdirSync('.'), files: fs.readdirSync(path), mode: fs.statSync(path + '/scripts/get.sh').mode }`
    const body = `fs.writeFileSync(${JSON.stringify(log)}, JSON.stringify(${seen}));fs.writeFileSync(path + '/SKILL.md', 'other');${write(spector('SAFE'))}`
    const scan = scanner(body)
    const plan = await add(project, { ...scan, command: [...scan.command, '; touch $(x) {path}/a'] })
    const { argv, cwd, files } = JSON.parse(readFileSync(log, 'utf8')) as Record<string, string[]>
    expect(argv).toEqual([expect.stringMatching(/\/pdf$/), `; touch $(x) ${argv![0]}/a`])
    expect({ cwd, files }).toEqual({ cwd: [], files: ['SKILL.md', 'scripts'] })
    expect(existsSync(argv![0]!)).toBe(false)
    expect(readdirSync(tmpdir())).not.toContain(argv![0]!.split('/').at(-3))
    await applyPlan(plan)
    expect(filesIn(project)['.agents/skills/pdf/SKILL.md']).not.toBe('other')
  })

  it("[LIB-15] paths of findings are the skill's own", async () => {
    const uri = { artifactLocation: { uri: 'a%20b.md' }, region: { startLine: 3 } }
    const relative = result('note', { locations: [{ physicalLocation: uri }] })
    const body = `const report = ${JSON.stringify(sarif([relative]))}
report.runs[0].results.push({ ruleId: 'R2', level: 'note', message: {}, locations: [{ physicalLocation: { artifactLocation: { uri: 'file://' + path + '/SKILL.md' } } }] })
process.stdout.write(JSON.stringify(report))`
    const { skills } = await add(temporaryFolder(), scanner(body))
    expect(skills[0]!.scan!.findings).toEqual([
      { level: 'note', rule: 'R1', message: 'Look.', file: 'a b.md', line: 3 },
      { level: 'note', rule: 'R2', message: '', file: 'SKILL.md' },
    ])
  })

  it('[LIB-15] update and install scan what they would write, and a record in the lock decides nothing', async () => {
    const project = temporaryFolder()
    await applyPlan(await add(project, scanner(write(spector('SAFE')))))
    const no = scanner(write(spector('DO_NOT_INSTALL')))
    const newer = originOf({ pdf: { 'new.md': 'n' } }, { revision: 'b'.repeat(40) })
    const update = await planUpdate({ project, relocate: () => Promise.resolve(newer), scan: no })
    expect(update.refused).toContain('refuses "pdf"')
    // Without a scanner the record goes with the content that it was about.
    const same = originOf({ pdf: { 'scripts/get.sh': '#!/bin/sh\nenv\n' } })
    rmSync(join(project, '.agents/skills/pdf'), { recursive: true })
    const restore = { project, frozen: false, relocate: () => Promise.resolve(same) }
    expect((await planInstall({ ...restore, scan: no })).refused).toContain('refuses "pdf"')
    await applyPlan(await planInstall({ ...restore, scan: scanner(write(spector('SAFE'))) }))
    const read = async () => (await readSkillsLock(project)).skills.get('pdf')!.repertoire!.scan
    expect(await read()).toMatchObject({ verdict: 'passed' })
    await applyPlan(await planUpdate({ project, relocate: () => Promise.resolve(newer) }))
    expect(await read()).toBeUndefined()
  })

  describe('on a PATH with folders of the project', () => {
    afterEach(() => vi.unstubAllEnvs())

    it('[LIB-15] programs that a repository brings are not started', async () => {
      const project = temporaryFolder()
      const bin = join(project, 'node_modules/.bin')
      mkdirSync(bin, { recursive: true })
      put(bin, 'planted-scan', `#!/bin/sh\necho '${JSON.stringify(spector('SAFE'))}'\n`)
      chmodSync(join(bin, 'planted-scan'), 0o755)
      const scan = { command: ['planted-scan', '{path}'] }
      vi.stubEnv('PATH', [bin, '.', process.env['PATH']].join(delimiter))
      expect((await add(project, scan)).refused).toContain('there is no such program')
      // The same program elsewhere is the user's own.
      expect((await add(temporaryFolder(), scan)).refused).toBeUndefined()
    })
  })
})

describe('facts of a plan', () => {
  it('[LIB-15] are hidden characters decoded, comments, addresses, and files that are not text', async () => {
    const tags = Array.from('ignore all', (letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join('')
    const bytes = Array.from('hello', (letter) => String.fromCodePoint(0xe0100 + letter.codePointAt(0)! - 16)).join('')
    const body = `---\nname: pdf\ndescription: Reads.\n---\nSee https://a.example/x?y=1. [b](https://b.example)\n<!-- do\nit --> and <!---->\nA${tags}B\nC\u{1F600}${bytes} family \u{1F468}\u200D\u{1F469} \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645\n`
    const files = {
      'SKILL.md': body,
      'a.md': '<http://c.example/>, https://a.example/x?y=1\n\n<!-- open',
      'run.sh': '# a\u200B\u202Eb https://not.shown\n',
      'x.bin': 'a\0b',
    }
    const { skills } = await planAdd({ project: temporaryFolder(), origins: [originOf({ pdf: files })] })
    expect(skills[0]!.facts).toEqual({
      hidden: [
        { path: 'SKILL.md', line: 8, text: 'ignore all' },
        { path: 'SKILL.md', line: 9, text: 'hello' },
        { path: 'run.sh', line: 1, text: 'U+200B U+202E' },
      ],
      comments: [
        { path: 'SKILL.md', line: 6, text: 'do\nit' },
        { path: 'a.md', line: 3, text: 'open' },
      ],
      addresses: ['http://c.example/', 'https://a.example/x?y=1', 'https://b.example'],
      binary: ['x.bin'],
    })
  })
})
