import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { openHost } from './configuration-example.ts'

afterEach(() => vi.unstubAllEnvs())

it('[ADPT-4, DISC-9] shows on the page of configuration a host that is compiled and says what was set', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-docs-')))
  try {
    vi.stubEnv('HOME', root)
    vi.stubEnv('XDG_CONFIG_HOME', join(root, 'config'))
    vi.stubEnv('REPERTOIRE_ENABLED', 'true')
    mkdirSync(join(root, 'config/repertoire'), { recursive: true })
    writeFileSync(join(root, 'config/repertoire/repertoire.config.json'), '{ "profile": "strict" }')
    mkdirSync(join(root, 'project/.repertoire'), { recursive: true })
    writeFileSync(join(root, 'project/.repertoire/config.json'), '{ "profile": "strict" }')
    const lines: string[] = []
    const repertoire = await openHost(join(root, 'project'), (line) => lines.push(line))
    expect(lines).toEqual([`${join(root, 'config/repertoire/repertoire.config.json')}: profile, enabled`])
    const session = openAdapterSession(repertoire, { cwd: root })
    const isRefused = async (command: string) =>
      (await session.preview({ id: 'c', tool: 'Bash', input: { command } })).refusal !== undefined
    await session.step({ tools: ['Bash'] })
    expect(await isRefused('git push origin')).toBe(true)
    expect(await isRefused('cat project/.repertoire/config.json')).toBe(true)
    expect(await isRefused('git log')).toBe(false)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})

it('[DISC-9] names on the page of configuration every variable that is read, and no other', () => {
  const folder = join(import.meta.dirname, '../../src/node')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const variables = sources.flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/\b(REPERTOIRE_[A-Z_]+): /g),
  ])
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8')
  const named = [...page.matchAll(/`(REPERTOIRE_[A-Z_]+)`/g)]
  const names = (matches: readonly RegExpMatchArray[]) => new Set(matches.map(([, name]) => name))
  expect(names(variables).size).toBe(2)
  expect(names(named)).toEqual(names(variables))
})
