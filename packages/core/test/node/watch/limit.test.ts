import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const CORE = new URL('../../../src/index.ts', import.meta.url).href
const NODE = new URL('../../../src/node/index.ts', import.meta.url).href
const WATCH = new URL('../../../src/node/watch/directory.ts', import.meta.url).href

/** Opens a repertoire with a watch, with no files left to open while it begins where `useUpFiles`; tells what it sees. */
const CHILD = `
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
const [core, node, watch, root, useUpFiles, stay] = process.argv.slice(1)
const { openRepertoire } = await import(core)
const { directorySource } = await import(node)
await import(watch)
const source = directorySource({ root, layer: 'project', watch: { interval: 20 } })
const limited = {
  ...source,
  async watch(listener) {
    const files = []
    try {
      for (;;) files.push(openSync('/dev/null', 'r'))
    } catch {}
    try {
      return await source.watch(listener)
    } finally {
      for (const file of files) closeSync(file)
    }
  },
}
const repertoire = await openRepertoire({ sources: [useUpFiles === 'yes' ? limited : source], watch: { debounce: 10 } })
const told = repertoire.catalog.diagnostics.map(({ code, severity, message, hint }) => ({ code, severity, message, hint }))
const seen = repertoire.catalog.list().length
if (stay === 'no') {
  console.log(JSON.stringify({ told, seen }))
} else {
  const alive = setInterval(() => {}, 1000)
  const added = new Promise((resolve) => repertoire.onChange(({ added }) => added.length > 0 && resolve(added)))
  mkdirSync(root + '/late')
  writeFileSync(root + '/late/SKILL.md', '---\\nname: late\\ndescription: Late.\\n---\\n')
  console.log(JSON.stringify({ told, seen, added: await added }))
  await repertoire.close()
  clearInterval(alive)
}
`

interface CompactDiagnostic {
  readonly told: readonly { code: string; severity: string; message: string; hint: string }[]
  readonly seen: number
  readonly added?: readonly string[]
}

let root: string

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-limit-'))
  for (let n = 0; n < 40; n++) {
    mkdirSync(join(root, `skill-${n}`))
    writeFileSync(join(root, `skill-${n}`, 'SKILL.md'), `---\nname: skill-${n}\ndescription: One.\n---\n`)
  }
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

const run = async (
  command: readonly string[],
  useUpFiles: 'yes' | 'no',
  stay: 'yes' | 'no',
): Promise<CompactDiagnostic> => {
  const flags = ['--conditions=@repertoire/source', '--input-type=module', '--eval', CHILD]
  const [program, ...rest] = [...command, process.execPath, ...flags, CORE, NODE, WATCH, root, useUpFiles, stay]
  const { stdout } = await promisify(execFile)(program, rest, { timeout: 50_000 })
  return JSON.parse(stdout) as CompactDiagnostic
}

/** A namespace of one's own has limits of its own, where the system lets anyone make one. */
const IN_NAMESPACE = ['unshare', '-Ur', 'sh', '-c', 'echo 20 > /proc/sys/user/max_inotify_watches && exec "$@"', 'sh']
const hasNamespaces = spawnSync(IN_NAMESPACE[0]!, [...IN_NAMESPACE.slice(1), 'true']).status === 0
const FEW_FILES = ['sh', '-c', 'ulimit -n 256 && exec "$@"', 'sh']

const WAYS = [
  { code: 'EMFILE', what: 'files', command: FEW_FILES, useUpFiles: 'yes' },
  ...(hasNamespaces ? [{ code: 'ENOSPC', what: 'watches', command: IN_NAMESPACE, useUpFiles: 'no' } as const] : []),
] as const

describe.runIf(process.platform === 'linux')('a watch for which the system has nothing left', () => {
  it.each(WAYS)('[ABUSE-108] reports it, and still sees changes ($what)', async ({ code, command, useUpFiles }) => {
    const { told, seen, added } = await run(command, useUpFiles, 'yes')
    expect(seen).toBe(40)
    expect(told).toEqual([
      {
        code: 'WATCH_LIMITED',
        severity: 'warning',
        message: expect.stringContaining(`scanned for changes every 20 ms`) as string,
        hint: expect.stringMatching(/sysctl.*polling/) as string,
      },
    ])
    expect(told[0]!.message).toContain(code)
    expect(added).toEqual(['late'])
  })

  it('[CAT-4] keeps no process alive, whether by events or by polling', async () => {
    expect(await run([], 'no', 'no')).toEqual({ told: [], seen: 40 })
    const { told } = await run(FEW_FILES, 'yes', 'no')
    expect(told.map(({ code }) => code)).toEqual(['WATCH_LIMITED'])
  })
})
