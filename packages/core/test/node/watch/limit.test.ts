import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const CORE = new URL('../../../src/index.ts', import.meta.url).href
const NODE = new URL('../../../src/node/index.ts', import.meta.url).href

/** Opens a repertoire with a watch, and prints what it reports; then waits for a new skill if it is to stay. */
const CHILD = `
import { mkdirSync, writeFileSync } from 'node:fs'
const [core, node, root, stay] = process.argv.slice(1)
const { openRepertoire } = await import(core)
const { directorySource } = await import(node)
const source = directorySource({ root, layer: 'project', watch: { interval: 20 } })
const repertoire = await openRepertoire({ sources: [source], watch: { debounce: 10 } })
const told = repertoire.catalog.diagnostics.map(({ code, severity, message, hint }) => ({ code, severity, message, hint }))
const seen = repertoire.catalog.list().length
if (stay === 'no') {
  console.log(JSON.stringify({ told, seen }))
} else {
  const alive = setInterval(() => {}, 1000)
  const added = new Promise((resolve) => repertoire.onChange(() => repertoire.catalog.has('late') && resolve(['late'])))
  mkdirSync(root + '/late')
  writeFileSync(root + '/late/SKILL.md', '---\\nname: late\\ndescription: Late.\\n---\\n')
  console.log(JSON.stringify({ told, seen, added: await added }))
  await repertoire.close()
  clearInterval(alive)
}
`

interface ChildReport {
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

const run = async (command: readonly string[], stay: 'yes' | 'no'): Promise<ChildReport> => {
  const flags = ['--conditions=@repertoire/source', '--input-type=module', '--eval', CHILD]
  const [program, ...rest] = [...command, process.execPath, ...flags, CORE, NODE, root, stay]
  const { stdout } = await promisify(execFile)(program, rest, { timeout: 50_000 })
  return JSON.parse(stdout) as ChildReport
}

/** Runs a command in a namespace with limits of its own, if the system lets anyone make one. */
const limitedTo = (limit: string, value: number): string[] => {
  return ['unshare', '-Ur', 'sh', '-c', `echo ${value} > /proc/sys/user/${limit} && exec "$@"`, 'sh']
}
const LIMITS = [
  { code: 'ENOSPC', command: limitedTo('max_inotify_watches', 20) },
  { code: 'EMFILE', command: limitedTo('max_inotify_instances', 0) },
]
const [unshare = '', ...words] = LIMITS[0]!.command
const hasNamespaces = process.platform === 'linux' && spawnSync(unshare, [...words, 'true']).status === 0

describe.runIf(hasNamespaces)('a watch for which the system has nothing left', () => {
  it.each(LIMITS)('[ABUSE-108] reports $code, and still sees changes', async ({ code, command }) => {
    const { told, seen, added } = await run(command, 'yes')
    expect(seen).toBe(40)
    expect(told).toEqual([
      {
        code: 'WATCH_LIMITED',
        severity: 'warning',
        message: expect.stringContaining('scanned for changes every 20 ms') as string,
        hint: expect.stringMatching(/sysctl.*polling/) as string,
      },
    ])
    expect(told[0]!.message).toContain(code)
    expect(added).toEqual(['late'])
  })

  it('[CAT-4] keeps no process alive by polling', async () => {
    const { told } = await run(LIMITS[0]!.command, 'no')
    expect(told.map(({ code }) => code)).toEqual(['WATCH_LIMITED'])
  })
})

describe('a watch', () => {
  it('[CAT-4] keeps no process alive', async () => {
    expect(await run([], 'no')).toEqual({ told: [], seen: 40 })
  })
})
