import { chmod, link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { memorySource } from '../../../src/index.ts'
import { skillFolder } from '../../../src/node/index.ts'
import { DIAGNOSTIC_CODES, type AdviceOptions, parseSkill, type SkillFolder } from '@repertoire/skill-md/internal'
import { adviseSkill } from '@repertoire/skill-md'

type Files = Readonly<Record<string, string | Uint8Array>>

/** The body begins on line 5. */
const manifest = (body: string) => `---\nname: pdf\ndescription: Reads PDF files.\n---\n${body}`

async function inMemory(files: Files): Promise<SkillFolder> {
  const source = memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': manifest(''), ...files } } })
  return source.scan()[0]!.folder
}

async function onDisk(files: Files, runnable: readonly string[] = []): Promise<SkillFolder> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'repertoire-')))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const [path, content] of Object.entries({ 'pdf/SKILL.md': manifest(''), ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
    await chmod(join(root, path), runnable.includes(path) ? 0o755 : 0o644)
  }
  return skillFolder(join(root, 'pdf'))
}

async function advise(body: string, folder: SkillFolder, options?: AdviceOptions) {
  const diagnostics = await adviseSkill(await parseSkill(manifest(body)), folder, options)
  for (const { code, severity, message, hint } of diagnostics) {
    expect(DIAGNOSTIC_CODES).toHaveProperty(code)
    expect(severity).toBe('info')
    expect(message).toMatch(/\.$/)
    expect(hint).toMatch(/\S/)
  }
  return diagnostics
}

/** Line and target of each broken link. */
async function broken(body: string, files: Files = {}) {
  const diagnostics = await advise(body, await inMemory(files))
  return diagnostics
    .filter(({ code }) => code === 'LINK_BROKEN')
    .map(({ line, message }) => `${line} ${/"(.*?)"/.exec(message)![1]}`)
}

describe('advice on the length of the body', () => {
  it('[MAN-17] begins over 500 lines, whatever ends them and whether the last one is ended', async () => {
    const folder = await inMemory({})
    for (const end of ['\n', '\r\n']) {
      for (const last of ['', end]) {
        const fits = Array.from({ length: 500 }, () => 'x').join(end) + last
        expect(await advise(fits, folder)).toEqual([])
        expect(await advise(`x${end}${fits}`, folder)).toMatchObject([
          {
            code: 'BODY_LONG',
            line: 5,
            path: 'memory:memory/pdf/SKILL.md',
            message: expect.stringContaining('501 lines'),
          },
        ])
      }
    }
    expect(await advise('', folder)).toEqual([])
  })

  it('[MAN-17] begins over 5,000 tokens by estimate', async () => {
    const folder = await inMemory({})
    expect(await advise('word '.repeat(5000), folder)).toEqual([])
    expect(await advise('word '.repeat(5001), folder, { path: 'a/SKILL.md' })).toMatchObject([
      { code: 'BODY_MANY_TOKENS', line: 5, path: 'a/SKILL.md', message: expect.stringContaining('5001') },
    ])
  })

  it('[MAN-17] is not given on a file that does not load', async () => {
    const document = await parseSkill('x\n'.repeat(600))
    expect(await adviseSkill(document, await inMemory({}))).toEqual([])
  })
})

