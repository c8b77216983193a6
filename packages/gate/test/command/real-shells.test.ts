import { NO_POLICY } from '../../src/internal.ts'
import { execFile, execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { permits } from '../permits.ts'
import { commands, loadCommands } from '../../src/load-commands.ts'
import { isMissing } from '@repertoire/test-servers'
import { runs } from '@repertoire/test-servers/properties'
import type { ShellWord } from '../../src/command/word.ts'
import { toolset } from '../toolset.ts'
import { listOf, mutated, quotedCommand, soup } from './shell-lines.ts'

await loadCommands()

/**
 * The reader against real shells: whatever it takes for one simple command of literal words, a shell has to carry out
 * as exactly that. The lines run where only programs are found that record how they were called.
 */

type Shell = 'bash' | 'bash with history'

/** What a shell did with one line. */
interface Trace {
  /** The programs that were started, each with its arguments. */
  readonly programs: readonly (readonly string[])[]
  /** How many simple commands bash carried out, builtins and assignments among them; only known of bash. */
  readonly commands: number
}

/** What became of all the lines that ran together. */
interface Traces {
  readonly lines: readonly Trace[]
  /** Whether a file was made, changed or removed. */
  readonly touched: boolean
}

/** Every program that a hostile line names. */
const PROGRAMS = ['git', 'id', 'rm', 'touch', 'cat', 'env', 'a', 'b', 'x', 'log']

/** Files where the lines run, so that a file pattern becomes something else than its text. */
const BAIT = ['-exec', 'a', 'b', 'ab', 'log', 'x1', 'HEAD~1', '{}']

// One write for a call, so that programs which run side by side do not write into each other.
const RECORDER = `#!/bin/sh
printf '%s\\0' "$(($# + 1))" "\${0##*/}" "$@" >>"$TRACE.run"
`

/** Sourced by bash before a line: counts every simple command, those in functions and subshells too. */
const COUNTER = `set -T
trap 'printf . >>"$TRACE.count"' DEBUG
`

const HISTORY = `set -o history
set -H
history -s 'git old; id'
`

// A shell does not wait for what it leaves in the background (`coproc git; id`). All that it starts inherits the pipe
// of a substitution, which ends when the last of them has closed it: then every trace is written.
const DRIVER = `i=0
bash=$BASH
PATH=$RECORDERS
cd -- "$FOLDER" || exit 9
while IFS= read -r -d '' line; do
  export TRACE=$OUT/$i.trace
  if [ "$MODE" = 'bash with history' ]; then
    held=$(printf '%s\\n' "$HISTORY_LINES" "$line" | "$bash" --noprofile --norc -s 9>&1 >/dev/null 2>&1)
  else
    held=$(BASH_ENV=$COUNTER "$bash" -c "$line" 9>&1 </dev/null >/dev/null 2>&1)
  fi
  i=$((i + 1))
done <"$LINES_FILE"
`

// One process runs all lines: the programs are functions, and variables hold what would be an option. A program waits
// for the one before it in a pipeline, so that they do not write into each other.
const BATCH = `record() { IFS= read -r drained; printf '%s\\0' "$#" "$@" >&3; }
${PROGRAMS.map((name) => `${name}() { record ${name} "$@"; }`).join('\n')}
run() { eval "$1"; printf 'end\\0' >&3; }
a=-a x=-exec PATH=/nowhere
`

// Two shells for every line: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 })

let root: string
let traced = 0

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gate-shells-'))
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(root, 'bin', 'git'), RECORDER, { mode: 0o755 })
  for (const name of PROGRAMS.slice(1)) symlinkSync('git', join(root, 'bin', name))
  writeFileSync(join(root, 'counter.bash'), COUNTER)
  writeFileSync(join(root, 'driver.bash'), DRIVER)
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

