import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { MAIN, NODE_ARGS, cleanEnv, inProcess, manifest, repertoire, temporaryFolder, write } from './command.ts'

/** What each command cannot do, with the exit code and a part of the reason. */
const BAD: readonly (readonly [string, number, string])[] = [
  ['init --framework cobol', 2, 'Allowed choices'],
  ['new --description x', 2, "missing required argument 'NAME'"],
  ['new pdf', 2, '--description'],
  ['new Not_A_Name --description x', 1, 'Not_A_Name'],
  ['new mine --description x', 1, 'mine'],
  ['check', 2, "missing required argument 'SKILL'"],
  ['check no-such-skill', 1, 'no-such-skill'],
  ['validate', 2, "missing required argument 'PATH'"],
  ['validate skills --profile loose', 2, 'Allowed choices'],
  ['pack no-such-folder', 1, 'no-such-folder'],
  ['pack .agents/skills/mine --output .', 2, 'is there already'],
  ['add', 2, "missing required argument 'ORIGIN'"],
  ['add ./no-such-folder --yes', 1, 'no-such-folder'],
  ['add ./no-such-folder --list', 1, 'no-such-folder'],
  ['add not:a:place --yes', 2, 'not:a:place'],
  ['add . --timeout never', 2, 'Give a number of seconds'],
  ['add . --to ..', 2, 'leads out of the project'],
  ['install', 1, 'skills-lock.json'],
  ['install --project broken', 1, 'skills-lock.json'],
  ['update', 1, 'skills-lock.json'],
  ['remove', 2, "missing required argument 'NAME'"],
  ['remove pdf', 1, 'skills-lock.json'],
  ['verify', 1, 'skills-lock.json'],
  ['verify --global --project .', 2, '--global'],
  ['recover --project no-such-folder', 1, 'no-such-folder'],
  ['list --config no-such-file', 2, 'no-such-file'],
  ['show', 2, 'Name a skill'],
  ['show pdf', 1, 'There is no skill "pdf"'],
  ['show --prompt --context-window much', 2, 'Give a number of tokens'],
  ['show --prompt --tool activate_skill', 2, '--tool'],
  ['explain', 2, "missing required argument 'NAME'"],
  ['search', 2, "missing required argument 'QUERY'"],
  ['run', 2, "missing required argument 'SKILL'"],
  ['run mine scripts/gone.sh --runner virtual', 127, 'scripts/gone.sh'],
  ['run gone', 127, 'Run "repertoire explain gone" for why'],
  ['run mine --env A', 2, 'is not NAME=VALUE'],
  ['export tape --output x', 2, 'Name "plugin" or "harness"'],
  ['export plugin', 2, '--output'],
  ['conformance --output no/such/file', 2, 'there is no folder'],
  ['conformance --check no-such-check', 2, 'no-such-check'],
  ['conformance --driver no-such-file.ts', 2, 'no-such-file.ts'],
  ['conformance --host no-such-file.ts', 2, 'no-such-file.ts'],
  ['no-such-command', 2, 'unknown command'],
  ['help no-such-command', 2, 'There is no command'],
]

it.each(BAD)('[LIB-12, FRONT-5] with --json, "%s" ends with %i and an error as JSON', async (line, code, reason) => {
  const cwd = await temporaryFolder()
  await write(cwd, { '.agents/skills/mine/SKILL.md': manifest('mine'), 'broken/package.json': '{' })
  const args = line.split(' ')
  for (const json of [[], ['--json']]) {
    const ended = await inProcess([...args, ...json], { cwd })
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining('error:') as string })
    expect(ended.stderr).toContain(reason)
    expect(ended.stderr).not.toMatch(/^ +at /m)
    if (json.length === 0) continue
    const { error } = JSON.parse(ended.stdout) as { error: { code: string; message: string } }
    expect(error).toEqual({ code: expect.stringMatching(/^[A-Z_]+$/) as string, message: expect.anything() as string })
    expect(error.message).toContain(reason)
  }
})

it('[LIB-12] what a command finds is JSON too, with 1 and without an error', async () => {
  const cwd = await temporaryFolder()
  await write(cwd, { 'skills/bad/SKILL.md': 'no frontmatter\n' })
  for (const args of [
    ['list', 'gone'],
    ['validate', 'skills'],
    ['search', 'x', '--root', 'gone'],
    ['explain', 'gone'],
  ]) {
    const { code, stdout } = await inProcess([...args, '--json'], { cwd })
    expect([args, code, Object.keys(JSON.parse(stdout) as object)]).toEqual([
      args,
      1,
      expect.not.arrayContaining(['error']),
    ])
  }
})

it('[FRONT-5] a current folder that is gone is said in one sentence, without a stack', async () => {
  const cwd = await temporaryFolder()
  mkdirSync(join(cwd, 'gone'))
  const script = 'cd gone && rmdir ../gone && exec "$@"'
  const args = ['-c', script, 'sh', process.execPath, ...NODE_ARGS, MAIN, 'list', '--json']
  const run = promisify(execFile)('sh', args, { cwd, env: cleanEnv() })
  const ended = await run.catch((error: unknown) => error as { code: number; stdout: string; stderr: string })
  expect(ended).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: The current folder does not exist[^\n]*\n$/m) as string,
  })
  expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'USAGE' } })
})

it('[FRONT-5] advice names only options that the command has', async () => {
  const cwd = await temporaryFolder()
  await write(cwd, { 'real/pdf/SKILL.md': manifest('pdf'), 'skills/keep/SKILL.md': manifest('keep') })
  const { symlinkSync } = await import('node:fs')
  symlinkSync('../real/pdf', join(cwd, 'skills/pdf'))
  expect((await inProcess(['list', 'skills'], { cwd })).stderr).toMatch(
    /"followLinks" in \S+repertoire\.config\.json\.$/m,
  )
  const judged = await inProcess(['validate', 'skills'], { cwd })
  expect(judged.stdout).toContain('Put the folder itself there')
  expect(judged.stdout).not.toMatch(/followLinks/)
  await inProcess(['add', './skills/keep', '--yes'], { cwd })
  await write(cwd, { '.agents/skills/keep/SKILL.md': manifest('keep', '', 'Edited.') })
  for (const args of [
    ['add', './skills/keep', '--yes'],
    ['remove', 'keep'],
    ['install', '--frozen'],
  ]) {
    const { code, stderr } = await inProcess(args, { cwd })
    expect([args, code, stderr]).toEqual([args, 1, expect.stringContaining('--force')])
  }
})

it.skipIf(process.getuid?.() === 0)(
  '[FRONT-5] a folder that cannot be written is an error without a stack',
  async () => {
    const cwd = await temporaryFolder()
    chmodSync(cwd, 0o500)
    const ended = await repertoire(['init', '--yes'], { cwd })
    chmodSync(cwd, 0o700)
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(/^error: EACCES[^\n]*\n$/)])
  },
)
