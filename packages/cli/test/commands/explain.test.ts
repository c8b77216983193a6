import type { Explanation } from '@repertoire/core'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from '../command.ts'

describe('explain', () => {
  it('[CAT-9] says what became of a skill, by what, and whether it is shown in its exit code', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'skills/shown/SKILL.md': manifest('shown'),
      'skills/open/SKILL.md': manifest('open', 'allowed-tools: Bash(git:*\n'),
      'skills/draft/SKILL.md': manifest('draft', 'status: draft\n'),
      'skills/scoped/SKILL.md': manifest('scoped', 'scope:\n  agents: [coder]\n'),
      'skills/person/SKILL.md': manifest('person', 'disable-model-invocation: true\n'),
    })
    const verdicts = ['shown', 'open', 'draft', 'scoped', 'person', 'no-such-skill'].map(async (name) => {
      const ended = await inProcess(['explain', name, 'skills', '--json'], { cwd })
      return [(JSON.parse(ended.stdout) as Explanation).verdict, ended.code]
    })
    expect(await Promise.all(verdicts)).toEqual([
      ['shown', 0],
      ['broken', 1],
      ['inactive', 1],
      ['hidden', 1],
      ['hidden', 1],
      ['unknown', 1],
    ])
    expect((await inProcess(['explain', 'scoped', 'skills', '--agent', 'coder'], { cwd })).code).toBe(0)
    const unknown = await inProcess(['explain', 'no-such-skill', 'skills'], { cwd })
    expect(unknown.stdout).toContain('"repertoire list --all" names every skill')
    const broken = await inProcess(['explain', 'open', 'skills'], { cwd })
    expect(broken).toMatchObject({ code: 1, stderr: '' })
    expect(broken.stdout).toContain(join(cwd, 'skills/open/SKILL.md'))
    expect(broken.stdout).toMatch(/ALLOWED_TOOLS_INVALID on line 4: .*Bash\(git:\*/)
  })

  it("[GATE-10] names the rules that mean none of the host's tools, where these are given", async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf', 'allowed-tools: Read Grep\n') })
    const explained = async (...tools: readonly string[]) =>
      (await inProcess(['explain', 'pdf', 'skills', ...tools.flatMap((tool) => ['--tool', tool])], { cwd })).stdout
    expect(await explained()).not.toContain('Grep')
    expect(await explained('read_file')).toContain('none of your tools match its `allowed-tools` (Grep):')
    expect(await explained('read_file', 'grep_search')).not.toContain('Grep')
  })

  it('[CAT-9] names who shadows a skill', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, {
      'home/.agents/skills/pdf/SKILL.md': manifest('pdf'),
      'work/.agents/skills/pdf/SKILL.md': manifest('pdf'),
    })
    const env = { HOME: join(cwd, 'home') }
    const ended = await inProcess(['explain', 'pdf'], { cwd: join(cwd, 'work'), env })
    expect(ended.code).toBe(0)
    const lines = ended.stdout.split('\n')
    expect(lines[1]).toContain(join(cwd, 'home/.agents/skills/pdf/SKILL.md'))
    expect(lines.find((line) => line.includes('is used instead'))).toContain(join(cwd, 'home/.agents/skills/pdf'))
  })

  it('[CAT-9, SHOW-7] says that the budget cut it', async () => {
    const cwd = await temporaryFolder()
    const names = Array.from({ length: 40 }, (_, index) => `skill-number-${String(index).padStart(2, '0')}`)
    await write(cwd, Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, manifest(name)])))
    const args = ['explain', names.at(-1)!, 'skills', '--context-window', '5000']
    const cut = await inProcess([...args, '--json'], { cwd })
    expect((JSON.parse(cut.stdout) as Explanation).verdict).toBe('cut')
    expect(cut.code).toBe(1)
    expect((await inProcess(['explain', names.at(-1)!, 'skills'], { cwd })).code).toBe(0)
  })
})