async function trace(shell: Shell, lines: readonly string[]): Promise<Traces> {
  const out = join(root, `out-${traced++}`)
  const folder = join(out, 'folder')
  mkdirSync(folder, { recursive: true })
  for (const name of BAIT) writeFileSync(join(folder, name), 'bait')
  writeFileSync(`${out}.lines`, lines.map((line) => `${line}\0`).join(''))
  await promisify(execFile)('bash', ['--noprofile', '--norc', join(root, 'driver.bash')], {
    env: {
      PATH: process.env['PATH'],
      HOME: '/home/of/nobody',
      LC_ALL: 'C.UTF-8',
      MODE: shell,
      RECORDERS: join(root, 'bin'),
      COUNTER: join(root, 'counter.bash'),
      HISTORY_LINES: HISTORY,
      LINES_FILE: `${out}.lines`,
      OUT: out,
      FOLDER: folder,
    },
  })
  return {
    lines: lines.map((_, index) => ({
      programs: programs(join(out, `${index}.trace.run`)),
      commands: contents(join(out, `${index}.trace.count`)).length,
    })),
    touched: isTouched(folder),
  }
}

function programs(file: string): string[][] {
  const fields = contents(file).split('\0')
  const found: string[][] = []
  for (let at = 0; at < fields.length - 1; at += Number(fields[at]) + 1) {
    found.push(fields.slice(at + 1, at + 1 + Number(fields[at])))
  }
  return found
}

function contents(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function isTouched(folder: string): boolean {
  const names = readdirSync(folder)
  return names.length !== BAIT.length || BAIT.some((name) => contents(join(folder, name)) !== 'bait')
}

/** The literal words of the plain commands that a line is read as; undefined if it is not read as such a list. */
function read(line: string): readonly (readonly string[])[] | undefined {
  const { list, problem } = commands().readLine(line)
  if (problem !== undefined) return undefined
  const all = list.map((part) => {
    if ('problem' in part) return []
    const { words, assignments, redirects, hereTexts } = part.command
    if (assignments.length + redirects.length + hereTexts.length > 0) return []
    const literal = words.flatMap((word) => word.literal ?? [])
    return literal.length === words.length ? literal : []
  })
  return all.length > 0 && all.every((words) => words.length > 0) ? all : undefined
}

/** Lines that are read as calls of the recorded programs alone, with the words read. */
function accepted(lines: readonly string[]): { line: string; words: readonly (readonly string[])[] }[] {
  return lines.flatMap((line) => {
    const words = read(line)
    const isRecorded = words?.every(([program]) => PROGRAMS.includes(program!)) === true
    // Whether the second of two runs is up to the first.
    return isRecorded && !line.includes('||') && !/\n(?:\^|[^]*!)/.test(line) ? [{ line, words }] : []
  })
}

/** Runs lines in every shell and demands that each is carried out as it was read. */
async function confirm(cases: readonly { line: string; words: readonly (readonly string[])[] }[]): Promise<void> {
  const lines = cases.map(({ line }) => line)
  for (const shell of ['bash', 'bash with history'] as const) {
    const traces = await trace(shell, lines)
    const differing = cases.flatMap(({ line, words }, index) => {
      const { programs: ran, commands: count } = traces.lines[index]!
      // The commands of a pipeline run side by side.
      const [one, other] = [ran, words].map((all) => JSON.stringify(all.map((each) => JSON.stringify(each)).toSorted()))
      const alone = shell === 'bash' ? count === words.length : true
      return one === other && alone ? [] : [{ shell, line, read: words, ran, count }]
    })
    expect(differing).toEqual([])
    expect(traces.touched).toBe(false)
  }
}

/** Runs lines one after another in one process of a shell. */
function batch(shell: readonly [string, ...string[]], cases: readonly { line: string }[]): string[][][] {
  const out = join(root, `out-${traced++}`)
  const folder = join(out, 'folder')
  mkdirSync(folder, { recursive: true })
  for (const name of BAIT) writeFileSync(join(folder, name), 'bait')
  const calls = cases.map(({ line }) => `run '${line.replaceAll("'", String.raw`'\''`)}'\n`)
  writeFileSync(join(out, 'script'), BATCH + calls.join(''))
  const file = openSync(join(out, 'record'), 'w')
  const [program, ...args] = shell
  execFileSync(program, [...args, join(out, 'script')], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: '/home/of/nobody', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', 'ignore', 'ignore', file],
  })
  closeSync(file)
  expect(isTouched(folder)).toBe(false)
  const fields = contents(join(out, 'record')).split('\0')
  const found: string[][][] = [[]]
  for (let at = 0; at < fields.length - 1; at++) {
    const count = Number(fields[at])
    if (fields[at] === 'end') found.push([])
    else found.at(-1)!.push(fields.slice(at + 1, (at += count) + 1))
  }
  return found.slice(0, -1)
}

