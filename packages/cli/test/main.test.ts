import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAIN, NODE_ARGS, cleanEnv, manifest, inProcess, repertoire, temporaryFolder, write } from './command.ts'
import { callerFolder } from '../src/caller-folder.ts'
import { nodeProblem } from '../src/node-version.ts'

const COMMANDS = [
  'list',
  'search',
  'show',
  'explain',
  'check',
  'validate',
  'run',
  'serve',
  'add',
  'install',
  'update',
  'remove',
  'verify',
  'new',
  'pack',
  'conformance',
]
/** They speak to a client. */
const WITHOUT_JSON: ReadonlySet<string> = new Set(['serve'])

describe('repertoire', () => {
  it('prints its version, and nothing else', async () => {
    const cwd = await temporaryFolder()
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    expect(await repertoire(['--version'], { cwd })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('prints help on stdout: the commands, and of each command its options, exit codes and examples', async () => {
    const cwd = await temporaryFolder()
    const help = await inProcess(['--help'], { cwd })
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const command of COMMANDS) {
      expect(help.stdout).toMatch(new RegExp(`^ {2}${command} `, 'm'))
      const own = await inProcess([command, '--help'], { cwd })
      expect(own).toMatchObject({ code: 0, stderr: '' })
      expect(own.stdout).toContain(`Usage: repertoire ${command} `)
      if (!WITHOUT_JSON.has(command)) expect(own.stdout).toContain('--json')
      expect(own.stdout).toMatch(/^Exit codes?: /m)
      expect(own.stdout).toMatch(new RegExp(String.raw`Examples:\n  \$ repertoire ${command}`))
      expect(await inProcess(['help', command], { cwd })).toEqual(own)
    }
  })

  it('[FRONT-5] prints a help of at most 40 lines of 80 columns for each command, and names the options that it leaves to the docs', async () => {
    const cwd = await temporaryFolder()
    const linesOf = async (...args: string[]) => (await inProcess([...args, '--help'], { cwd })).stdout.split('\n')
    for (const command of [...COMMANDS, 'init', 'inspect', 'recover']) {
      const lines = await linesOf(command)
      expect({ command, lines: lines.length - 1 }).toSatisfy(({ lines: count }) => count <= 40)
      expect(lines.filter((line) => line.length > 80)).toEqual([])
      expect(lines.slice(-3).join(' ')).toContain(`More: docs/command.md#${command} of https:`)
    }
    expect(await linesOf('list')).toContain('Further options: --config, --no-config')
    expect((await linesOf()).length - 1).toBeLessThanOrEqual(48)
  })

  it('ends with 2 for a wrong command, and says on stderr what is wrong and where help is', async () => {
    const cwd = await temporaryFolder()
    for (const [args, text] of [
      [[], 'Usage: repertoire'],
      [['lst'], "error: unknown command 'lst'\n(Did you mean list?)\n"],
      [['help', 'lst'], 'error: There is no command "lst".'],
      [['list', '--recursiv'], "error: unknown option '--recursiv'\n(Did you mean --recursive?)\n"],
      [['validate', 'x', '--profile', 'loose'], 'strict, default, lenient'],
      [['validate', 'x', '--profile'], 'argument missing'],
      [['conformance', 'ai-sdk'], 'too many arguments'],
    ] as const) {
      const ended = await (args.length === 1 ? repertoire : inProcess)(args, { cwd })
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr).toContain(text)
      expect(ended.stderr).toContain('--help')
    }
    const { stdout } = await inProcess(['list', '--recursiv', '--json'], { cwd })
    const message = "unknown option '--recursiv' (Did you mean --recursive?)"
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'USAGE', message } })
  })

  it('[OBS-4] shows control characters of a wrong command as text', async () => {
    const cwd = await temporaryFolder()
    const { stderr } = await inProcess(['\u001B[2Jlist'], { cwd })
    expect(stderr).toContain(String.raw`error: unknown command '\u{1B}[2Jlist'`)
  })

  it('has no colours in a pipe, colours with FORCE_COLOR, and none with NO_COLOR', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'pdf/SKILL.md': manifest('pdf') })
    const both = { NO_COLOR: '1', FORCE_COLOR: '1' }
    for (const [env, expected] of [
      [{}, false],
      [{ FORCE_COLOR: '1' }, true],
      [both, false],
    ] as const) {
      // A root that is not there brings something to both streams.
      const { stdout, stderr } = await repertoire(['list', '.', 'gone'], { cwd, env })
      expect([stdout, stderr].map((text) => text.includes('\u001B['))).toEqual([expected, expected])
    }
    const help = async (env: Record<string, string>) => (await inProcess(['--help'], { cwd, env, terminal: {} })).stdout
    expect(await help({})).toContain('\u001B[1mUsage:')
    expect(await help({ NO_COLOR: '1' })).toContain('Usage:')
    expect(await help({ NO_COLOR: '1' })).not.toContain('\u001B')
  })

  it('starts relative paths where the caller was only if the script of its own checkout runs it', async () => {
    const caller = await temporaryFolder()
    const cwd = await temporaryFolder()
    await write(caller, { 'skills/pdf/SKILL.md': manifest('pdf') })
    const ours = { INIT_CWD: caller, npm_lifecycle_event: 'repertoire' }
    expect(await repertoire(['validate', 'skills'], { cwd, env: ours })).toMatchObject({ code: 0 })
    const others = { INIT_CWD: caller, npm_lifecycle_event: 'test' }
    expect(await repertoire(['validate', 'skills'], { cwd, env: others })).toMatchObject({ code: 1 })
    expect(callerFolder(ours, '/here', false)).toBe('/here')
    expect(callerFolder({ ...ours, INIT_CWD: 'relative' }, '/here', true)).toBe('/here')
    expect(callerFolder({ npm_lifecycle_event: 'repertoire' }, '/here', true)).toBe('/here')
  })

  it('says on an old Node what it needs', () => {
    expect(nodeProblem('20.20.2')).toMatch(/Node 20\.20\.2.*22\.13/)
    expect(nodeProblem('22.12.9')).toMatch(/Node 22\.12\.9/)
    expect(nodeProblem('22.13.0')).toBeUndefined()
    expect(nodeProblem('24.0.0')).toBeUndefined()
  })
})

