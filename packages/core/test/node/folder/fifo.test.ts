import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { NODE } from '../../bundled-entries.ts'

// A FIFO without a writer holds up the thread that opens it for good, so it is opened in a process that can be ended.
const CHILD = `
const { directorySource, skillFolder } = await import(process.argv[1])
const root = process.argv[2]
const result = []
for (const depth of [1, 2]) {
  for (const { folderName, code, severity, path } of directorySource({ root, layer: 'personal', depth }).scan()) {
    result.push(folderName ?? code + ' ' + severity + ' ' + path.slice(root.length))
  }
}
const folder = skillFolder(root + '/good')
await folder.read('fifo').catch(({ code, message }) => result.push(code, message))
await skillFolder(root + '/pipe').readManifest().catch(({ code }) => result.push(code))
const { files, refused } = await folder.list()
result.push(files, refused)
console.log(JSON.stringify(result))
`

let root: string

beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-fifo-'))
  for (const name of ['good', 'pipe']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'good/SKILL.md'), '')
  execFileSync('mkfifo', [join(root, 'good/fifo'), join(root, 'pipe/SKILL.md')])
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

it.skipIf(process.platform === 'win32')(
  '[DISC-10, ABUSE-18, ABUSE-28] refuses a FIFO without hanging',
  () => {
    const flags = ['--conditions=@repertoire/source', '--input-type=module', '--eval', CHILD]
    const output = execFileSync(process.execPath, [...flags, NODE, root], {
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    })
    const scanned = ['good', 'MANIFEST_NOT_A_FILE error /pipe/SKILL.md']
    expect(JSON.parse(output)).toEqual([
      ...scanned,
      ...scanned,
      'RESOURCE_REFUSED',
      expect.stringContaining('it is a device, a pipe or a socket'),
      'RESOURCE_REFUSED',
      [{ path: 'SKILL.md', size: 0, executable: false }],
      [{ path: 'fifo', reason: 'a device, a pipe or a socket' }],
    ])
  },
  90_000,
)