const ALWAYS_RUNS_MORE = [
  'git a; id',
  'git a && id',
  'git a || id; id',
  'git a | id',
  'git a |& id',
  'git a & id',
  'git a\nid',
  'git $(id)',
  'git "$(id)"',
  'git `id`',
  'git "`id`"',
  'git <(id) >x',
  'git ${x:-$(id)}',
  'git a[$(id)]',
  'git a["`id`"]',
  'git a{b,$(id)}',
  'git $((a[$(id)]))',
  '{ git; id; }',
  'git a #\nid',
  'git a \\\n;id',
  'git <<x\n$(id)\nx',
  'git <<<"$(id)"',
  'git() { id; }; git',
  '! git a; id',
  'coproc git; id',
  'git log\r\nid',
  'if git; then id; fi',
  "x='a[$(id)]'; [[ -v $x ]]",
]

const READ_DIFFERENTLY = [
  'git *',
  'git ?',
  'git [a]',
  'git {a,b}',
  'git ~',
  "git $'\\x41'",
  'git "$HOME"',
  'git ${HOME}',
]

/** Whether a rule for exactly this program, and whatever follows, permits a line. */
async function permitted(command: string): Promise<boolean> {
  const policy = {
    ...NO_POLICY,
    lists: [
      {
        skill: 'demo',
        rules: [
          { tool: 'Bash', pattern: 'git show:*' },
          { tool: 'Bash', pattern: 'git log:*' },
        ],
      },
    ],
  }
  const line = command.replace('git ', 'git log ')
  return (await permits(policy, { tool: 'Bash', input: { command: line } }, { tools: toolset() })).allowed
}

// ── The laws ─────────────────────────────────────────────────────────────────────────────────────────────────

