import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const MAX_CHANGELOG_CHARS = 8_000

it('`changeset version` gives every published package one version and a short changelog', () => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'changesets-')))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  const manifests = globSync('{packages,apps}/*/package.json', { cwd: ROOT })
  for (const path of ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', '.changeset', ...manifests])
    cpSync(join(ROOT, path), join(copy, path), { recursive: true })
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: copy })
  const program = join(ROOT, 'node_modules/@changesets/cli/bin.js')
  execFileSync(process.execPath, [program, 'version'], { cwd: copy, stdio: 'pipe' })

  const versions = new Map<string, string>()
  for (const path of manifests) {
    const { name, version, private: isPrivate } = JSON.parse(readFileSync(join(copy, path), 'utf8'))
    if (isPrivate !== true) versions.set(name, version)
  }
  expect(versions.size).toBeGreaterThan(8)
  expect([...new Set(versions.values())]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+$/)])
  const changelogs = globSync('packages/*/CHANGELOG.md', { cwd: copy })
  for (const path of changelogs)
    expect([path, readFileSync(join(copy, path), 'utf8').length < MAX_CHANGELOG_CHARS]).toEqual([path, true])
})
