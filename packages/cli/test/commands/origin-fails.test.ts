import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

/** A site with one skill, which a test may change, break or close. */
async function startSite(name: string) {
  const answer = { status: 200, text: manifest(name, '', 'First.') }
  const server: Server = createServer((_request, response) => {
    response.writeHead(answer.status).end(answer.text)
  })
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(close)
  return { answer, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}/SKILL.md` }
}

let cwd: string
const command = (...args: readonly string[]) => inProcess([...args, '--allow-private', '127.0.0.1'], { cwd })
const bodyOf = (name: string): string => readFileSync(join(cwd, '.agents/skills', name, 'SKILL.md'), 'utf8')

beforeEach(async () => {
  cwd = join(await temporaryFolder(), 'project')
  await write(cwd, { 'package.json': '{}' })
})

describe('where one origin fails and another has something newer', () => {
  async function installed() {
    const [broken, closed, newer] = [await startSite('broken'), await startSite('closed'), await startSite('newer')]
    expect(await command('add', broken.url, closed.url, newer.url, '--yes')).toMatchObject({ code: 0 })
    broken.answer.status = 500
    await closed.close()
    newer.answer.text = manifest('newer', '', 'Second.')
  }

  it('[LIB-12] outdated has the failures with their reasons, and what is newer', async () => {
    await installed()
    const shown = await command('outdated')
    expect(shown).toMatchObject({ code: 1, stderr: '' })
    expect(shown.stdout).toMatch(
      /^broken {2}could not be checked: .*the answer is 500\. Check the address, or try again later\.$/m,
    )
    expect(shown.stdout).toMatch(/^closed {2}could not be checked: .*it does not answer \(ECONNREFUSED\)\./m)
    expect(shown.stdout).toMatch(/^newer {2}sha256:[\da-f]{12} → sha256:[\da-f]{12}$/m)
    expect(shown.stdout).toContain('1 skill of 3 outdated, 2 could not be checked.')
    const { code, stdout } = await command('outdated', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        skills: [
          { name: 'broken', state: 'unchecked', problem: expect.stringContaining('the answer is 500') as string },
          { name: 'closed', state: 'unchecked', problem: expect.stringContaining('ECONNREFUSED') as string },
          { name: 'newer', state: 'newer' },
        ],
      },
    ])
  })

  it('[LIB-12] update writes what is newer, and keeps the others with the reasons', async () => {
    await installed()
    const updated = await command('update', '--yes')
    expect(updated).toMatchObject({ code: 1, stderr: '' })
    expect(updated.stdout).toMatch(/ broken {2}kept .*the answer is 500\. Check the address, or try again later\.$/m)
    expect(updated.stdout).toMatch(/ closed {2}kept .*ECONNREFUSED/m)
    expect(updated.stdout).toContain('1 skill written, 2 kept.')
    expect([bodyOf('newer'), bodyOf('broken')]).toEqual([
      expect.stringContaining('Second.'),
      expect.stringContaining('First.'),
    ])
  })

  it('[LIB-12] update --json has both, and a skill that was named is not updated without its origin', async () => {
    await installed()
    expect(await command('update', 'broken', 'newer', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the answer is 500') as string,
    })
    expect(bodyOf('newer')).toContain('First.')
    const { code, stdout } = await command('update', '--json', '--yes')
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      {
        written: true,
        skills: [
          {
            name: 'broken',
            action: 'keep',
            because: 'unchecked',
            problem: expect.stringContaining('the answer is 500') as string,
          },
          { name: 'closed', because: 'unchecked', problem: expect.stringContaining('ECONNREFUSED') as string },
          { name: 'newer', action: 'replace' },
        ],
        result: { written: ['newer'], kept: ['broken', 'closed'] },
      },
    ])
    expect(bodyOf('newer')).toContain('Second.')
  })
  it('[LIB-12] install writes the others, and names those that are missing, and --frozen writes nothing', async () => {
    await installed()
    await write(cwd, { 'src/SKILL.md': manifest('mine') })
    expect(await command('add', './src', '--link', '.claude/skills', '--yes')).toMatchObject({ code: 0 })
    for (const name of ['broken', 'closed', 'mine']) rmSync(join(cwd, '.agents/skills', name), { recursive: true })
    const frozen = await command('install', '--frozen', '--json')
    expect([frozen.code, JSON.parse(frozen.stdout)]).toMatchObject([1, { error: { code: 'ORIGIN_UNREACHABLE' } }])
    expect(existsSync(join(cwd, '.agents/skills/mine'))).toBe(false)
    const restored = await command('install')
    expect(restored).toMatchObject({ code: 1, stderr: '' })
    expect(restored.stdout).toMatch(
      / broken {2}missing .*the answer is 500\. Check the address, or try again later\.$/m,
    )
    expect(restored.stdout).toMatch(/ closed {2}missing .*ECONNREFUSED/m)
    expect(restored.stdout).toMatch(/^1 skill written, 2 missing\.$/m)
    expect(bodyOf('mine')).toContain('mine')
    const again = await command('install', '--json')
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([
      1,
      { written: false, skills: [{ name: 'broken', because: 'unchecked' }, { name: 'closed' }, {}, {}] },
    ])
    expect((await command('install')).stdout).toContain('Nothing to do: 2 missing.')
  })
})
