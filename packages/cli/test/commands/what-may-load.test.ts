import type { ConfigurationSettings } from '@repertoire/core/node'
import { join } from 'node:path'
import process from 'node:process'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Ended, inProcess, manifest, temporaryFolder, write } from '../command.ts'

interface Listed {
  readonly skills: readonly { readonly name: string; readonly layer: string }[]
  readonly configuration: { readonly file?: string; readonly settings: ConfigurationSettings }
}

let base: string

beforeEach(async () => {
  base = await temporaryFolder()
  await write(base, {
    'work/.agents/skills/pdf/SKILL.md': manifest('pdf'),
    'home/.agents/skills/usual/SKILL.md': manifest('usual'),
  })
})

function run(args: readonly string[]): Promise<Ended> {
  const home = join(base, 'home')
  const config = join(base, 'config')
  const env = {
    HOME: home,
    USERPROFILE: home,
    ...(process.platform === 'win32' ? { APPDATA: config } : { XDG_CONFIG_HOME: config }),
  }
  return inProcess(args, { cwd: join(base, 'work'), env })
}

const configure = (text: string): Promise<void> => write(base, { 'config/repertoire/repertoire.config.json': text })
const listed = async (args: readonly string[] = []): Promise<Listed> =>
  JSON.parse((await run(['list', '--json', ...args])).stdout) as Listed
const namesOf = ({ skills }: Listed): readonly string[] =>
  skills.filter(({ layer }) => layer !== 'bundled').map(({ name }) => name)

describe('the command', () => {
  it('[DISC-14] admits only what the file says, and every command knows it', async () => {
    await write(base, {
      'work/.agents/skills/shell/SKILL.md': manifest('shell', 'allowed-tools: Read Bash(git log:*)\n'),
    })
    expect(namesOf(await listed())).toEqual(['pdf', 'shell', 'usual'])
    await configure(JSON.stringify({ admit: { tools: ['Read'] } }))
    const { stdout } = await run(['list', '--json', '--all'])
    const { skills, configuration } = JSON.parse(stdout) as Listed
    expect(skills.find(({ name }) => name === 'shell')).toMatchObject({
      refused: [expect.stringContaining('Bash(git log:*)')],
    })
    expect(configuration.settings.admit).toEqual({ tools: ['Read'] })
    expect((await run(['list'])).stdout).toContain('1 not admitted (--all lists them)')
    expect((await run(['list', '--all'])).stdout).toMatch(/shell .*not admitted · /)
    expect(await run(['explain', 'shell'])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"shell" is not admitted by the host.'),
    })
    expect((await run(['show', 'shell'])).code).toBe(0)
    expect((await run(['explain', 'pdf'])).stdout).toContain("the host's `admit` gives it Read")
  })

  it('[DISC-14] says what is wrong with an admit, also with one that contradicts itself', async () => {
    await configure(JSON.stringify({ admit: { tools: ['Bash(git:*'] } }))
    expect(await run(['list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('which is not closed'),
    })
    await configure(JSON.stringify({ admit: { tools: ['Read'], withoutAllowedTools: ['Write'] } }))
    expect(await run(['list'])).toMatchObject({ code: 2, stderr: expect.stringContaining('not within `admit.tools`') })
  })

  it('[DISC-13] searches .claude/skills, and says in list and explain how to add what another client has', async () => {
    await write(base, {
      'work/.claude/skills/csv/SKILL.md': manifest('csv'),
      'work/.codex/skills/xlsx/SKILL.md': manifest('xlsx'),
    })
    const { stdout, stderr } = await run(['list'])
    expect(stdout).toMatch(/^csv /m)
    const line = '"folders": [".agents/skills", ".repertoire/skills", ".claude/skills", ".codex/skills"]'
    expect(stderr.replace(/\s+/g, ' ')).toContain(line)
    expect((await run(['explain', 'xlsx'])).stdout).toContain(line)
    await configure(`{ ${line} }`)
    expect(namesOf(await listed())).toEqual(['csv', 'pdf', 'usual', 'xlsx'])
  })
})