describe('what a pipe gets', () => {
  let cwd: string
  const SKILLS = 2500

  beforeAll(async () => {
    cwd = await realpath(await mkdtemp(join(tmpdir(), 'repertoire-cli-')))
    const description = 'Long enough that all of them together fill every pipe many times over. '.repeat(3)
    await Promise.all(
      Array.from({ length: SKILLS }, (_, index) =>
        write(cwd, { [`skill-${index}/SKILL.md`]: manifest(`skill-${index}`, '', description) }),
      ),
    )
    return () => rm(cwd, { recursive: true, force: true })
  })

  const shell = (script: string, args: readonly string[]) =>
    promisify(execFile)('sh', ['-c', script, 'sh', process.execPath, ...NODE_ARGS, MAIN, ...args], {
      cwd,
      env: cleanEnv(),
      maxBuffer: 64 * 1024 * 1024,
    })

  it('[CAT-2] is all of a large JSON value, also where the reader is slow', async () => {
    const { stdout } = await shell('"$@" | while IFS= read -r line; do printf "%s\\n" "$line"; done', [
      'list',
      '.',
      '--json',
    ])
    const { skills, diagnostics } = JSON.parse(stdout) as { skills: { name: string }[]; diagnostics: unknown[] }
    expect(new Set(skills.map(({ name }) => name)).size).toBe(SKILLS)
    expect(diagnostics).toEqual([])
  })

  it('ends quietly, and with its own exit code, when the reader has seen enough', async () => {
    await write(cwd, { 'zzz/SKILL.md': 'broken\n' })
    for (const [command, code] of [
      ['list', 0],
      ['validate', 1],
    ] as const) {
      const { stdout, stderr } = await shell('{ "$@"; echo "code $?" >&2; } | head -n 1', [command, '.', '--json'])
      expect(stdout).toBe('{\n')
      expect(stderr).toBe(`code ${code}\n`)
    }
  })

  it.skipIf(!existsSync('/dev/full'))('ends with 2 where the output cannot be written', async () => {
    const { stdout, stderr } = await shell('"$@" >/dev/full; echo "code $?"', ['list', '.', '--json'])
    expect(stdout).toBe('code 2\n')
    expect(stderr).toMatch(/^error: The output cannot be written: ENOSPC/)
  })
})
