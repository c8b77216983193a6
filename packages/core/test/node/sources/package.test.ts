import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Repertoire, openRepertoire } from '../../../src/index.ts'
import { type PackageSourceOptions, packageSource, standardSources } from '../../../src/node/index.ts'

let base: string
let project: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-packages-'))
  project = join(base, 'workspace/project')
  mkdirSync(project, { recursive: true })
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function put(path: string, content: unknown): void {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), typeof content === 'string' ? content : JSON.stringify(content))
}

const manifest = (name: string): string => `---\nname: ${name}\ndescription: d\n---\n`

/** An installed package with a skill, in a `node_modules` of the project. */
function install(
  name: string,
  { skill = `${name.replace(/^@.*\//, '')}-skill`, version = '1.0.0', at = 'workspace/project/node_modules' } = {},
): void {
  put(`${at}/${name}/package.json`, { name, version })
  put(`${at}/${name}/skills/${skill}/SKILL.md`, manifest(skill))
}

const depends = (fields: Record<string, unknown>): void => put('workspace/project/package.json', fields)
const on = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, '*']))

async function open(options: Partial<PackageSourceOptions> = {}): Promise<Repertoire> {
  return openRepertoire({ sources: [packageSource({ project, ...options })] })
}
const skills = ({ catalog }: Repertoire): string[] => catalog.list().map(({ source, name }) => `${source} ${name}`)
const codes = ({ catalog }: Repertoire): string[] =>
  catalog.diagnostics.map(({ code, path }) => `${code} ${path.replace(`${base}/`, '')}`)

