import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

async function project(): Promise<string> {
  const cwd = await temporaryFolder()
  await write(cwd, {
    'src/pdf/SKILL.md': manifest('pdf', 'allowed-tools: Read\n'),
    'src/csv/SKILL.md': manifest('csv'),
    'src/csv/data.txt': 'a,b\n',
  })
  expect((await inProcess(['add', './src', '--yes'], { cwd })).code).toBe(0)
  return cwd
}

it('[ADPT-9] writes a plugin, says what each skill loses, and replaces no folder', async () => {
  const cwd = await project()
  const args = ['export', 'plugin', '--output', 'out/office']
  const done = await inProcess(args, { cwd })
  expect([done.code, done.stderr]).toEqual([0, ''])
  expect(done.stdout).toMatch(
    /pdf {2}1 file\n {2}consent {8}Nobody[^]*allowed-tools {2}Calls outside of Read are not refused\./,
  )
  expect((await readdir(join(cwd, 'out/office/skills'))).toSorted()).toEqual(['csv', 'pdf'])
  await write(cwd, { 'out/office/mine.md': 'mine' })
  const refused = await inProcess([...args, '--json'], { cwd })
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, { error: { code: 'FOLDER_NOT_WRITABLE' } }])
  expect(await readFile(join(cwd, 'out/office/mine.md'), 'utf8')).toBe('mine')
})

it('[ADPT-9] writes what HarnessAgent takes as JSON, and never over a file', async () => {
  const cwd = await project()
  const harness = await inProcess(['export', 'harness', 'csv', '-o', 'h.json', '--json'], { cwd })
  expect(JSON.parse(harness.stdout)).toMatchObject({
    target: 'harness',
    skills: [{ name: 'csv', files: ['SKILL.md', 'data.txt'], lost: [{ what: 'consent' }] }],
  })
  expect(JSON.parse(await readFile(join(cwd, 'h.json'), 'utf8'))).toMatchObject([
    { name: 'csv', files: [{ path: 'data.txt', content: 'a,b\n' }] },
  ])
  await symlink(join(cwd, 'target'), join(cwd, 'dangling.json'))
  for (const output of ['h.json', 'dangling.json', 'src']) {
    const again = await inProcess(['export', 'harness', '-o', output], { cwd })
    expect([output, again.code, again.stderr]).toEqual([output, 2, expect.stringContaining('there already')])
  }
  expect((await readdir(cwd)).filter((name) => name.startsWith('.') && name !== '.agents')).toEqual([])
})

it('[ADPT-9] refuses what is not admitted, what the lock lacks, and a wrong command', async () => {
  const cwd = await project()
  const config = join(cwd, 'config')
  const env = { XDG_CONFIG_HOME: config, APPDATA: config }
  await write(config, { 'repertoire/repertoire.config.json': JSON.stringify({ admit: { tools: ['Grep'] } }) })
  const all = await inProcess(['export', 'harness', '-o', 'h.json'], { cwd, env })
  expect([all.code, all.stderr]).toEqual([1, expect.stringMatching(/pdf is not exported: the host does not admit it/)])
  expect((await inProcess(['export', 'harness', 'csv', '-o', 'h.json'], { cwd, env })).code).toBe(0)
  const unknown = await inProcess(['export', 'plugin', 'xls', '-o', 'out'], { cwd })
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('neither the lock nor')])
  for (const args of [['plugin'], ['zip', '-o', 'x'], []]) {
    expect([args, (await inProcess(['export', ...args], { cwd })).code]).toEqual([args, 2])
  }
  const odd = await inProcess(['export', 'plugin', 'csv', '-o', 'Not a name'], { cwd })
  expect([odd.code, odd.stderr]).toEqual([1, expect.stringContaining('cannot be named')])
  const empty = await inProcess(['export', 'plugin', '-o', 'x'], { cwd: await temporaryFolder() })
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('no skill is in a lock')])
})
