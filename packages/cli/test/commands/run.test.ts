import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it, vi } from 'vitest'
import {
  cleanEnv,
  inProcess,
  type InProcessOptions,
  MAIN,
  manifest,
  NODE_ARGS,
  temporaryFolder,
  write,
} from '../command.ts'

const SKILLS = {
  'skills/demo/SKILL.md': manifest('demo'),
  'skills/demo/scripts/show.sh':
    'echo "$# $1 ${GIVEN-} ${SECRET-} in $SKILL_DIR"\ncat\necho wrong >&2\nprintf "\\033[31m"\nexit 3\n',
  'skills/demo/scripts/wipe.sh': 'rm -rf /\n',
  'skills/demo/scripts/odd.zsh': '#!/bin/zsh\necho\n',
  'skills/strict/SKILL.md': manifest('strict'),
  'skills/strict/scripts/a.sh': '#!/bin/sh -e\necho ran\n',
  'skills/plain/SKILL.md': manifest('plain'),
  'skills/forked/SKILL.md': manifest('forked', 'context: fork\n'),
  'skills/forked/scripts/who.sh': 'echo forked\n',
  'skills/model-only/SKILL.md': manifest('model-only', 'user-invocable: false\n'),
  'skills/model-only/scripts/a.sh': 'echo ran\n',
  'skills/barred/SKILL.md': manifest('barred', 'disallowed-tools: run_skill_script\n'),
  'skills/barred/scripts/a.sh': 'echo ran\n',
  'skills/greet/SKILL.md': `${manifest(
    'greet',
    'type: script\nparameters:\n  type: object\n  properties:\n    who: { type: string }\n    times: { type: integer }\n  required: [who]\n',
  )}\n\`\`\`sh\necho "$PARAM_WHO $PARAM_TIMES"\n\`\`\`\n`,
  'skills/notes/SKILL.md': `${manifest('notes', 'type: template\n')}\n\`\`\`liquid\n# {{ version }}\n\`\`\`\n`,
  'skills/plan/SKILL.md': `${manifest('plan', 'type: composite\n')}\n\`\`\`json\n${JSON.stringify([
    { tool: 'skill_greet', parameters: { who: 'Ada', times: 1 } },
    { tool: 'send_mail', parameters: {} },
  ])}\n\`\`\`\n`,
}

async function runIn(args: readonly string[], options: InProcessOptions & { env?: Record<string, string> } = {}) {
  const cwd = await temporaryFolder()
  await write(cwd, SKILLS)
  return inProcess(['run', '--root', 'skills', '--runner', 'virtual', ...args], { cwd, ...options })
}

describe('run: what a script is given', () => {
  it('[RUN-7] is a folder of the person, if one is named', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      ...SKILLS,
      'work/notes.txt': 'notes',
      'skills/demo/scripts/read.sh': 'cat "$WORKSPACE_DIR/notes.txt"',
    })
    const args = [
      'run',
      '--root',
      'skills',
      '--runner',
      'virtual',
      '--yes',
      '--workspace',
      'work',
      'demo',
      'scripts/read.sh',
    ]
    expect(await inProcess(args, { cwd })).toMatchObject({ code: 0, stdout: 'notes' })
    const missing = await inProcess(args.with(args.indexOf('work'), 'none'), { cwd })
    expect(missing).toMatchObject({ code: 126, stderr: expect.stringContaining('cannot be used') as string })
  })

  it.each([
    [['--write'], '--write is for a --workspace'],
    [['--workspace', '.', '--write'], '--write is not for the virtual shell'],
  ])('[RUN-8] %j is refused in the virtual shell', async (options, message) => {
    const ended = await runIn([...options, 'demo', 'scripts/show.sh'])
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string })
  })
})