describe('[DISC-8] packageSource', () => {
  it('finds skills of the packages that package.json names, in the layer plugin, with package and version', async () => {
    for (const name of ['b', '@scope/a', 'dev', 'optional', 'peer']) install(name, { version: '1.2.3-beta.1' })
    depends({
      dependencies: on('b', '@scope/a', 'not-installed'),
      devDependencies: on('dev'),
      optionalDependencies: on('optional'),
      peerDependencies: on('peer'),
    })
    const repertoire = await open()
    expect(skills(repertoire)).toEqual([
      'npm:@scope/a@1.2.3-beta.1 a-skill',
      'npm:b@1.2.3-beta.1 b-skill',
      'npm:dev@1.2.3-beta.1 dev-skill',
      'npm:optional@1.2.3-beta.1 optional-skill',
    ])
    expect(new Set(repertoire.catalog.list().map(({ layer }) => layer))).toEqual(new Set(['plugin']))
    expect(codes(repertoire)).toEqual([])
  })

  it('ignores indirect dependencies, however they are hoisted', async () => {
    install('direct')
    put('workspace/project/node_modules/direct/package.json', {
      version: '1.0.0',
      dependencies: on('hoisted', 'nested'),
    })
    install('hoisted')
    install('nested', { at: 'workspace/project/node_modules/direct/node_modules' })
    depends({ dependencies: on('direct') })
    expect(skills(await open())).toEqual(['npm:direct@1.0.0 direct-skill'])
    expect(skills(await open({ packages: ['hoisted'] }))).toEqual(['npm:hoisted@1.0.0 hoisted-skill'])
  })

  it('finds packages as Node does: nearest first, in folders above, through the links of pnpm and of workspaces', async () => {
    install('near', { version: '2.0.0' })
    install('near', { version: '1.0.0', at: 'workspace/node_modules' })
    install('above', { at: 'node_modules' })
    install('linked', { at: 'store/linked@1.0.0/node_modules' })
    symlinkSync(join(base, 'store/linked@1.0.0/node_modules/linked'), join(project, 'node_modules/linked'))
    install('sibling', { at: 'workspace/packages' })
    mkdirSync(join(project, 'node_modules/@mine'))
    symlinkSync('../../../packages/sibling', join(project, 'node_modules/@mine/sibling'))
    depends({ dependencies: on('near', 'above', 'linked', '@mine/sibling') })
    const repertoire = await open()
    expect(skills(repertoire)).toEqual([
      'npm:above@1.0.0 above-skill',
      'npm:linked@1.0.0 linked-skill',
      'npm:near@2.0.0 near-skill',
      'npm:@mine/sibling@1.0.0 sibling-skill',
    ])
    expect(codes(repertoire)).toEqual([])
    for (const name of ['near', 'above', 'linked', '@mine/sibling']) {
      const resolved = execFileSync(
        process.execPath,
        ['--eval', `console.log(require.resolve('${name}/package.json'))`],
        { cwd: project, encoding: 'utf8' },
      )
      const skill = repertoire.catalog.list().find(({ source }) => source.startsWith(`npm:${name}@`))
      expect(skill?.location.startsWith(dirname(resolved.trim()))).toBe(true)
    }
  })

  it('searches a package with two names once, under the first', async () => {
    install('tool', { at: 'store/tool@1.0.0/node_modules' })
    mkdirSync(join(project, 'node_modules'))
    for (const name of ['tool', 'alias'])
      symlinkSync(join(base, 'store/tool@1.0.0/node_modules/tool'), join(project, 'node_modules', name))
    depends({ dependencies: on('tool', 'alias') })
    const repertoire = await open()
    expect(skills(repertoire)).toEqual(['npm:alias@1.0.0 tool-skill'])
    expect(repertoire.catalog.shadowed).toEqual([])
  })

  it('[ABUSE-16, ABUSE-15] refuses links inside a package, wherever they lead', async () => {
    put('outside/skills/evil/SKILL.md', manifest('evil'))
    const modules = join(project, 'node_modules')
    put('workspace/project/node_modules/whole/package.json', { version: '1.0.0' })
    symlinkSync(join(base, 'outside/skills'), join(modules, 'whole/skills'))
    put('workspace/project/node_modules/one/package.json', { version: '1.0.0' })
    mkdirSync(join(modules, 'one/skills'))
    symlinkSync(join(base, 'outside/skills/evil'), join(modules, 'one/skills/evil'))
    put('workspace/project/node_modules/file/package.json', { version: '1.0.0' })
    mkdirSync(join(modules, 'file/skills/evil'), { recursive: true })
    symlinkSync(join(base, 'outside/skills/evil/SKILL.md'), join(modules, 'file/skills/evil/SKILL.md'))
    depends({ dependencies: on('whole', 'one', 'file') })
    const repertoire = await open()
    expect(skills(repertoire)).toEqual([])
    expect(codes(repertoire)).toEqual([
      'MANIFEST_LINKED workspace/project/node_modules/file/skills/evil/SKILL.md',
      'SKILL_FOLDER_LINKED workspace/project/node_modules/one/skills/evil',
      'SKILL_FOLDER_LINKED workspace/project/node_modules/whole/skills',
    ])
  })

  it('reads hard links, as package managers make them', async () => {
    install('pnpm')
    put('store/note', 'text')
    linkSync(join(base, 'store/note'), join(project, 'node_modules/pnpm/skills/pnpm-skill/note.md'))
    rmSync(join(project, 'node_modules/pnpm/package.json'))
    put('store/package.json', { version: '1.0.0' })
    linkSync(join(base, 'store/package.json'), join(project, 'node_modules/pnpm/package.json'))
    depends({ dependencies: on('pnpm') })
    const { catalog } = await open()
    expect(new TextDecoder().decode(await catalog.get('pnpm-skill').folder.read('note.md'))).toBe('text')
  })

  it('[DISC-3] loads what a package with a broken package.json has, and continues without one of the project', async () => {
    const names = ['broken', 'list', 'binary', 'folder', 'none', 'good']
    for (const name of names) install(name)
    const modules = 'workspace/project/node_modules'
    put(`${modules}/broken/package.json`, '{ "name": ')
    put(`${modules}/list/package.json`, '[]')
    writeFileSync(join(base, modules, 'binary/package.json'), Uint8Array.from([0xff, 0xfe, 0x00]))
    rmSync(join(base, modules, 'folder/package.json'))
    mkdirSync(join(base, modules, 'folder/package.json'))
    rmSync(join(base, modules, 'none/package.json'))
    depends({ dependencies: on(...names, '../../outside', '.hidden'), devDependencies: [] })
    const repertoire = await open()
    expect(skills(repertoire)).toEqual([
      'npm:binary binary-skill',
      'npm:broken broken-skill',
      'npm:folder folder-skill',
      'npm:good@1.0.0 good-skill',
      'npm:list list-skill',
      'npm:none none-skill',
    ])
    expect(codes(repertoire)).toEqual([])
    put('workspace/project/package.json', '{')
    const none = await open()
    expect(codes(none)).toEqual(['PACKAGE_JSON_INVALID workspace/project/package.json'])
  })

  it.runIf(process.platform !== 'win32')(
    '[DISC-10] does not wait for a package.json that is a pipe, and reads none that is huge',
    async () => {
      install('pipe')
      install('huge')
      rmSync(join(project, 'node_modules/pipe/package.json'))
      execFileSync('mkfifo', [join(project, 'node_modules/pipe/package.json')])
      put('workspace/project/node_modules/huge/package.json', `{ "version": "1.0.0" ${' '.repeat(1024 * 1024)}}`)
      depends({ dependencies: on('pipe', 'huge') })
      expect(skills(await open())).toEqual(['npm:huge huge-skill', 'npm:pipe pipe-skill'])
    },
  )

  it('[DISC-10] reads a package.json of 1 MiB, and none of a byte more', async () => {
    depends({ dependencies: on('just', 'more') })
    const text = '{ "version": "1.0.0" }'
    for (const [name, size] of [
      ['just', 1024 * 1024],
      ['more', 1024 * 1024 + 1],
    ] as const) {
      install(name)
      put(`workspace/project/node_modules/${name}/package.json`, text.padEnd(size))
    }
    expect(skills(await open())).toEqual(['npm:just@1.0.0 just-skill', 'npm:more more-skill'])
  })

  it('shows a package without a valid version by its name alone', async () => {
    install('a', { version: '1.0.0\n<b>' })
    depends({ dependencies: on('a') })
    expect(skills(await open())).toEqual(['npm:a a-skill'])
  })

  it('searches packages again in each scan, so that it finds one that is installed later', async () => {
    depends({ dependencies: on('late') })
    const source = packageSource({ project })
    expect(skills(await openRepertoire({ sources: [source] }))).toEqual([])
    install('late')
    expect(skills(await openRepertoire({ sources: [source] }))).toEqual(['npm:late@1.0.0 late-skill'])
  })

  it('prefers the first package by name if two have a skill of one name', async () => {
    install('b', { skill: 'same' })
    install('a', { skill: 'same' })
    depends({ dependencies: on('b', 'a') })
    const repertoire = await open()
    expect(skills(repertoire)).toEqual(['npm:a@1.0.0 same'])
    expect(repertoire.catalog.shadowed.map(({ skill }) => skill.source)).toEqual(['npm:b@1.0.0'])
  })

  it('leaves the skills of this library to the layer bundled', async () => {
    install('@repertoire/core')
    depends({ dependencies: on('@repertoire/core') })
    expect(skills(await open())).toEqual([])
  })

  it('[FRONT-5] reports a named package without skills', async () => {
    const plain = 'workspace/project/node_modules/plain'
    put(`${plain}/package.json`, { name: 'plain', version: '1.0.0' })
    depends({ dependencies: on('plain') })
    expect(codes(await open({ packages: ['plain'] }))).toEqual([`ROOT_WITHOUT_SKILLS ${plain}`])
    expect(codes(await open({ packages: 'direct' }))).toEqual([])
  })

  it('reports a named package that is not installed', async () => {
    expect(codes(await open({ packages: ['missing'] }))).toEqual(['PACKAGE_NOT_FOUND workspace/project'])
    for (const name of ['', '..', '../x', '/x', 'a/b', '@a', '@a/', '@a/../b', 'a\\b', 'c:']) {
      expect(() => packageSource({ project, packages: [name] })).toThrow(
        name === '' ? '`packages[0]` is empty' : `"${name}" is not the name of a package`,
      )
    }
    expect(() => packageSource({ project: '' })).toThrow('`project` is empty')
  })

  it('[DISC-11, ABUSE-22] loads nothing of a project that is not trusted, and reports it', async () => {
    install('a')
    const untrusted = (): Promise<Repertoire> => open({ trusted: false })
    expect(codes(await untrusted())).toEqual([])
    depends({ dependencies: on('a') })
    const repertoire = await untrusted()
    expect(skills(repertoire)).toEqual([])
    expect(codes(repertoire)).toEqual(['WORKSPACE_UNTRUSTED workspace/project/package.json'])
  })

  it('is one of the standard sources of a project on request', async () => {
    install('a')
    install('b')
    depends({ dependencies: on('a', 'b') })
    const opened = async (more: Parameters<typeof standardSources>[0]): Promise<string[]> =>
      skills(
        await openRepertoire({
          sources: standardSources({ enterprise: false, project, ...more }),
        }),
      )
    expect(await opened({})).toEqual([])
    expect(await opened({ packages: true })).toEqual(['npm:a@1.0.0 a-skill', 'npm:b@1.0.0 b-skill'])
    expect(await opened({ packages: ['b'] })).toEqual(['npm:b@1.0.0 b-skill'])
    expect(await opened({ packages: false })).toEqual([])
    expect(await opened({ packages: true, trustProject: false })).toEqual([])
    expect(await opened({ packages: true, project: false })).toEqual([])
  })
})
