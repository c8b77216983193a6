import { type StepView, openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { join } from 'node:path'
import { openAdapterSession } from '@repertoire/core/adapter'
import { describe, expect, it } from 'vitest'
import { type Ended, inProcess, manifest, repertoire, temporaryFolder, write } from '../command.ts'

function parsed({ stdout }: Ended): Pick<StepView, 'tools' | 'cuts'> & { readonly system: string } {
  return JSON.parse(stdout) as Pick<StepView, 'tools' | 'cuts'> & { readonly system: string }
}

describe('show --prompt', () => {
  it('[SHOW-1, SHOW-3] prints what an adapter sends, byte for byte', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf'), 'skills/csv/SKILL.md': manifest('csv') })
    const sources = [directorySource({ root: join(cwd, 'skills'), layer: 'project' })]
    const opened = await openRepertoire({ sources })
    const view = await openAdapterSession(opened).step({ tools: ['Bash'] })
    const args = ['show', '--prompt', 'skills', '--tool', 'Bash']
    const { system, tools, cuts } = parsed(await inProcess([...args, '--json'], { cwd }))
    expect({ system, tools }).toEqual({ system: view.system(undefined), tools: view.tools })
    expect(cuts).toEqual(view.cuts)
    const text = await inProcess(args, { cwd })
    expect(text.stdout).toBe(`${view.system(undefined)}\n\n${JSON.stringify(view.tools, undefined, 2)}\n`)
    expect(text.code).toBe(0)
    expect(text.stderr).toMatch(/^About \d+ of 4,000 tokens\n$/)
  })

  it('[SHOW-1] takes an option that may be repeated one value at a time, so that a ROOT may stand behind it', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf'), 'skills/csv/SKILL.md': manifest('csv') })
    const namesWith = async (...args: readonly string[]): Promise<unknown> => {
      const { system } = parsed(await inProcess(['show', '--prompt', '--json', ...args], { cwd }))
      return [...system.matchAll(/^- ([\w-]+):/gm)].map(([, name]) => name)
    }
    expect(await namesWith('--tool', 'sendMail', '--tool', 'Bash', 'skills')).toEqual(['csv', 'pdf'])
  })

  it('[SHOW-3] refuses a tool of the host with the name of a skill tool as a wrong command', async () => {
    const { code, stderr } = await inProcess(['show', '--prompt', '--tool', 'activate_skill', '.'], {
      cwd: await temporaryFolder(),
    })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: --tool: The host has a tool named "activate_skill"[^\n]+\n$/)
  })

  it('[FRONT-5] counts a broken skill instead of a warning of the process', async () => {
    const cwd = await temporaryFolder()
    const rules = 'name: pdf\ndescription: Fills forms.\nallowed-tools: Read\n'
    await write(cwd, { 'skills/pdf/SKILL.md': `---\n${rules}---\nBody.\n`, 'skills/csv/SKILL.md': 'Nothing.\n' })
    const { code, stderr } = await repertoire(['show', '--prompt', 'skills', '--tool', 'launchRocket'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^About \d+ of 4,000 tokens\n1 error\n$/)
  })

  it('[SHOW-7] tells on stderr what the budget cut', async () => {
    const cwd = await temporaryFolder()
    const names = Array.from({ length: 40 }, (_, index) => `skill-number-${String(index).padStart(2, '0')}`)
    await write(cwd, Object.fromEntries(names.map((name) => [`skills/${name}/SKILL.md`, manifest(name)])))
    const tight = ['show', '--prompt', 'skills', '--context-window', '5000']
    const ended = await repertoire(tight, { cwd })
    expect(ended.code).toBe(0)
    expect(ended.stderr).toMatch(/^About \d+ of 100 tokens · .*\d+ skills not listed: .*skill-number-39\n$/)
    const { cuts } = parsed(await inProcess([...tight, '--json'], { cwd }))
    expect(cuts.dropped).toContain('skill-number-39')
    const whole = parsed(await inProcess(['show', '--prompt', 'skills', '--json'], { cwd }))
    expect(whole.cuts).toMatchObject({ details: [], shortened: [], withoutDescription: [], dropped: [] })
    for (const name of names) expect(whole.system).toContain(name)
    for (const wrong of ['0', '1.5', '-1', 'some']) {
      expect((await inProcess(['show', '--prompt', 'skills', '--context-window', wrong], { cwd })).code).toBe(2)
    }
  })

  it('[SHOW-1, CAT-6] prints nothing where this viewer may see no skill, and says so', async () => {
    const cwd = await temporaryFolder()
    await write(cwd, { 'skills/pdf/SKILL.md': manifest('pdf', 'scope:\n  agents: [coder]\n') })
    const nothing = await inProcess(['show', '--prompt', 'skills'], { cwd })
    expect(nothing).toMatchObject({ code: 0, stdout: '' })
    expect(nothing.stderr).toContain('No skill is visible')
    expect((await inProcess(['show', '--prompt', 'skills', '--agent', 'coder'], { cwd })).stdout).toContain('\n- pdf: ')
    expect((await inProcess(['show', '--prompt', 'no-such-folder'], { cwd })).code).toBe(1)
  })
})
