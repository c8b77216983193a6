import { describe, expect, it } from 'vitest'
import { chooseInterpreter } from '../../src/execution/interpreter.ts'

function choose(path: string, text: string): ReturnType<typeof chooseInterpreter> {
  return chooseInterpreter(path, new TextEncoder().encode(text))
}

describe('chooseInterpreter', () => {
  it.each([
    ['a.py', '#!/bin/sh\n', 'sh', []],
    ['a', '#!/bin/sh -eu\n', 'sh', ['-eu']],
    ['a', '#!/usr/bin/env bash\r\n', 'bash', []],
    ['a', '#! /usr/bin/env python\n', 'python3', []],
    ['a', '#!/usr/bin/python3.12 -u\n', 'python3', ['-u']],
    ['a', '#!/usr/bin/env -S deno run -A\n', 'deno', ['run', '-A']],
    ['a', '#!/usr/bin/env -S uv run --script\n', 'uv', ['run', '--script']],
    ['a', '#!/usr/bin/env -Spython3\n', 'python3', []],
    ['a', '#!/usr/bin/env -Spython3 -u -O\n', 'python3', ['-u', '-O']],
    ['a', '#!/usr/bin/env -vS\tbash -e\n', 'bash', ['-e']],
    ['a', '#!/usr/bin/env --split-string=bash -e\n', 'bash', ['-e']],
    ['a', '#!/usr/bin/env --split-string bash -e\n', 'bash', ['-e']],
    ['a', '#!env node --title=x\n', 'node', ['--title=x']],
    ['a', '#!/usr/bin/env python2.7\n', 'python2', []],
    ['a', '#!/usr/bin/nodejs', 'node', []],
    ['a', '\uFEFF#!/bin/bash\n', 'bash', []],
    ['a', '#!/usr/bin/awk -f\n', 'awk', ['-f']],
  ])('[RUN-7] reads %j with the first line %j by %s', (path, text, name, args) => {
    expect(choose(path, text)).toStrictEqual({ name, args })
  })

  it.each([
    ['scripts/a.sh', 'sh', []],
    ['scripts/a.b.PY', 'python3', []],
    ['scripts/a.mjs', 'node', []],
    ['scripts/a.ts', 'node', []],
    ['scripts/a.R', 'Rscript', []],
    ['scripts/a.awk', 'awk', ['-f']],
  ])('[RUN-7] reads %j without a first line by %s', (path, name, args) => {
    expect(choose(path, 'x')).toStrictEqual({ name, args })
  })

  it.each([
    ['scripts/run', 'echo', /its name has no ending/],
    ['scripts.sh/run', 'echo', /its name has no ending/],
    ['scripts/a.kts', 'x', /no interpreter is known for files that end in \.kts/],
    ['scripts/a', '#!/bin/rm -rf\n', /asks for "rm", which is not an interpreter/],
    ['scripts/a', '#!/usr/bin/env\n', /names no interpreter/],
    ['scripts/a', '#!/usr/bin/env -S\n', /names no interpreter/],
    ['scripts/a', '#!\necho', /names no interpreter/],
    ['scripts/a', `#!/opt/${'x'.repeat(500)}`, /is not an interpreter that is known/],
    ['scripts/a.sh', '\u007FELF\0\0', /not a text/],
  ])('[RUN-7] [ABUSE-56] says why nothing reads %j with %j', (path, text, problem) => {
    expect(choose(path, text)).toStrictEqual({ problem: expect.stringMatching(problem) as string })
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
  ])('[RUN-7] [ABUSE-56] refuses a first line in which env does more than start a program: env %s', (words) => {
    expect(choose('scripts/a', `#!/usr/bin/env ${words}\n`)).toStrictEqual({
      problem: expect.stringMatching(
        /option of env, a variable, a quote or an escape.*set variables in the script/,
      ) as string,
    })
  })
})
