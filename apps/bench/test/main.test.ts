import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Results } from '../src/results.ts'
import { temporary } from './temporary.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

const ENTRIES = ['@repertoire/core', '@repertoire/core/node']

const WRONG: readonly (readonly [args: readonly string[], message: string])[] = [
  [['--sizes', 'many'], '--sizes "many" is not a whole number'],
  [
    ['--only', 'speed'],
    'There is no part "speed". Known are: discovery, prompt, use, search, agents, runners, library, stores, imports, soak.',
  ],
  [['--minutes', 'soon'], '--minutes "soon" is not a number of minutes up to 1440, such as 10 or 0.5.'],
  [['--minutes', '0'], '--minutes "0" is not a number of minutes'],
  [['--adapters', 'mastra'], 'There is no adapter "mastra". Known are: ai-sdk, langchain, react-loop.'],
  [['--agent-sizes', '1e3'], '--agent-sizes "1e3" is not a whole number'],
  [['--contestants', 'constructor'], 'There is no contestant "constructor".'],
  [['--styles', 'yaml'], 'There is no style "yaml". Known are: xml, section, tool, tools, matched.'],
  [['--entries', '@repertoire/heart'], 'There is no entry "@repertoire/heart". Known are: @repertoire/ai-sdk, '],
  [['--corpus', 'no/such/folder'], 'no/such/folder is not a folder.'],
  [['--faster'], "unknown option '--faster'"],
]

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

let wrong: Promise<readonly Ended[]> | undefined
/** How the wrong commands end. One process runs them all. */
const endedWrong = (): Promise<readonly Ended[]> =>
  (wrong ??= bench([JSON.stringify(WRONG.map(([args]) => ['--source', ...args]))], join(temporary(), 'tmp'), {
    main: fileURLToPath(new URL('commands-process.ts', import.meta.url)),
  }).then(({ stdout }) => JSON.parse(stdout) as readonly Ended[]))

describe('npm run bench', { timeout: 180_000 }, () => {
  it('[NFR-1] measures, prints tables and aims, writes JSON, and leaves nothing behind', async () => {
    const folder = temporary()
    const json = join(folder, 'deep/results.json')
    const scratch = join(folder, 'tmp')
    const { code, stdout, stderr } = await bench(
      // prettier-ignore
      [
        '--source', '--quick', '--check', '--sizes', '40,20', '--rounds', '1', '--contestants', 'repertoire,grayMatter',
        '--only', 'discovery,prompt,use,library,imports', '--styles', 'xml', '--entries', ENTRIES.join(), '--json', json,
      ],
      scratch,
    )
    expect(stderr).toBe('')
    expect(readdirSync(scratch)).toEqual([])
    const results = JSON.parse(readFileSync(json, 'utf8')) as Results
    expect(code).toBe(results.aims.every(({ met }) => met === true) ? 0 : 1)
    expect(results).toMatchObject({ version: 1, measured: 'source', machine: { node: process.version, cache: 'warm' } })
    expect(results.discoveries.map(({ skills, rows }) => [skills, rows.map(({ id }) => id)])).toEqual([
      [20, ['floor', 'repertoire', 'grayMatter']],
      [40, ['floor', 'repertoire', 'grayMatter']],
    ])
    for (const { rows, readable } of results.discoveries) {
      const [floor, ...others] = rows
      for (const { first, repeated, firstOverFloor, heapPerSkill, peakRss, correctness } of others) {
        expect(firstOverFloor).toBeCloseTo((first?.median ?? 0) / (floor?.first?.median ?? 0))
        expect(repeated?.median).toBeGreaterThan(0)
        // Twenty skills weigh less than what a collector frees meanwhile: the figure has no sign to hold it to.
        expect(heapPerSkill).toSatisfy(Number.isFinite)
        expect(peakRss).toBeGreaterThan(1e7)
        expect(correctness?.right).toBe(readable)
      }
    }
    expect(results.prompt?.rows.map(({ id }) => id)).toEqual(['repertoire', 'grayMatter'])
    for (const { taken, correctness, characters } of results.prompt?.rows ?? []) {
      expect(taken?.median).toBeGreaterThan(0)
      expect(correctness?.right).toBe(results.prompt?.readable)
      expect(characters).toBeGreaterThan(1_000)
    }
    expect(results.library?.map(({ id, over }) => [id, (over?.median ?? 0) > 0])).toEqual([
      ['save', true],
      ['saveResource', true],
      ['scan', true],
      ['load', true],
      ['verify', true],
      ['changeLock', true],
    ])
    expect(results.use?.activation.steady?.median).toBeGreaterThan(0)
    for (const call of ['path', 'shell', 'ungated'] as const) {
      expect(results.use?.calls[call].steady?.median).toBeGreaterThan(0)
    }
    expect(results.use?.steps.map(({ style }) => style)).toEqual(['xml'])
    expect(results.imports?.entries.map(({ name }) => name).toSorted()).toEqual(ENTRIES.toSorted())
    for (const { whole } of results.imports?.entries ?? []) expect(whole?.median).toBeGreaterThan(0)
    for (const { title } of results.aims) expect(stdout).toContain(title)
    expect(stdout).toMatch(/\n {2}repertoire +[\d.]+ /)
    expect(stdout).toContain('real skills: n/a, left out by --quick')
    expect(stdout).not.toContain('\u001B')
  })

  it('[NFR-1] removes its trees when it is interrupted', async () => {
    const scratch = join(temporary(), 'tmp')
    mkdirSync(scratch)
    const stop = new AbortController()
    const ended = bench(['--source', '--sizes', '200', '--json', join(scratch, '..', 'x.json')], scratch, {
      signal: stop.signal,
    })
    for await (const _ of watch(scratch))
      if (readdirSync(scratch).some((name) => name.startsWith('repertoire-bench-'))) break
    stop.abort()
    expect(await ended).toMatchObject({ code: 130, stdout: '' })
    expect(readdirSync(scratch)).toEqual([])
  })

  it.each(WRONG)('[NFR-1] says what is wrong with %j before anything runs', async (args, message) => {
    const { code, stdout, stderr } = (await endedWrong())[WRONG.findIndex(([each]) => each === args)]!
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  it('[NFR-1] ends the process with the code of a wrong command', async () => {
    const { code, stdout, stderr } = await bench(['--source', '--faster'], join(temporary(), 'tmp'))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain("unknown option '--faster'")
  })
})

/** A run in a process of its own, which has nothing but a folder for temporary files. */
async function bench(
  args: readonly string[],
  scratch: string,
  { signal, main = MAIN }: { readonly signal?: AbortSignal; readonly main?: string } = {},
): Promise<Ended> {
  mkdirSync(scratch, { recursive: true })
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env
  const child = spawn(process.execPath, ['--conditions=@repertoire/source', main, ...args], {
    env: { NODE_COMPILE_CACHE, PATH, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  signal?.addEventListener('abort', () => child.kill('SIGINT'), { once: true })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
