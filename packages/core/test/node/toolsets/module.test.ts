import { mkdtemp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { openRepertoire } from '../../../src/index.ts'
import { directorySource, moduleToolsets } from '../../../src/node/index.ts'

const HOST = ['Bash']
const made: string[] = []

afterEach(async () => {
  for (const folder of made.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolsets-test-'))
  made.push(folder)
  return folder
}

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

const manifest = (toolset: string) => `---\nname: kit\ndescription: d\ntoolsets: ["${toolset}"]\n---\nUse them.\n`
const SOURCE = `import { word } from './word.mjs'
export const Kit = ({ skill }) => [{
  name: 'say', description: 'Says.', inputSchema: { type: 'object' },
  execute: ({ to }) => word + ' ' + to + ' from ' + skill,
}]
`

/** Opens a repertoire over a folder with one skill. */
async function open(files: Readonly<Record<string, string>>, given?: string) {
  const [root, copies] = [await temporary(), given ?? (await temporary())]
  await write(join(root, 'kit'), files)
  const loader = moduleToolsets({ root: copies })
  const repertoire = await openRepertoire({
    sources: [directorySource({ root, layer: 'personal' })],
    toolsets: { loader, layers: ['personal'] },
  })
  const session = openAdapterSession(repertoire, { consent: () => true, hostTools: HOST })
  return { root, copies, repertoire, session }
}

const call = async (session: AdapterSession, tool: string, input: unknown) => {
  return (await session.step({ tools: HOST })).call({ id: 'c', tool, input }, () => undefined)
}
const activate = (session: AdapterSession) => call(session, 'activate_skill', { name: 'kit' })

describe('moduleToolsets', () => {
  it.each(['js', 'mjs', 'ts', 'mts'])(
    '[RUN-10] imports a module that ends in .%s, with the modules beside it',
    async (ending) => {
      const typed = ending.endsWith('ts')
        ? SOURCE.replace('{ skill }', '{ skill }: { skill: string }').replace('{ to }', '{ to }: { to: string }')
        : SOURCE
      const { session, repertoire } = await open({
        'SKILL.md': manifest('toolsets/index:Kit'),
        [`toolsets/index.${ending}`]: typed,
        'toolsets/word.mjs': "export const word = 'Hello'\n",
      })
      expect(await activate(session)).toMatchObject({ ok: true })
      expect(await call(session, 'say', { to: 'Ann' })).toMatchObject({ text: 'Hello Ann from kit' })
      await repertoire.close()
    },
  )

  it('[RUN-10] imports the bytes that were consented to, and new bytes after a change', async () => {
    const files = {
      'SKILL.md': manifest('index:tools'),
      'index.mjs':
        "import { word } from './word.mjs'\nexport const tools = [{ name: 'say', description: 'd', inputSchema: { type: 'object' }, execute: () => word }]\n",
      'word.mjs': "export const word = 'one'\n",
    }
    const { session, root, repertoire } = await open(files)
    expect(await activate(session)).toMatchObject({ ok: true })
    await write(join(root, 'kit'), { 'word.mjs': "export const word = 'two'\n" })
    expect(await call(session, 'say', {})).toMatchObject({ text: 'one' })
    expect(await call(session, 'deactivate_skill', {})).toMatchObject({ ok: true })
    expect(await activate(session)).toMatchObject({ ok: true })
    expect(await call(session, 'say', {})).toMatchObject({ text: 'two' })
    await repertoire.close()
  })

  it('[RUN-10] creates a copy that only this user can read, and removes it at the end', async () => {
    const { session, copies, repertoire } = await open({
      'SKILL.md': manifest('index:tools'),
      'index.mjs': 'export const tools = []\n',
    })
    await activate(session)
    const [folder = ''] = await readdir(copies)
    expect((await stat(join(copies, folder))).mode & 0o077).toBe(0)
    expect(await readdir(join(copies, folder))).toEqual([session.state.active[0]?.digest])
    await repertoire.close()
    expect(await readdir(copies)).toEqual([])
  })

  it.each([
    ['a package by its name', "import planted from 'planted'\n"],
    ['a package of its own accord', "const planted = await import('planted')\n"],
    [
      'a package as CommonJS does',
      "import { createRequire } from 'node:module'\ncreateRequire(import.meta.url)('planted')\n",
    ],
    ['a package by a name of its own', "import '#own'\n"],
    ['a file by its path', 'import FILE\n'],
  ])('[RUN-10, ABUSE-50] imports nothing that others have put into folders above the copy: %s', async (_, source) => {
    const copies = await temporary()
    await write(copies, {
      'node_modules/planted/package.json': '{ "exports": "./index.js" }',
      'node_modules/planted/index.js': 'globalThis.planted = true\n',
      'own.js': 'globalThis.planted = true\n',
      'package.json': '{ "type": "commonjs", "imports": { "#own": "./own.js" } }',
    })
    const file = JSON.stringify(join(copies, 'node_modules/planted/index.js'))
    const index = `${source.replace('FILE', file)}export const tools = []\n`
    const { session, repertoire } = await open({ 'SKILL.md': manifest('index:tools'), 'index.mjs': index }, copies)
    const outcome = await activate(session)
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'TOOLSET_FAILED' } })
    expect(outcome.ok ? '' : outcome.refusal.detail).toContain('is not a file of its skill')
    expect(globalThis).not.toHaveProperty('planted')
    await repertoire.close()
  })

  it('[RUN-10] imports modules of Node, and data next to the module', async () => {
    const index =
      "import { sep } from 'node:path'\nimport fs from 'fs'\nimport data from './data.json' with { type: 'json' }\nvoid fs\n"
    const tool =
      "export const tools = [{ name: 'say', description: 'd', inputSchema: { type: 'object' }, execute: () => data + sep }]\n"
    const files = { 'SKILL.md': manifest('index:tools'), 'index.mjs': index + tool, 'data.json': '"own"' }
    const { session, repertoire } = await open(files)
    expect(await activate(session)).toMatchObject({ ok: true })
    expect(await call(session, 'say', {})).toMatchObject({ text: `own${sep}` })
    await repertoire.close()
  })

  it.each([
    [{ 'index.mjs': 'export const other = []\n' }, 'It exports "other"'],
    [{ 'index.mjs': 'export const tools = []\n', 'index.js': '' }, 'which one is meant is not certain'],
    [{ 'index.txt': '' }, 'There is no "index" with the ending'],
    [{ 'index.mjs': 'throw new Error("It is broken.")\n' }, 'It is broken.'],
    [{ 'index.mjs': 'export const tools = [\n' }, 'cannot be used'],
    [{ 'index.mjs': "import '../../outside.mjs'\nexport const tools = []\n" }, 'Cannot find module'],
    [
      { 'index.mjs': "await import('data:text/javascript,' + 'export {}')\nexport const tools = []\n" },
      'is not a file of its skill',
    ],
    [
      {
        'index.mjs': "import 'a-package-beside'\nexport const tools = []\n",
        'node_modules/a-package-beside/index.js': '',
      },
      'Cannot find package',
    ],
  ])('[RUN-10] says what is wrong with a module: %#', async (files: Record<string, string>, message) => {
    const { session, root, repertoire } = await open({ 'SKILL.md': manifest('index:tools'), ...files })
    await write(root, { 'outside.mjs': '' })
    const outcome = await activate(session)
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'TOOLSET_FAILED' } })
    expect(outcome.ok ? '' : outcome.refusal.detail).toContain(message)
    expect(session.state.active).toEqual([])
    await repertoire.close()
  })
})