describe('commands in real shells', () => {
  test('[GATE-3] reads every properly quoted command as the words that shells give to its program', async () => {
    const cases = fc.sample(quotedCommand, runs(100))
    const later = /\n(?:\^|[^]*!)/
    for (const { line, words } of cases) expect([line, read(line)]).toEqual([line, words])
    await confirm(cases.filter(({ line }) => !later.test(line)))
  })

  test('[GATE-3, ABUSE-36, ABUSE-42] takes no line for one command of literal words that a shell carries out otherwise', async () => {
    const cases = accepted(fc.sample(fc.oneof(soup, mutated), runs(2_500)))
    // Enough of them pass, or the law would hold of nothing.
    expect(cases.length).toBeGreaterThan(runs(100))
    await confirm(cases.slice(0, runs(140)))
  })

  test('[GATE-3, ABUSE-36] takes no list of commands for others than those that a shell carries out', async () => {
    const part = fc.oneof(
      quotedCommand.map(({ line }) => line),
      fc.constantFrom('id', 'cat a', 'x "a b"', "a '&& id'", 'b # x'),
    )
    const cases = accepted(fc.sample(listOf(part), runs(300)))
    expect(cases.length).toBeGreaterThan(runs(60))
    await confirm(cases.slice(0, runs(100)))
  })

  test.each(ALWAYS_RUNS_MORE.map((line) => [line]))(
    '[ABUSE-36, ABUSE-37] refuses %j, which runs more than git in a real shell',
    async (line) => {
      const { lines, touched } = await trace('bash', [line])
      expect(lines[0]!.commands > 1 || lines[0]!.programs.length > 1 || touched).toBe(true)
      expect(await permitted(line)).toBe(false)
    },
  )

  test.each(READ_DIFFERENTLY.map((line) => [line]))(
    '[ABUSE-37, ABUSE-42] refuses %j, whose words a real shell replaces',
    async (line) => {
      const { lines } = await trace('bash', [line])
      expect(lines[0]!.programs).not.toEqual([line.split(' ')])
      expect(await permitted(line)).toBe(false)
    },
  )

  test('[ABUSE-36] refuses ANSI-C quotes, within which sh ends a word that bash continues', async () => {
    const line = "git $'a\\' ; id #'"
    const inBash = await trace('bash', [line])
    expect(await permitted(line)).toBe(false)
    expect(inBash.lines[0]!.programs).toEqual([['git', "a' ; id #"]])
  })

  test('[ABUSE-36] refuses what an interactive shell replaces from its history', async () => {
    const lines = ['git "!git"', "git 'a\n^a^b'"]
    const traces = await trace('bash with history', lines)
    expect(traces.lines[0]!.programs).not.toEqual([['git', '!git']])
    expect(traces.lines[1]!.programs).not.toEqual([['git', 'a\n^a^b']])
    for (const line of lines) expect([line, await permitted(line)]).toEqual([line, false])
    expect(read("git commit -m 'done!git'")).toEqual([['git', 'commit', '-m', 'done!git']])
  })
})

const SHELLS: readonly (readonly [string, ...string[]])[] = [['bash'], ['dash'], ['busybox', 'ash']]

/** What a command must be of which a shell expands words: its options are those that are written. */
const optionsOf = (words: readonly string[]): readonly string[] => words.filter((word) => word.startsWith('-'))

describe.skipIf(isMissing('busybox'))('commands that readers permit (needs busybox)', () => {
  const rules = ['git log:*', 'git show:*', 'cat:*', 'id'].map((pattern) => ({ tool: 'Bash', pattern }))
  const cases: { line: string; commands: readonly (readonly ShellWord[])[] }[] = []

  beforeAll(async () => {
    const policy = { ...NO_POLICY, lists: [{ skill: 'demo', rules }] }
    const plain = quotedCommand.map(({ line }) => line)
    const command = fc
      .tuple(fc.constantFrom('git log', 'git show', 'cat', 'id'), fc.oneof(plain, soup, mutated))
      .map(([name, line]) => line.replace('git', name))
    for (const line of fc.sample(fc.oneof(command, listOf(command)), 5_000)) {
      const { allowed } = await permits(policy, { tool: 'Bash', input: { command: line } }, { tools: toolset() })
      // Whether the second of two runs is up to the first.
      if (!allowed || line.includes('||')) continue
      const { list } = commands().readLine(line)
      cases.push({ line, commands: list.flatMap((part) => ('problem' in part ? [] : [part.command.words])) })
    }
    // Enough of them pass, or the law would hold of nothing.
    expect(cases.length).toBeGreaterThan(1_000)
  })

  test.each(SHELLS.map((shell) => [shell] as const))(
    '[GATE-3, ABUSE-36, ABUSE-38] of 5,000 generated lines, %j runs those as exactly the words read, and expands none to an option',
    (shell) => {
      const ran = batch(shell, cases)
      const differing = cases.flatMap(({ line, commands: all }, index) => {
        const isAsRead =
          ran[index]?.length === all.length &&
          all.every((words, place) => {
            const own = ran[index]![place]!
            const literal = words.flatMap((word) => word.literal ?? [])
            const [one, other] = literal.length === words.length ? [own, literal] : [optionsOf(own), optionsOf(literal)]
            return JSON.stringify(one) === JSON.stringify(other)
          })
        return isAsRead ? [] : [{ line, read: all, ran: ran[index] }]
      })
      expect(differing).toEqual([])
    },
  )
})
