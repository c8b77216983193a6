import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Diagnostic, type Repertoire, openRepertoire } from '../../../src/index.ts'
import { type StandardSourcesOptions, openConfigured, standardSources } from '../../../src/node/index.ts'

const FOLDERS = ['.agents/skills', '.repertoire/skills', '.claude/skills']

let base: string
let home: string
let project: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-places-'))
  home = join(base, 'home')
  project = join(base, 'project')
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

function put(path: string, text = `---\nname: ${path.split('/').at(-2)}\ndescription: d\n---\n`): void {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  writeFileSync(join(base, path), text)
}

const open = (options: StandardSourcesOptions = {}): Promise<Repertoire> =>
  openRepertoire({
    sources: standardSources({
      enterprise: false,
      env: {},
      home,
      project,
      ...options,
    }),
  })
const hints = ({ catalog }: Repertoire): readonly Diagnostic[] =>
  catalog.diagnostics.filter(({ code }) => code === 'PLACE_NOT_SEARCHED')
const places = (repertoire: Repertoire): readonly string[] =>
  hints(repertoire).map(({ path }) => path.slice(base.length + 1))

describe('[DISC-13] where skills are', () => {
  it('is the project alone, also for hints, unless the host names a home folder', async () => {
    put('home/.agents/skills/mine/SKILL.md')
    put('home/.codex/skills/other/SKILL.md')
    put('project/.agents/skills/ours/SKILL.md')
    const env = { HOME: home, USERPROFILE: home }
    const opened = async (more: StandardSourcesOptions): Promise<readonly string[]> => {
      const repertoire = await open({ env, home: undefined, ...more })
      return [...repertoire.catalog.list().map(({ name }) => name), ...places(repertoire)]
    }
    expect(await opened({})).toEqual(['ours'])
    expect(await opened({ home: true })).toEqual(['mine', 'ours', 'home/.codex/skills'])
  })

  it('is .agents/skills, .repertoire/skills and .claude/skills, of project and home; of equals the first is used', async () => {
    for (const folder of FOLDERS) {
      for (const parent of ['home', 'project'])
        put(`${parent}/${folder}/${parent}-${folder.split('/')[0]!.slice(1)}/SKILL.md`)
      put(`project/${folder}/same/SKILL.md`)
    }
    const repertoire = await open()
    expect(repertoire.catalog.list().map(({ name }) => name)).toEqual([
      'home-agents',
      'home-claude',
      'home-repertoire',
      'project-agents',
      'project-claude',
      'project-repertoire',
      'same',
    ])
    expect(repertoire.catalog.get('same').path).toBe(join(project, '.agents/skills/same/SKILL.md'))
    expect(repertoire.catalog.shadowed.map(({ skill }) => skill.path)).toEqual([
      join(project, '.repertoire/skills/same/SKILL.md'),
      join(project, '.claude/skills/same/SKILL.md'),
    ])
    rmSync(join(project, '.agents'), { recursive: true })
    await repertoire.reload({ force: true })
    expect(repertoire.catalog.get('same').path).toBe(join(project, '.repertoire/skills/same/SKILL.md'))
    expect(places(repertoire)).toEqual([])
  })

  it('includes each skill once if an installer links one client’s folder to the shared one', async () => {
    put('project/.agents/skills/pdf/SKILL.md')
    put('elsewhere/csv/SKILL.md')
    mkdirSync(join(project, '.claude/skills'), { recursive: true })
    symlinkSync('../../.agents/skills/pdf', join(project, '.claude/skills/pdf'))
    symlinkSync('../../../elsewhere/csv', join(project, '.claude/skills/csv'))
    const repertoire = await open()
    const { catalog } = repertoire
    expect(repertoire.explain('pdf').candidates.map(({ fate }) => fate)).toEqual(['shown'])
    expect(catalog.list().map(({ path }) => path)).toEqual([join(project, '.agents/skills/pdf/SKILL.md')])
    expect(catalog.diagnostics.map(({ code, severity, path }) => [code, severity, path])).toEqual([
      ['SKILL_FOLDER_LINKED', 'error', join(project, '.claude/skills/csv')],
    ])
  })

  it.each([
    'skills',
    '.agent/skills',
    '.github/skills',
    '.codex/skills',
    '.cursor/skills',
    '.gemini/skills',
    '.opencode/skills',
  ])('names %s of a project, which is not searched, with the line that adds it', async (place) => {
    put(`project/${place}/pdf/SKILL.md`)
    const repertoire = await open()
    expect(repertoire.catalog.has('pdf')).toBe(false)
    const folders = JSON.stringify([...FOLDERS, place]).replaceAll(',', ', ')
    expect(hints(repertoire)).toEqual([
      {
        code: 'PLACE_NOT_SEARCHED',
        severity: 'info',
        path: join(project, place),
        message: `${join(project, place)} holds skills of another client, and is not searched.`,
        hint: expect.stringContaining(`"folders": ${folders}`),
      },
    ])
    expect(repertoire.explain('pdf')).toMatchObject({ verdict: 'unknown', unseen: hints(repertoire) })
    expect(repertoire.explain('pdf').text).toContain(`"folders": ${folders}`)
    expect(repertoire.explain('skills').candidates).toEqual([])
    const added = await open({ folders: [...FOLDERS, place] })
    expect(added.catalog.has('pdf')).toBe(true)
    expect(hints(added)).toEqual([])
  })

  it('names those of the home folder too', async () => {
    for (const place of ['.codex/skills', '.gemini/skills']) put(`home/${place}/pdf/SKILL.md`)
    expect(places(await open({ project: false }))).toEqual(['home/.codex/skills', 'home/.gemini/skills'])
  })

  it('says nothing of a folder without skills, of one that is searched by another path, and of a file', async () => {
    put('project/skills/index.ts', '')
    put('project/.codex', '')
    put('project/.agents/skills/pdf/SKILL.md')
    mkdirSync(join(project, '.cursor'))
    symlinkSync(join(project, '.agents/skills'), join(project, '.cursor/skills'))
    expect(places(await open())).toEqual([])
  })

  it('[DISC-10] looks at 500 entries of a place, and at no more', async () => {
    const place = join(project, 'skills')
    mkdirSync(place, { recursive: true })
    const names = Array.from({ length: 501 }, (_, index) => `n${1000 + index}`)
    for (const name of names) mkdirSync(join(place, name))
    put(`project/skills/${names[500]}/SKILL.md`)
    expect(places(await open())).toEqual([])
    put(`project/skills/${names[499]}/SKILL.md`)
    expect(places(await open())).toEqual(['project/skills'])
  })

  it('[DISC-11] looks at no place of a project that is not trusted, nor of one whose folders the host chose', async () => {
    put('project/.codex/skills/pdf/SKILL.md')
    put('home/.codex/skills/pdf/SKILL.md')
    expect(places(await open({ trustProject: false }))).toEqual(['home/.codex/skills'])
    expect(places(await open({ personal: join(base, 'mine'), projectFolders: false }))).toEqual([])
    expect(places(await open({ home: false, project: false }))).toEqual([])
  })

  it('is reported by a configuration too', async () => {
    put('project/.codex/skills/pdf/SKILL.md')
    put('home/.cursor/skills/csv/SKILL.md')
    const env = { [process.platform === 'win32' ? 'USERPROFILE' : 'HOME']: home }
    expect(places(await openConfigured({ project, env }))).toEqual(['project/.codex/skills', 'home/.cursor/skills'])
    const folders = [...FOLDERS, '.codex/skills']
    expect(places(await openConfigured({ project, env, overrides: { folders } }))).toEqual(['home/.cursor/skills'])
    const roots = { personal: ['/none'], project: false } as const
    expect(places(await openConfigured({ project, env, overrides: { roots } }))).toEqual([])
    expect(places(await openConfigured({ project, env, overrides: { trustProject: false } }))).toEqual([
      'home/.cursor/skills',
    ])
  })
})