describe('run: a script', () => {
  it('[RUN-7] prints what the script prints, and ends with its exit code', async () => {
    const args = ['--yes', '--env', 'GIVEN=yes', 'demo', 'scripts/show.sh', '--', '--a b', 'c']
    const ended = await runIn(args, { env: { SECRET: 'hidden' } })
    expect(ended.code).toBe(3)
    expect(ended.stdout).toBe('2 --a b yes  in /skill\n\u001b[31m')
    expect(ended.stderr).toMatch(/^Activate the skill "demo"\?[^]*run by: +virtual \(isolated[^]*\nwrong\n$/)
  })

  it('[RUN-7] shows control characters on a terminal, where they could steer it', async () => {
    const ended = await runIn(['--yes', 'demo', 'scripts/show.sh'], { terminal: {} })
    expect(ended.stdout).toContain(String.raw`\u{1B}[31m`)
    expect(ended.stdout).not.toContain('\u001b')
  })

  it('[RUN-7] ends a script at --timeout, with 124', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { ...SKILLS, 'skills/demo/scripts/forever.sh': 'while true; do :; done\n' })
    const args = ['run', '--root', 'skills', '--runner', 'virtual', '--yes', '--timeout', '0.1', 'demo']
    const ended = await inProcess([...args, 'scripts/forever.sh'], { cwd })
    expect(ended.code).toBe(124)
    expect(ended.stderr).toContain('ran for as long as it may')
  })

  it('[FRONT-5] tells a person what was refused, without the advice for a model', async () => {
    const { stderr } = await runIn(['demo', 'scripts/show.sh'])
    expect(stderr).toContain('there is no terminal to ask at; --yes answers yes.')
    expect(stderr).not.toContain('Go on without it')
  })

  it('[RUN-8] asks at the terminal, and runs nothing without a yes', async () => {
    const asked = (input: string) => runIn(['demo', 'scripts/show.sh'], { input, terminal: {} })
    expect(await asked('y\n')).toMatchObject({ code: 3, stderr: expect.stringContaining('Run it? [y/N]') })
    for (const no of ['n\n', '', 'yesterday\n']) expect(await asked(no)).toMatchObject({ code: 125, stdout: '' })
    const alone = await runIn(['demo', 'scripts/show.sh'], { input: 'y\n' })
    expect(alone).toMatchObject({ code: 125, stdout: '', stderr: expect.stringContaining('--yes answers yes') })
  })

  it('[RUN-8] says why a script is not run, in words and in its exit code', async () => {
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['no-skill', 'scripts/a.sh'], 127, 'There is no skill "no-skill"'],
      [['demo', 'scripts/shw.sh'], 127, 'Its scripts are:'],
      [['demo', 'scripts/odd.zsh'], 126, 'The virtual shell has no "zsh"'],
      [['demo', 'scripts/wipe.sh'], 125, 'dangerous pattern (recursive force delete of a root)'],
      [['strict', 'scripts/a.sh'], 126, 'takes no arguments for "sh" itself: -e'],
      [['model-only', 'scripts/a.sh'], 125, 'only a model may activate it'],
      [['barred', 'scripts/a.sh'], 125, 'run_skill_script'],
      [['plain'], 127, 'is instructions for a model. It has no scripts to run.'],
      [['demo'], 127, 'Its scripts are: scripts/odd.zsh, scripts/show.sh, scripts/wipe.sh.'],
    ]
    for (const [args, code, why] of cases) {
      const ended = await runIn(['--yes', ...args])
      expect([args, ended.code]).toEqual([args, code])
      expect(ended.stderr).toContain(why)
      expect(ended.stdout).not.toContain('ran')
    }
  })

  it('[RUN-12, ASK-4] asks nothing for a script that the skill does not have', async () => {
    for (const script of ['scripts/shw.sh', 'SKILL.md', '../demo/scripts/show.sh', '/etc/passwd']) {
      const { code, stdout, stderr } = await runIn(['demo', script], { input: 'y\n', terminal: {} })
      expect([script, code, stdout]).toEqual([script, 127, ''])
      expect(stderr).toContain(`The skill "demo" has no script "${script}".`)
      expect(stderr).not.toContain('Activate the skill')
    }
    const json = await runIn(['demo', 'scripts/shw.sh', '--json'])
    expect(json.code).toBe(127)
    expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND' } })
    expect((await runIn(['--yes', 'demo', './scripts/show.sh'])).code).toBe(3)
  })

  it('[RUN-12, CFG-1] refuses options that would have no effect, in the words of the command', async () => {
    for (const [args, text] of [
      [['demo', 'scripts/show.sh', '--env', 'PATH=/x'], '--env holds "PATH", which is set by the runner.'],
      [['demo', 'scripts/show.sh', '--timeout', '0'], 'Give a number of seconds, more than 0'],
    ] as const) {
      const ended = await runIn(['--yes', ...args])
      expect([args, ended.code, ended.stdout]).toEqual([args, 2, ''])
      expect(ended.stderr).toContain(text)
    }
  })

  it('[RUN-8] warns of a runner without isolation, and takes it only by name', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, SKILLS)
    const args = ['run', '--root', 'skills', '--yes', '--json', 'demo', 'scripts/show.sh']
    const bare = await inProcess([...args, '--runner', 'process'], { cwd })
    expect(bare.stderr).toMatch(/run by: +process \(NOT isolated|without isolation|not isolated/i)
    expect(JSON.parse(bare.stdout)).toMatchObject({ runner: { name: 'process', isolated: false }, exitCode: 3 })
    const chosen = await inProcess(args, { cwd })
    expect(JSON.parse(chosen.stdout)).toMatchObject({
      skill: 'demo',
      script: 'scripts/show.sh',
      runner: { isolated: true, network: false },
      outcome: { interpreter: 'sh', end: 'exited', exitCode: 3, stderr: 'wrong\n' },
      exitCode: 3,
    })
  })

  it('[RUN-9] ends by itself with the code of the script, whatever runs it', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { ...SKILLS, 'skills/demo/scripts/said.sh': 'echo said; exit 4' })
    for (const runner of ['process', 'virtual']) {
      const args = ['run', '--root', 'skills', '--yes', '--runner', runner, 'demo', 'scripts/said.sh']
      const { status, stdout, stderr } = spawnSync(process.execPath, [...NODE_ARGS, MAIN, ...args], {
        cwd,
        env: cleanEnv(),
      })
      expect([runner, status]).toEqual([runner, 4])
      expect(stdout.toString()).toBe('said\n')
      expect(stderr.toString()).not.toContain('Warning')
    }
  })

  it('[RUN-9] ends the script with the command, at an interrupt', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { ...SKILLS, 'skills/demo/scripts/wait.sh': 'echo $$ > "$1"\nwhile true; do sleep 1; done\n' })
    const args = ['run', '--root', 'skills', '--yes', '--runner', 'process', 'demo', 'scripts/wait.sh', '--']
    const command = spawn(process.execPath, [...NODE_ARGS, MAIN, ...args, join(cwd, 'pid')], {
      cwd,
      env: cleanEnv(),
      stdio: 'ignore',
    })
    const code = new Promise((resolve) => command.once('exit', (...ended) => resolve(ended)))
    await vi.waitFor(() => readFile(join(cwd, 'pid')), { timeout: 30_000 })
    command.kill('SIGINT')
    expect(await code).toEqual([130, null])
  })

  it('[RUN-12] runs the script of a skill that asks for a sub-agent', async () => {
    expect(await runIn(['--yes', 'forked', 'scripts/who.sh'])).toMatchObject({ code: 0, stdout: 'forked\n' })
  })

  it('[RUN-8] refuses a command that is not clear', async () => {
    for (const args of [
      ['demo', 'scripts/show.sh', 'argument'],
      ['demo', 'scripts/show.sh', '--env', 'NAME'],
      ['demo', 'scripts/show.sh', '--env', 'PATH=/bin'],
      ['demo', 'scripts/show.sh', '--timeout', 'soon'],
    ]) {
      const ended = await runIn(['--yes', ...args])
      expect([args, ended.code, ended.stdout]).toEqual([args, 2, ''])
      expect(ended.stderr).toMatch(/^error: (?!Repertoire itself)/m)
    }
  })
})

describe('run: a skill', () => {
  it('[DEMO-2] executes a script, a template and a plan, with parameters as JSON', async () => {
    expect(await runIn(['--yes', 'greet', '--', '{"who":"Ada","times":2}'])).toMatchObject({
      code: 0,
      stdout: 'Ada 2\n',
    })
    expect(await runIn(['--yes', 'greet', '--', '{"who":"A=b"}'])).toMatchObject({ code: 0, stdout: 'A=b \n' })
    const wrong = await runIn(['--yes', 'greet', '--', '{"times":"many"}'])
    expect(wrong.code).toBe(125)
    expect(wrong.stderr).toMatch(/"who" is missing.*"times"/)
    expect(await runIn(['--yes', 'notes', '--', '{"version":"2.0"}'])).toMatchObject({ code: 0, stdout: '# 2.0\n' })
  })

  it('[DEMO-2] shows a plan', async () => {
    const shown = await runIn(['--yes', 'plan'])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toContain('send_mail')
  })
})
