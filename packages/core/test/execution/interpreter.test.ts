import { describe, expect, it } from 'vitest'
import { RESULT, runner, runScript } from './foreign-runner.ts'

/** What a runner is told to read a script with, or why it is told nothing. */
async function choose(path: string, text: string): Promise<unknown> {
  let read: unknown
  const keeping = runner(({ interpreter, interpreterArgs }) => {
    read = { name: interpreter, args: interpreterArgs }
    return RESULT
  })
  const outcome = await runScript(keeping, { path, text })
  return read ?? (outcome.ok || (outcome.refusal.detail ?? outcome.refusal.reason))
}

describe('the interpreter of a script', () => {
  it.each([
    ['scripts/a.py', '#!/bin/sh\n', 'sh', []],
    ['scripts/a', '#!/bin/sh -eu\n', 'sh', ['-eu']],
    ['scripts/a', '#!/usr/bin/env python3\r\n', 'python3', []],
    ['scripts/a', '#! /usr/bin/env python\n', 'python3', []],
    ['scripts/a', '#!/usr/bin/python3.12 -u\n', 'python3', ['-u']],
    ['scripts/a', '#!/usr/bin/env -S deno run -A\n', 'deno', ['run', '-A']],
    ['scripts/a', '#!/usr/bin/env -S uv run --script\n', 'uv', ['run', '--script']],
    ['scripts/a', '#!/usr/bin/env -Spython3\n', 'python3', []],
    ['scripts/a', '#!/usr/bin/env -Spython3 -u -O\n', 'python3', ['-u', '-O']],
    ['scripts/a', '#!/usr/bin/env -vS\tbash -e\n', 'bash', ['-e']],
    ['scripts/a', '#!/usr/bin/env --split-string=bash -e\n', 'bash', ['-e']],
    ['scripts/a', '#!/usr/bin/env --split-string bash -e\n', 'bash', ['-e']],
    ['scripts/a', '#!env node --title=x\n', 'node', ['--title=x']],
    ['scripts/a', '#!/usr/bin/env python2.7\n', 'python2', []],
    ['scripts/a', '#!/usr/bin/nodejs', 'node', []],
    ['scripts/a', '\uFEFF#!/bin/bash\n', 'bash', []],
    ['scripts/a', '#!/usr/bin/awk -f\n', 'awk', ['-f']],
  ])('[RUN-7] of %j with the first line %j is %s', async (path, text, name, args) => {
    expect(await choose(path, text)).toStrictEqual({ name, args })
  })

  it.each([
    ['scripts/a.sh', 'sh', []],
    ['scripts/a.b.PY', 'python3', []],
    ['scripts/a.mjs', 'node', []],
    ['scripts/a.ts', 'node', []],
    ['scripts/a.R', 'Rscript', []],
    ['scripts/a.awk', 'awk', ['-f']],
  ])('[RUN-7] of %j without a first line is %s', async (path, name, args) => {
    expect(await choose(path, 'x')).toStrictEqual({ name, args })
  })

  it.each([
    ['scripts/run', 'echo', /none is known for its ending/],
    ['scripts/a.sh/run', 'echo', /none is known for its ending/],
    ['scripts/a.kts', 'x', /none is known for its ending/],
    ['scripts/a', '#!/bin/rm -rf\n', /names no interpreter that is known here: "rm"/],
    ['scripts/a', '#!/usr/bin/env\n', /names no interpreter/],
    ['scripts/a', '#!/usr/bin/env -S\n', /names no interpreter/],
    ['scripts/a', '#!\necho', /names no interpreter/],
    ['scripts/a', `#!/opt/${'x'.repeat(500)}`, /names no interpreter that is known/],
    ['scripts/a.sh', '\u007FELF\0\0', /not a text/],
  ])('[RUN-7] [ABUSE-56] is missing for %j with %j, and the refusal says why', async (path, text, problem) => {
    expect(await choose(path, text)).toMatch(problem)
  })

  it.each([
    '-S MODE=x bash',
    '-S a.b=c bash',
    'MODE=x bash',
    '-S python3 -c "print(1)"',
    "-S python3 -c 'print(1)'",
    '-S bash ${HOME}/x',
    '-S bash -e\\_-u',
    '-S bash # -e',
    '-i bash',
    '- bash',
    '-S -i bash',
    '-iS bash',
    '-u PATH bash',
    '-C / bash',
    '--chdir=/ bash',
    '--unset=PATH bash',
    '-P /opt bash',
  ])('[RUN-7] [ABUSE-56] is refused if env does more than start a program: env %s', async (words) => {
    expect(await choose('scripts/a', `#!/usr/bin/env ${words}\n`)).toMatch(
      /option of env, a variable, a quote or an escape.*set variables in the script/,
    )
  })
})
