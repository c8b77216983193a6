import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { virtualRunner } from '@repertoire/runners'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inspectJavaScript } from '../src/virtual/inspect/javascript.ts'
import { runInWorker } from '../src/virtual/in-worker.ts'
import { job } from './job.ts'

const file = (path: string, content: string) => ({ path, bytes: Buffer.from(content), executable: false })

/** What the virtual shell does with scripts that nothing keeps from it: exit code and output of each. One shell runs them all. */
async function virtually(scripts: readonly string[], extension: string): Promise<readonly string[]> {
  const files = scripts.map((script, index) => file(`${index}.${extension}`, script))
  const line = ({ path }: { readonly path: string }) =>
    `js-exec /skill/${path} /skill/${path} >$TMPDIR/out; echo "$?"; cat $TMPDIR/out; printf '\\0'`
  const { limits } = job('')
  const shell = {
    command: 'sh',
    args: ['all.sh'],
    files: [...files, file('all.sh', files.map(line).join('\n'))],
    environment: {},
    limits,
    stdin: undefined,
    workspace: undefined,
  }
  const result = await runInWorker(shell, new AbortController().signal)
  return result?.stdout.split('\0') ?? []
}

/** What Node does with it. */
function reallyIn(folder: string, path: string, script: string): string {
  writeFileSync(join(folder, path), script)
  try {
    return `0\n${execFileSync(process.execPath, [join(folder, path)], { stdio: 'pipe' }).toString()}`
  } catch (error) {
    const { status, stdout } = error as { readonly status: number; readonly stdout: Buffer }
    return `${status}\n${stdout.toString()}`
  }
}

/** Scripts that it would run otherwise than Node, without an error. */
const DIFFERENCES: readonly (readonly [script: string, reason: string])[] = [
  ['process.exitCode = 3', 'process.exitCode changes nothing'],
  ['if (import.meta.url === `file://${process.argv[1]}`) console.log("main")', 'import.meta is empty'],
  ['console.log((1234.5).toLocaleString("en"))', 'it has no languages'],
  ['console.log("%s is %d", "a", 3)', 'console.log fills nothing into %s'],
  ['async function main() { throw new Error("x") }\nmain()', 'nothing waits for an asynchronous function'],
  [';(async () => {\n  throw new Error("x")\n})()', 'nothing waits for an asynchronous function'],
]

describe('JavaScript in the virtual shell', () => {
  it('[RUN-8] is refused where it would do otherwise than Node without an error', async () => {
    for (const [script, reason] of DIFFERENCES)
      expect(inspectJavaScript(script, 'run.mjs').refused).toMatchObject([
        { path: 'run.mjs', reason: expect.stringContaining(reason) },
      ])
    const files = [file('run.mjs', 'process.exitCode = 3')]
    await expect(virtualRunner().run(job('', { interpreter: 'node', script: 'run.mjs', files }))).rejects.toMatchObject(
      {
        code: 'SCRIPT_NOT_STARTED',
        message: expect.stringMatching(
          /^The virtual shell would run it otherwise than Node\. line 1: process\.exitCode/,
        ),
      },
    )
  })

  it('[RUN-8] does otherwise than Node where it is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'node-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const shown = await virtually(
      DIFFERENCES.map(([script]) => script),
      'mjs',
    )
    expect(shown).toHaveLength(DIFFERENCES.length + 1)
    const alike = DIFFERENCES.filter(([script], index) => shown[index] === reallyIn(folder, 'run.mjs', script))
    expect(alike).toEqual([])
  })

  it('[RUN-8] is told by what it imports and uses that is not there', () => {
    const { missing, unknown, refused } = inspectJavaScript(
      `#!/usr/bin/env node
// import nothing from 'nothing'
import axios from 'axios'
import { readFileSync, watch as see } from 'node:fs'
import type { X } from './types.ts'
import { own } from './own.mjs'
import {
  basename,
  matchesGlob,
} from 'path'
const crypto = require('crypto')
function late() {
  return import('undici').then(() => setTimeout(own, 1))
}
const named = 'https://example.com/' + "import('no')"
const later = await import(name)
process.stdout.write('x')
main().catch((error) => process.exit(1))
`,
      'run.mts',
    )
    expect(missing.map(({ name, line, certain }) => `${name}:${line}${certain ? '' : '?'}`)).toEqual([
      'axios:3',
      'fs.watch:4',
      'path.matchesGlob:7',
      'crypto:11',
      'undici:13?',
      'setTimeout:13?',
      'no:15',
      'process.stdout:17',
    ])
    expect({ unknown, refused }).toEqual({ unknown: [16], refused: undefined })
    const common = inspectJavaScript(`import fs from 'fs'\nrequire('./own')\nmodule.exports = 1\n`, 'run.cjs')
    expect(common.missing.map(({ name }) => name)).toEqual(['fs', './own', 'module.exports'])
  })

  it('[RUN-8] has the modules that it is said to have, and lacks the others', async () => {
    const modules =
      'assert buffer child_process console events fs os path process querystring stream string_decoder url util'
    const lacked = 'crypto fs/promises http module readline timers worker_threads zlib'
    const names = [...modules.split(' '), ...lacked.split(' ')]
    const script = `const out = {}
for (const name of ${JSON.stringify(names)}) try { out[name] = Object.keys(require(name)) } catch {}
out.globals = [typeof setTimeout, typeof TextEncoder, typeof structuredClone, typeof process.stdout, typeof __dirname]
console.log(JSON.stringify(out))`
    const { globals, ...found } = JSON.parse((await virtually([script], 'js'))[0]!.slice(2)) as Record<string, string[]>
    expect(new Set(globals)).toEqual(new Set(['undefined']))
    expect(Object.keys(found).toSorted()).toEqual(modules.split(' '))
    for (const [name, exported] of Object.entries(found)) {
      const imported = inspectJavaScript(`import { ${exported.join(', ')}, nothing } from 'node:${name}'`, 'a.mjs')
      expect(imported.missing.map((need) => need.name)).toEqual([`${name}.nothing`])
    }
  })
})
