// Packs every package and publishes those whose version the registry does not have yet: node scripts/release/publish.ts
// pnpm packs, since it writes real versions in place of `workspace:` and `catalog:`. npm publishes, since it proves to
// the registry which workflow it runs in (trusted publishing), and adds the provenance.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { packPackages, ROOT } from '../packed-packages.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'repertoire-publish-'))
try {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8')) as { version: string }
  const isProven = Boolean(process.env['ACTIONS_ID_TOKEN_REQUEST_URL'])
  const publish = async ([name, address]: readonly [string, string]): Promise<void> => {
    const viewed = await run('npm', ['view', `${name}@${version}`, 'version']).catch(() => ({ stdout: '' }))
    if (viewed.stdout.trim() === version) return void process.stdout.write(`${name}@${version} is published already\n`)
    const flags = ['--access=public', '--loglevel=error', ...(isProven ? [] : ['--provenance=false'])]
    await run('npm', ['publish', address.slice('file:'.length), ...flags])
    process.stdout.write(`${name}@${version} is published${isProven ? ', with provenance' : ''}\n`)
  }
  const published = await Promise.allSettled(Object.entries(packPackages(folder)).map(publish))
  for (const each of published) if (each.status === 'rejected') throw each.reason
} finally {
  rmSync(folder, { recursive: true, force: true })
}
