import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type SkillSource, memorySource, openRepertoire } from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'

const sound = (name: string) => `---\nname: ${name}\ndescription: The skill ${name}.\n---\nBody.\n`

/** Folder → SKILL.md: two sound ones, one before all others and one behind. */
const SKILLS: Readonly<Record<string, string | Uint8Array>> = {
  alpha: sound('alpha'),
  'no-name': '---\ndescription: A skill.\n---\n',
  'no-description': '---\nname: no-description\n---\n',
  'no-frontmatter': '# Body\n',
  unclosed: '---\nname: unclosed\ndescription: A skill.\n',
  list: '---\n- name: list\n---\n',
  yaml: '---\nname: "yaml\n---\n',
  bytes: Uint8Array.of(0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0x0a, 0x2d, 0x2d, 0x2d, 0x0a),
  empty: '',
  zeta: sound('zeta'),
}
const CODES: Readonly<Record<string, readonly string[]>> = {
  'no-name': ['NAME_MISSING'],
  'no-description': ['DESCRIPTION_MISSING'],
  'no-frontmatter': ['FRONTMATTER_MISSING'],
  unclosed: ['FRONTMATTER_UNCLOSED'],
  list: ['YAML_NOT_MAPPING'],
  yaml: ['YAML_INVALID'],
  bytes: ['ENCODING_INVALID'],
  empty: ['FRONTMATTER_MISSING'],
}

const inMemory = (): Promise<SkillSource> => {
  const skills = Object.fromEntries(Object.entries(SKILLS).map(([name, file]) => [name, { 'SKILL.md': file }]))
  return Promise.resolve(memorySource({ layer: 'project', skills }))
}

async function onDisk(): Promise<SkillSource> {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-'))
  onTestFinished(() => rm(root, { recursive: true }))
  for (const [name, file] of Object.entries(SKILLS)) {
    await mkdir(join(root, name))
    await writeFile(join(root, name, 'SKILL.md'), file)
  }
  return directorySource({ layer: 'project', root })
}

it.each([
  ['in memory', inMemory],
  ['on a disk', onDisk],
] as const)(
  '[MAN-10, MAN-2] skips what cannot be read, each with a diagnostic, and loads all others: %s',
  async (_, open) => {
    const { catalog } = await openRepertoire({ sources: [await open()] })
    expect(catalog.list().map(({ name }) => name)).toEqual(['alpha', 'zeta'])
    const errors = catalog.diagnostics.filter(({ severity }) => severity === 'error')
    const found = Map.groupBy(errors, ({ path }) => path.split(/[/\\]/).at(-2)!)
    expect(Object.fromEntries([...found].map(([name, of]) => [name, of.map(({ code }) => code)]))).toEqual(CODES)
    for (const { line, message, hint } of errors) {
      expect(line).toBeGreaterThan(0)
      expect(message).toMatch(/\.$/)
      expect(hint).toMatch(/\.$/)
    }
  },
)
