import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NODE } from '../../bundled-entries.ts'

// Root may read everything, so what an ordinary user meets is looked at in a process that gives up being root. It
// does so after its modules are loaded: another user may have no way to the folder that this file lies in.
const CHILD = `
const { directorySource, skillFolder } = await import(process.argv[1])
if (process.getuid() === 0) {
  process.setgroups([])
  process.setgid(65534)
  process.setuid(65534)
}
const root = process.argv[2]
const attempt = async (run) => {
  try {
    return await run()
  } catch (error) {
    return { code: error.code, message: error.message }
  }
}
const result = { uid: process.getuid(), found: [], diagnostics: [] }
for (const item of directorySource({ root, layer: 'personal', depth: Number(process.argv[3]) }).scan()) {
  const { folderName, code, severity, path } = item
  if (code === undefined) result.found.push(folderName)
  else result.diagnostics.push({ code, severity, path })
}
result.noRoot = await attempt(async () => {
  const codes = []
  for (const { code } of directorySource({ root: root + '/c-closed/below', layer: 'personal' }).scan()) codes.push(code)
  return codes
})
result.good = await attempt(async () => {
  const folder = skillFolder(root + '/a-good')
  return {
    listing: await folder.list(),
    file: await attempt(() => folder.read('secret.txt')),
    inFolder: await attempt(() => folder.read('closed/x')),
    manifest: new TextDecoder().decode(await folder.readManifest()),
  }
})
result.closed = await attempt(() => skillFolder(root + '/c-closed').list())
console.log(JSON.stringify(result))
`

let base: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-rights-'))
  chmodSync(base, 0o755)
  for (const name of ['a-good', 'b-file', 'c-closed', 'd-unlistable', 'e-unenterable', 'f-good']) {
    mkdirSync(join(base, name))
    writeFileSync(join(base, name, 'SKILL.md'), name)
  }
  writeFileSync(join(base, 'a-good/secret.txt'), 'secret', { mode: 0o000 })
  mkdirSync(join(base, 'a-good/closed'))
  writeFileSync(join(base, 'a-good/closed/x'), 'secret')
  chmodSync(join(base, 'a-good/closed'), 0o000)
  chmodSync(join(base, 'b-file/SKILL.md'), 0o000)
  chmodSync(join(base, 'c-closed'), 0o000)
  chmodSync(join(base, 'd-unlistable'), 0o311)
  chmodSync(join(base, 'e-unenterable'), 0o644)
})

afterEach(() => {
  for (const name of ['a-good/closed', 'c-closed', 'd-unlistable', 'e-unenterable']) chmodSync(join(base, name), 0o755)
  rmSync(base, { recursive: true, force: true })
})

interface Result {
  readonly uid: number
  readonly found: readonly string[]
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly path: string }[]
  readonly noRoot: readonly string[]
  readonly good: Record<'listing' | 'file' | 'inFolder' | 'manifest', unknown>
  readonly closed: unknown
}

function asOrdinaryUser(depth: number): Result {
  const flags = ['--conditions=@repertoire/source', '--input-type=module', '--eval', CHILD]
  const output = execFileSync(process.execPath, [...flags, NODE, base, String(depth)], { encoding: 'utf8', cwd: '/' })
  return JSON.parse(output) as Result
}

describe.skipIf(process.platform === 'win32')('as a user who may not read everything', () => {
  it.each([1, 2])('[DISC-3] reports unreadable folders and loads the others, at depth %i', (depth) => {
    const { uid, found, diagnostics } = asOrdinaryUser(depth)
    expect(uid).not.toBe(0)
    // A folder that can be entered though not listed shows its SKILL.md to the one who knows the name.
    expect(found).toEqual(depth === 1 ? ['a-good', 'd-unlistable', 'f-good'] : ['a-good', 'f-good'])
    const unreadable = { code: 'FOLDER_UNREADABLE', severity: 'warning' }
    expect(diagnostics).toEqual([
      { code: 'MANIFEST_UNREADABLE', severity: 'error', path: join(base, 'b-file/SKILL.md') },
      { ...unreadable, path: join(base, 'c-closed') },
      ...(depth === 1 ? [] : [{ ...unreadable, path: join(base, 'd-unlistable') }]),
      { ...unreadable, path: join(base, 'e-unenterable') },
      ...(depth === 1 ? [] : [{ ...unreadable, path: join(base, 'a-good/closed') }]),
    ])
  })

  it('[DISC-3] reports a root inside an unreadable folder', () => {
    expect(asOrdinaryUser(1).noRoot).toEqual(['FOLDER_UNREADABLE'])
  })

  it('[RES-1, RES-2] reads what is readable, and refuses the rest with the reason', () => {
    const { good, closed } = asOrdinaryUser(1)
    expect(good.manifest).toBe('a-good')
    expect(good.listing).toMatchObject({
      files: [{ path: 'SKILL.md' }, { path: 'secret.txt' }],
      truncated: false,
      refused: [{ path: 'closed', reason: 'no permission' }],
    })
    for (const refused of [good.file, good.inFolder]) {
      expect(refused).toMatchObject({
        code: 'RESOURCE_REFUSED',
        message: expect.stringContaining('no permission to read'),
      })
    }
    expect(closed).toMatchObject({ code: 'RESOURCE_REFUSED', message: expect.stringContaining('EACCES') })
  })
})
