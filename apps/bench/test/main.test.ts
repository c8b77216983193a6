import { readdirSync } from 'node:fs'
import { watch } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { run } from '../src/program.ts'
import { bench } from './bench.ts'
import { temporary } from './temporary.ts'

const WRONG: readonly (readonly [args: readonly string[], message: string])[] = [
  [['--sizes', 'many'], '--sizes "many" is not a whole number'],
  [['--only', 'speed'], 'There is no part "speed". Known are: discovery, prompt, use, search, agents, '],
  [['--rounds', '0'], '--rounds "0" is not a whole number from 1 to 100.'],
  [['--contestants', 'constructor'], 'There is no contestant "constructor".'],
]

describe('npm run bench', { timeout: 180_000 }, () => {
  it('[NFR-1] removes its trees when it is interrupted', async () => {
    const scratch = join(temporary(), 'tmp')
    const stop = new AbortController()
    const ended = bench(['--source', '--sizes', '200', '--json', join(scratch, '..', 'x.json')], scratch, stop.signal)
    for await (const _ of watch(scratch))
      if (readdirSync(scratch).some((name) => name.startsWith('repertoire-bench-'))) break
    stop.abort()
    expect(await ended).toMatchObject({ code: 130, stdout: '' })
    expect(readdirSync(scratch)).toEqual([])
  })

  it.each(WRONG)('[NFR-1] says what is wrong with %j before anything runs', async (args, message) => {
    const [stdout, stderr] = [new PassThrough({ encoding: 'utf8' }), new PassThrough({ encoding: 'utf8' })]
    const code = await run(['--source', ...args], { stdout, stderr, env: {}, cwd: () => process.cwd() })
    expect({ code, stdout: stdout.read() as unknown }).toEqual({ code: 2, stdout: null })
    expect(stderr.read()).toContain(message)
  })

  it('[NFR-1] ends the process with the code of a wrong command', async () => {
    const { code, stdout, stderr } = await bench(['--source', '--faster'], join(temporary(), 'tmp'))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain("Unknown option '--faster'")
  })
})
