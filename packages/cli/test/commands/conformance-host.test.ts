import type { JsonReport } from '@repertoire/conformance'
import { hostChecks } from '@repertoire/conformance/host'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { inProcess, repertoire, temporaryFolder, write } from '../command.ts'

const EXAMPLE = fileURLToPath(new URL('../../../conformance/test/docs/host-example.ts', import.meta.url))
const CHECKS = ['listing-bom', 'told-own-tools']
const ONLY = CHECKS.flatMap((id) => ['--check', id])

/** A driver of a host that never asks the model, whose `start` begins with the given statements. */
function driver(start: string, more = ''): string {
  return `export const host = {
    name: 'silent', version: '2.0.0', documentation: 'https://example.com', ${more}
    async start() { ${start}; return { send: async () => 'I have listed everything.' } },
    activate: { absent: 'It has no skills.' }, read: { absent: 'It has no files.' },
  }`
}

describe('conformance --host', () => {
  it('[CONF-7] judges a host by the module that exports its driver, and tells what is not judged', async () => {
    const cwd = await temporaryFolder()
    const ended = await inProcess(['conformance', '--host', EXAMPLE, ...ONLY, '--json'], { cwd })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ended.stdout)).toMatchObject({
      adapters: ['my agent'],
      hosts: [{ name: 'my agent', version: '1.0.0', documentation: 'https://example.com/docs/skills' }],
      results: [
        { id: 'listing-bom', level: 'MUST', status: 'pass' },
        { id: 'told-own-tools', level: 'INFO', status: 'told', reason: 'skill, read_skill_file.' },
      ],
    })
  })

  it('[CONF-7] writes the report for a terminal, as Markdown and as JUnit', async () => {
    const cwd = await temporaryFolder()
    const args = ['conformance', '--host', EXAMPLE, ...ONLY]
    const terminal = await inProcess(args, { cwd })
    expect(terminal.stdout).toMatch(
      /my agent\n[^]*✓ +listing-bom [^]*i +told-own-tools [^]*\nmy agent: ✓ 1 passed, i 1 not judged\n$/,
    )
    expect(terminal.stdout).toContain('my agent 1.0.0, https://example.com/docs/skills')
    const markdown = await inProcess([...args, '--format', 'markdown'], { cwd })
    expect(markdown.stdout).toMatch(/^# Conformance\n[^]*\| listing-bom \| \\\[CONF-7\\\] /)
    expect((await inProcess([...args, '--format', 'junit', '--output', 'host.xml'], { cwd })).code).toBe(0)
    expect(await readFile(join(cwd, 'host.xml'), 'utf8')).toContain('<system-out>skill, read_skill_file.</system-out>')
  })

  it('[CONF-7] lists the checks and the hosts, and runs nothing', async () => {
    const cwd = await temporaryFolder()
    const listed = await inProcess(['conformance', '--host', EXAMPLE, '--list'], { cwd })
    expect(listed.stdout).toMatch(/^my agent 1\.0\.0, https:/)
    for (const { id } of hostChecks) expect(listed.stdout).toContain(id)
    expect(listed.stdout).not.toContain('[')
    const json = await inProcess(['conformance', '--host', EXAMPLE, '--list', '--check', 'listing-bom', '--json'], {
      cwd,
    })
    expect(JSON.parse(json.stdout)).toMatchObject({ hosts: [{ name: 'my agent' }], checks: [{ id: 'listing-bom' }] })
  })

  it('[CONF-7, ABUSE-142] ends with 1 for a host that only says that it lists skills, also if it then crashes', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'host.mjs': driver(`setImmediate(() => { throw new Error('left behind') })`) })
    const ended = await repertoire(['conformance', '--host', 'host.mjs', ...ONLY, '--json'], { cwd })
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    const { results } = JSON.parse(ended.stdout) as JsonReport
    expect(results.map(({ status }) => status)).toEqual(['fail', 'n/a'])
    expect(results[0]!.reason).toMatch(/left behind|expected a request to the model/)
  })

  it('[CONF-7] ends when the report is written, whatever the host leaves running', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'host.mjs': driver('setInterval(() => {}, 1000)') })
    const ended = await repertoire(['conformance', '--host', 'host.mjs', ...ONLY, '--json'], { cwd })
    expect(ended).toMatchObject({ code: 1, stderr: '' })
    expect((JSON.parse(ended.stdout) as JsonReport).results).toHaveLength(CHECKS.length)
  })

  it('[CONF-7] ends with 2 for a module without a driver, a wrong driver, an unknown check, or adapters beside it', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'adapter.mjs': `export const mine = { name: 'mine', variants: [{ name: 'a' }], capabilities: {} }`,
      'field.mjs': driver('', `reads: 'files',`),
      'host.mjs': driver(''),
    })
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['gone.mjs'], /--host gone\.mjs: there is no file/],
      [['adapter.mjs'], /--host adapter\.mjs exports no host driver, only: mine\. Export an object \{ name, version/],
      [['field.mjs'], /The host driver "silent": `reads` is "files"/],
      [['host.mjs', '--check', 'listing-bmo'], /There is no check "listing-bmo"\. Did you mean "listing-bom"/],
      [['host.mjs', '--adapter', 'ai-sdk'], /--host.*cannot be used with.*--adapter/],
    ]
    for (const [args, text] of cases) {
      const ended = await inProcess(['conformance', '--host', ...args], { cwd })
      expect({ ...ended, args }).toMatchObject({ code: 2, stdout: '', args })
      expect(ended.stderr).toMatch(text)
    }
  })
})
