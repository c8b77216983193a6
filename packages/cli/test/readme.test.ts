import { checks } from '@repertoire/conformance'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { inProcess, manifest, temporaryFolder, write } from './command.ts'

it('the README shows what the command really prints', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const shown = new Map(
    [...readme.matchAll(/```\n\$ repertoire (.*)\n([^]*?)```/g)].map(([, args, text]) => [args, text]),
  )
  const cwd = await temporaryFolder()
  const form = 'Fill in PDF forms from a table. Use it when a form is to be filled in many times.'
  await write(cwd, {
    'skills/pdf-forms/SKILL.md': manifest('pdf-forms', '', form),
    'skills/repo-survey/SKILL.md': manifest('repo-survey', '', 'Get an overview of an unknown repository.'),
    'skills/raw/SKILL.md': manifest('raw', 'status: draft\n'),
    'skills/broken/SKILL.md': manifest('broken', 'allowed-tools: Bash(git:*\n'),
  })
  for (const args of ['list skills', 'validate skills']) {
    const { stdout, stderr } = await inProcess(args.split(' '), { cwd })
    expect(shown.get(args)).toBe(stdout + stderr)
  }
  // The suite's titles are its own; here it is enough that the checks are there.
  const conformance = [...shown.keys()].find((args) => args?.startsWith('conformance '))!
  const ids = [...conformance.matchAll(/--check (\S+)/g)].map(([, id]) => id)
  expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect(ids).toHaveLength(2)
})

it('every command that the documents name can be run', async () => {
  const root = new URL('../../../', import.meta.url)
  const pages = await Promise.all(
    ['README.md', 'docs/what-happened.md', 'docs/install.md', 'docs/listing.md', 'docs/skill-files.md'].map((path) =>
      readFile(new URL(path, root), 'utf8'),
    ),
  )
  const lines = [...pages.join('\n').matchAll(/(?:^\$ |^npx |`(?:npx )?)repertoire (\w[^#`\n]*[^#`\s])/gm)].map(
    ([, args = '']) => args,
  )
  // The suite has tests of its own, and takes its time; so has what asks the network.
  // A command without its arguments is only named, `init` asks first, and `serve` waits for a client.
  const commands = [...new Set(lines)].filter(
    (args) => !/^conformance|^add|^init|^validate$|^explain$|^export$|^serve$|--global/.test(args),
  )
  expect(commands.length).toBeGreaterThan(6)
  const cwd = await temporaryFolder()
  const skill = manifest('pdf-forms', '', 'Fill in PDF forms.')
  await write(
    cwd,
    Object.fromEntries(
      ['skills/pdf-forms', 'skills/my-skill', '.agents/skills/pdf-forms'].map((folder) => [
        `${folder}/SKILL.md`,
        skill.replaceAll('pdf-forms', folder.slice(folder.lastIndexOf('/') + 1)),
      ]),
    ),
  )
  // `install --frozen` wants a lock that has every skill.
  expect(await inProcess(['add', './skills', '--yes'], { cwd })).toMatchObject({ code: 0 })
  for (const args of commands) {
    // A skill that is there is not written over.
    const there = args.startsWith('new ') ? await temporaryFolder() : cwd
    expect([args, (await inProcess(args.split(' '), { cwd: there })).code]).toEqual([args, 0])
  }
})

it('docs/command.md has a section for every command, and the options that its help only names', async () => {
  const page = await readFile(new URL('../../../docs/command.md', import.meta.url), 'utf8')
  const cwd = await temporaryFolder()
  const helpOf = async (...args: readonly string[]): Promise<string> =>
    (await inProcess([...args, '--help'], { cwd })).stdout
  const names = Array.from((await helpOf()).matchAll(/^  (\w+) {2,}/gm), ([, name]) => name!)
  expect(names.length).toBeGreaterThan(15)
  const left: string[] = []
  for (const name of names.filter((each) => each !== 'help')) {
    if (!page.includes(`\n## ${name}\n`)) left.push(name)
    const [named = ''] = /^Further options: [^]*?\n\n/m.exec(await helpOf(name)) ?? []
    left.push(...(named.match(/--[\w-]+/g) ?? []).filter((option) => !page.includes(option)))
  }
  expect(left).toEqual([])
})
