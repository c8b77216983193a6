import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { ScriptInspection } from '@repertoire/core'
import { virtualRunner } from '@repertoire/runners'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runShell } from '../src/virtual/shell.ts'
import { ALIKE, DIFFERENCES } from './differences.ts'
import { job, text } from './job.ts'

const runner = virtualRunner()
const file = (path: string, content: string) => ({ path, bytes: Buffer.from(content), executable: false })

async function inspect(
  script: string,
  interpreter = 'bash',
  ...others: ReturnType<typeof file>[]
): Promise<ScriptInspection> {
  const name = interpreter === 'python3' ? 'run.py' : 'run.sh'
  return runner.inspect!({ interpreter, script: name, files: [file(name, script), ...others] })
}

/** What the virtual shell does with a script that nothing keeps from it. */
async function virtually(script: string): Promise<string> {
  const { limits } = job('')
  const setUp = 'mkdir -p "$TMPDIR/x" && cd "$TMPDIR/x"\n'
  const files = [file('run.sh', setUp + script)]
  const shell = {
    command: 'bash',
    args: ['run.sh', 'a', 'b c'],
    files,
    environment: {},
    limits,
    stdin: undefined,
    workspace: undefined,
  }
  const { stdout, exitCode } = await runShell(shell)
  return `${exitCode}\n${stdout}`
}

/** What bash does with it. */
function reallyIn(folder: string, script: string): string {
  writeFileSync(join(folder, 'run.sh'), `mkdir -p ${folder}/x && cd ${folder}/x\n${script}`)
  const options = { env: { PATH: '/usr/bin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' }, stdio: 'pipe' as const }
  try {
    return `0\n${execFileSync('bash', [join(folder, 'run.sh'), 'a', 'b c'], options).toString()}`
  } catch (error) {
    const { status, stdout } = error as { readonly status: number; readonly stdout: Buffer }
    return `${status}\n${stdout.toString()}`
  } finally {
    rmSync(join(folder, 'x'), { recursive: true, force: true })
  }
}

function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), 'bash-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

describe('a script that the virtual shell would run otherwise', () => {
  it.each(DIFFERENCES)('[RUN-8] is refused before it runs, with line and construct: %s', async (script, reason) => {
    const { refused } = await inspect(`# first\necho before\n${script}\n`)
    expect(refused?.[0]).toMatchObject({ path: 'run.sh', line: 3, reason: expect.stringContaining(reason) })
    const message = expect.stringMatching(/^The virtual shell would run it otherwise[^]* line 3: /)
    await expect(runner.run(job(`# first\necho before\n${script}\n`, { interpreter: 'bash' }))).rejects.toMatchObject({
      code: 'SCRIPT_NOT_STARTED',
      message,
    })
  })

  // What a later version of the shell does as bash does needs no refusal.
  it.runIf(process.platform === 'linux')('[RUN-8] is one that ends otherwise in bash', async () => {
    const path = temporary()
    const alike: string[] = []
    for (const [script] of DIFFERENCES) if ((await virtually(script)) === reallyIn(path, script)) alike.push(script)
    expect(alike).toEqual([])
  })

  it.runIf(process.platform === 'linux')('[RUN-8] is not one that bash runs alike', async () => {
    const path = temporary()
    for (const script of ALIKE) {
      expect({ script, refused: (await inspect(script)).refused }).toEqual({ script })
      expect({ script, shown: await virtually(script) }).toEqual({ script, shown: reallyIn(path, script) })
    }
  })

  it('[RUN-8] is refused for a file that it has read as commands, and not for one that it has not', async () => {
    const library = file('lib.sh', 'check() {\n  case $1 in [!0-9]) echo no;; esac\n}\n')
    const { refused } = await inspect('. ./lib.sh\ncheck 5\n', 'sh', library)
    expect(refused).toMatchObject([{ path: 'lib.sh', line: 2 }])
    for (const script of ['echo alone', '"$1" x', '. ./other.sh', 'git lib.sh', 'bash "$HERE/other.sh"'])
      expect((await inspect(`${script}\n`, 'sh', library)).refused).toBeUndefined()
    for (const script of [
      'for f in ./*.sh; do . "$f"; done',
      'bash "$HERE/lib.sh" x',
      './lib.sh',
      '"$HERE/$1"',
      'xargs sh ./lib.sh',
      "find . -name '*.sh' -exec bash {} +",
    ])
      expect((await inspect(`${script}\n`, 'sh', library)).refused).toHaveLength(1)
    const lost = file('lib.sh', 'here=$(dirname "${BASH_SOURCE[0]}")\n')
    expect((await inspect('source ./lib.sh\n', 'bash', lost)).refused).toMatchObject([{ path: 'lib.sh', line: 1 }])
    expect((await inspect('bash ./lib.sh\n', 'bash', lost)).refused).toBeUndefined()
  })

  it('[RUN-8] is read in a file that is sourced, whatever its name ends with', async () => {
    const library = file('settings', 'echo ${#@}\n')
    expect((await inspect('. ./settings\n', 'sh', library)).refused).toMatchObject([{ path: 'settings', line: 1 }])
    expect((await inspect('cat ./settings\n', 'sh', library)).refused).toBeUndefined()
  })

  it('[RUN-8] is refused where the shell does not know its syntax', async () => {
    expect((await inspect('echo a\nselect x in a b; do echo $x; done\n')).refused).toMatchObject([{ line: 2 }])
    expect((await inspect('if true; then\r\n  echo a\r\nfi\r\n')).refused).toMatchObject([
      { line: 1, reason: expect.stringContaining('CRLF') },
    ])
  })
})

