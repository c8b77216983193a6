import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { hostTools } from '../../src/scenarios/tools.ts'
import { openWorkshop, type Workshop } from '../../src/scenarios/workshop.ts'

const SCRIPT = `import { writeFileSync } from 'node:fs'
if (process.argv[2] === 'fail') process.exit(3)
if (process.argv[2] === 'wait') setInterval(() => {}, 1000)
else writeFileSync('out.txt', JSON.stringify([process.argv.slice(2), Object.keys(process.env).filter((name) => /KEY/.test(name))]))
`

async function workshop(): Promise<Workshop> {
  const opened = await openWorkshop(
    { 's/SKILL.md': 'skill', 's/scripts/go.mjs': SCRIPT, 's/references/a.md': 'A' },
    { 'here.txt': 'here' },
  )
  onTestFinished(() => opened.remove())
  return opened
}

async function use(at: Workshop, tool: string, input: unknown, signal?: AbortSignal): Promise<unknown> {
  const found = hostTools(at).find(({ name }) => name === tool)!
  return await found.execute(input, { callId: 'c', signal })
}

describe('Bash', () => {
  test('[LLM-1] runs a script of a skill in the working folder, without the environment', async () => {
    const at = await workshop()
    process.env['SCENARIO_TEST_KEY'] = 'secret'
    onTestFinished(() => void delete process.env['SCENARIO_TEST_KEY'])
    const script = join(at.skills, 's/scripts/go.mjs')
    for (const command of [script, `node ${script}`, `node "${script}"`, `  '${script}'`]) {
      expect(await use(at, 'Bash', { command: `${command} one 'two words' "3"` })).toMatchObject({ exitCode: 0 })
      expect(JSON.parse((await at.read('out.txt'))!)).toEqual([['one', 'two words', '3'], []])
    }
    expect(await use(at, 'Bash', { command: `${script} fail` })).toMatchObject({ exitCode: 3 })
  })

  test('[LLM-1] runs nothing else', async () => {
    const at = await workshop()
    await at.write('own.mjs', SCRIPT)
    const script = join(at.skills, 's/scripts/go.mjs')
    const reference = join(at.skills, 's/references/a.md')
    for (const command of [
      'ls',
      '',
      'node -e "require(1)"',
      'own.mjs',
      './own.mjs',
      process.execPath,
      reference,
      `${script} one; ls`,
      `${script} one | cat`,
      `${script} > out.txt`,
      `${script} $(ls)`,
      `${script} "\`ls\`"`,
      `cd x && ${script}`,
      `${script}\n${script}`,
    ]) {
      const { exitCode } = (await use(at, 'Bash', { command })) as { exitCode: number }
      expect({ command, ran: exitCode !== 126 && exitCode !== 127 }).toEqual({ command, ran: false })
    }
    expect(await readdir(at.work)).toEqual(['here.txt', 'own.mjs'])
  })

  test('[LLM-1] says that a script does not exist, and counts the path', async () => {
    const at = await workshop()
    const wrong = await use(at, 'Bash', { command: 'scripts/go.mjs one' })
    expect(wrong).toEqual({ exitCode: 127, stdout: '', stderr: 'scripts/go.mjs: no such file.' })
    expect(at.paths).toEqual({ tried: 1, missing: ['scripts/go.mjs'] })
  })

  test('[LLM-1] stops a script when the run is aborted', async () => {
    const at = await workshop()
    const stop = new AbortController()
    const running = use(at, 'Bash', { command: `${join(at.skills, 's/scripts/go.mjs')} wait` }, stop.signal)
    stop.abort()
    expect(await running).toMatchObject({ exitCode: 1 })
  })
})

describe('Read and Write', () => {
  test('[LLM-1] read in the folder of the scenario, and write in its working folder', async () => {
    const at = await workshop()
    expect(await use(at, 'Read', { file_path: 'here.txt' })).toBe('here')
    expect(await use(at, 'Read', { file_path: join(at.skills, 's/references/a.md') })).toBe('A')
    await use(at, 'Write', { file_path: 'deep/new.txt', content: 'new' })
    await use(at, 'Write', { file_path: join(at.work, 'abs.txt'), content: 'abs' })
    expect([await at.read('deep/new.txt'), await at.read('abs.txt')]).toEqual(['new', 'abs'])
  })

  test('[LLM-1] touch nothing outside of it', async () => {
    const at = await workshop()
    const outside = join(dirname(at.work), '..', 'no-scenario.txt')
    const other = await mkdtemp(join(tmpdir(), 'repertoire-other-'))
    onTestFinished(() => rm(other, { recursive: true, force: true }))
    await writeFile(join(other, 'secret.txt'), 'secret')
    await symlink(other, join(at.work, 'link'))
    await symlink(join(other, 'gone.txt'), join(at.work, 'gone'))
    for (const file_path of [join(other, 'secret.txt'), 'link/secret.txt', 'gone', '../../..', '..', outside]) {
      await expect(use(at, 'Read', { file_path })).rejects.toThrow(/no such file|folder/)
    }
    for (const file_path of [
      outside,
      '../skills/s/SKILL.md',
      '..',
      '.',
      'link/x',
      'link/deep/x',
      'gone',
      join(other, 'x'),
    ]) {
      const message = file_path === 'gone' ? 'ELOOP' : `${file_path} is outside of the working folder`
      await expect(use(at, 'Write', { file_path, content: 'x' })).rejects.toThrow(message)
    }
    expect(await readdir(other)).toEqual(['secret.txt'])
    expect(await at.read('../skills/s/SKILL.md')).toBeUndefined()
  })

  test('[LLM-1] count the paths that are meant for a file of a skill, and no others', async () => {
    const at = await workshop()
    const read = async (file_path: string): Promise<void> =>
      void (await use(at, 'Read', { file_path }).catch(() => undefined))
    await read('here.txt')
    await read('not-yet.txt')
    expect(at.paths).toEqual({ tried: 0, missing: [] })
    await read('references/a.md')
    await read(join(at.skills, 's/references/a.md'))
    await read(join(at.skills, 's/none.md'))
    expect(at.paths).toEqual({ tried: 3, missing: ['references/a.md', join(at.skills, 's/none.md')] })
    // An existing file of the same name in the working folder is not meant for the skill's.
    await mkdir(join(at.work, 'references'))
    await writeFile(join(at.work, 'references/a.md'), 'own')
    await read('references/a.md')
    expect(at.paths).toEqual({ tried: 3, missing: ['references/a.md', join(at.skills, 's/none.md')] })
  })

  test('[LLM-1] say what is wrong with their arguments', async () => {
    const at = await workshop()
    for (const input of [{}, { file_path: 3 }, null]) {
      await expect(use(at, 'Read', input)).rejects.toThrow('Read needs "file_path" as a string.')
    }
    await expect(use(at, 'Write', { file_path: 'x' })).rejects.toThrow('Write needs "content" as a string.')
  })
})