describe('advice on links', () => {
  const files = {
    'references/guide.md': '',
    'references/my guide.md': '',
    'references/100%.md': '',
    'references/a(1).md': '',
    'references/caf\u00E9.md': '',
    'assets/logo.png': '',
    LICENSE: '',
  }

  it('[MAN-17] names links and images that lead to no file, with their lines', async () => {
    const body = 'See [a](a.md) and ![b](img/b.png "B").\n\n[c]\n\n- [d](<d e.md>) [d](d%20e.md#x)\n\n[c]: c.md\n'
    expect(await broken(body)).toEqual(['5 a.md', '5 img/b.png', '9 d e.md', '11 c.md'])
    expect(await broken('[x](gone.md) [x](gone.md)\n[x](gone.md)')).toEqual(['5 gone.md'])
    expect(await broken('one\r\n\r\n[x](gone.md)\r\n')).toEqual(['7 gone.md'])
  })

  it.each([
    '[a](references/guide.md)',
    '[a](./references/../references/guide.md#part)',
    '[a](references/guide.md?raw=1)',
    '[a](references/guide.md "Title")',
    '[a]( references/guide.md )',
    '[a](<references/my guide.md>)',
    '[a](references/my%20guide.md)',
    '[a](references/100%.md)',
    '[a](references/100%25.md)',
    '[a](references/a(1).md)',
    '[a](references/cafe\u0301.md)',
    '[![logo](assets/logo.png)](references/guide.md)',
    '[a](references) [a](references/) [a](.) [a](LICENSE)',
    '[a]\n\n[a]: <references/my guide.md> "Title"',
  ])('[MAN-17] finds the file or the folder: %s', async (body) => {
    expect(await broken(body, files)).toEqual([])
  })

  it.each([
    '[a](https://example.com/x.md) [a](mailto:x@example.com) [a](//example.com/x)',
    '[a](#part) [a](/docs/x.md) [a]() [a](<>) [^1]\n\n[^1]: note.md',
    '[a]({name}.md) [a]($DIR/x.md) [a](<name>.md) [a](*.md) [a](...) [a](~/x.md)',
    '`[a](x.md)` ``[a](`x.md)``',
    '```md\n[a](x.md)\n```',
    '- one\n\n      ~~~\n      [a](x.md)\n      ~~~\n',
    '> ```\n> [a](x.md)\n> ```',
    '1. ```\n   [a](x.md)\n   ```',
    '<!-- [a](x.md)\n[b](y.md) -->',
    '[a\\](x.md)',
  ])('[MAN-17] passes over what is not a relative link, and over code: %s', async (body) => {
    expect(await broken(body)).toEqual([])
  })

  it('[MAN-17] sees a link behind code that is closed', async () => {
    expect(await broken('```\n[a](a.md)\n```\n`x` [b](b.md) `y`\n\n`not closed\n\n[c](c.md) `')).toEqual([
      '8 b.md',
      '12 c.md',
    ])
  })

  it('[MAN-17] says where a link leaves the folder, differs in case, or leads to a hidden file', async () => {
    const folder = await inMemory({ ...files, '.env': 'x', '.config/x.md': '' })
    const body = '[a](../other/a.md)\n[b](references/Guide.md)\n[c](.env) [d](.config/x.md) [e](a/../../b.md)'
    expect((await advise(body, folder)).map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      expect.stringContaining('"../other/a.md" leaves the skill\'s folder'),
      expect.stringContaining('"references/Guide.md" leads to no file.'),
      expect.stringContaining('".env" leads to no file.'),
      expect.stringContaining('".config/x.md" leads to no file.'),
      expect.stringContaining('"a/../../b.md" leaves the skill\'s folder'),
    ])
  })

  it('[MAN-17] reports a file on a disk that is a link, and no file that a cut listing left out', async () => {
    const folder = await onDisk({ 'pdf/a.md': '', 'pdf/b.md': '', 'pdf/c/d.md': '', 'secret.md': '' })
    await symlink('../secret.md', join(folder.location, 'linked.md'))
    await link(join(folder.location, '../secret.md'), join(folder.location, 'hard.md'))
    const body = '[a](a.md) [b](b.md) [c](c/d.md) [x](linked.md) [x](hard.md) [x](gone.md)'
    const targets = async (given: SkillFolder) =>
      (await advise(body, given))
        .filter(({ code }) => code === 'LINK_BROKEN')
        .map(({ message }) => /"(.*?)"/.exec(message)![1])
    expect(await targets(folder)).toEqual(['linked.md', 'hard.md', 'gone.md'])
    const listing = await folder.list()
    const cut = { ...folder, list: () => Promise.resolve({ ...listing, files: [], truncated: true }) }
    expect(await targets(cut)).toEqual([])
  })

  it('[MAN-17] gives no more than 20 findings of one kind', async () => {
    expect(await broken(Array.from({ length: 60 }, (_, index) => `[x](${index}.md)`).join('\n'))).toHaveLength(20)
  })

  it('[MAN-17, MAN-15] takes hostile Markdown as it comes', async () => {
    for (const unit of [
      '](',
      '](a (',
      '](<',
      '[x](\\',
      '`',
      '`` ` ',
      '[',
      '[a]: <',
      '(',
      '> ',
      '](a "',
      '<!--',
      '- ',
    ]) {
      const body = unit.repeat(Math.floor(300_000 / unit.length))
      expect((await advise(body, await inMemory({}))).length).toBeLessThan(30)
    }
  })
})