describe('what a script needs', () => {
  const names = ({ missing }: ScriptInspection, certain: boolean) =>
    missing.flatMap((need) => (need.certain === certain ? [`${need.name}:${need.line}`] : []))

  it('[RUN-8] is told before it runs: certain, possible, and not known', async () => {
    const found = await inspect(`helper() { realpath "$1"; }
git status
if command -v docker; then docker ps; fi
curl http://x || echo none
files=$(npm ls | head -1)
helper a; /usr/bin/openssl version; ./own.sh
"$TOOL" run
timeout 5 make
node x.mjs
eval "$1"
`)
    expect(names(found, true)).toEqual(['git:2', 'npm:5', 'openssl:6', 'make:8', 'node:9'])
    expect(names(found, false)).toEqual(['realpath:1', 'docker:3', 'curl:4'])
    expect(found.unknown).toEqual([7, 10])
    expect(found.refused).toBeUndefined()
  })

  it('[RUN-8] is told of commands in texts, and which texts are not known', async () => {
    const found = await inspect(
      `eval 'git status'
bash -c "make $1"
echo 'git log' | bash
. "$TMPDIR/written.sh"
source ./lib.sh
sh <<END
git $1
END
`,
      'bash',
      file('lib.sh', 'log() { :; }\n'),
    )
    expect(names(found, false)).toEqual(['git:1'])
    expect(found.unknown).toEqual([2, 3, 4, 6])
    expect(found.refused).toBeUndefined()
  })

  it('[RUN-8] is not what it defines, nor what a file that it sources defines', async () => {
    const found = await inspect(
      '. ./lib.sh\nlog a\nmine\nmine() { :; }\n',
      'sh',
      file('lib.sh', 'log() { echo "$@"; }\n'),
    )
    expect(found).toEqual({ missing: [], unknown: [] })
  })

  it('[RUN-8] is told of Python by its imports', async () => {
    const found = await inspect(
      `"""
import nothing
"""
import os, sys, requests
from pathlib import Path
from . import sibling
import urllib.request, urllib.parse
try:
    import yaml
except ImportError:
    yaml = None
def late():
    from lib.parts import x
module = __import__(sys.argv[1])
`,
      'python3',
    )
    expect(names(found, true)).toEqual(['requests:4', '.:6', 'urllib.request:7'])
    expect(names(found, false)).toEqual(['yaml:9', 'lib:13'])
    expect(found.unknown).toEqual([14])
    expect(found.missing.every(({ kind }) => kind === 'module')).toBe(true)
  })

  it('[RUN-8] is looked for without running anything', async () => {
    expect(await inspect('touch "$TMPDIR/made"\n')).toEqual({ missing: [], unknown: [] })
  })
})

it('[RUN-7] a script finds the files beside it by BASH_SOURCE', async () => {
  const files = [
    file('scripts/run.sh', 'cat "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/data.txt"; echo "${BASH_SOURCE}"'),
    file('scripts/data.txt', 'data\n'),
  ]
  const { stdout } = await runner.run(job('', { interpreter: 'bash', files }))
  expect(text(stdout)).toBe('data\n/skill/scripts/run.sh\n')
})
