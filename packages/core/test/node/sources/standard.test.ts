import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SkillFolder, type SkillSource, isSkillError, openRepertoire } from '../../../src/index.ts'
import { type StandardSourcesOptions, standardSources } from '../../../src/node/index.ts'
import { NODE } from '../../bundled-entries.ts'

let base: string
let home: string
let project: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-standard-'))
  home = join(base, 'home')
  project = join(base, 'project')
  for (const folder of [home, project]) mkdirSync(folder)
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

const userVariable = process.platform === 'win32' ? 'USERPROFILE' : 'HOME'
const environment = (more: Record<string, string> = {}): Record<string, string> => ({ [userVariable]: home, ...more })
const roots = (options?: StandardSourcesOptions): string[] =>
  standardSources(options)
    .filter(({ id }) => id !== 'other-places' && id !== 'named-folders')
    .map(
      ({ layer, id }) =>
        `${layer} ${id
          .replace('directory:', '')
          .replace(/^home:/, `${home}/`)
          .replace(/^project:/, `${project}/`)}`,
    )
const rootsOnly = (options?: StandardSourcesOptions): string[] => roots({ home: true, ...options })

/** Names of the skills that the sources find, with their layers, and the codes of what they report. */
async function found(sources: readonly SkillSource[]): Promise<string[]> {
  const all: string[] = []
  for (const source of sources) {
    for await (const item of source.scan()) all.push(`${source.layer} ${'code' in item ? item.code : item.folderName}`)
  }
  return all
}

function skill(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), '')
}

describe('[DISC-4] the layers of an ordinary installation', () => {
  it('are the administrator’s and the project’s, unless the host asks for more', () => {
    const names = (options: StandardSourcesOptions): string[] => [
      ...new Set(roots({ env: environment(), project, ...options }).map((root) => root.split(' ')[0]!)),
    ]
    expect(names({})).toEqual(['enterprise', 'project'])
    expect(names({ home: true })).toEqual(['enterprise', 'personal', 'project'])
    expect(names({ home })).toEqual(['enterprise', 'personal', 'project'])
    expect(names({ packages: true })).toEqual(['enterprise', 'project', 'plugin'])
    expect(names({ bundled: true })).toEqual(['enterprise', 'project', 'bundled'])
    expect(names({ project: false })).toEqual(['enterprise'])
  })

  it('are, highest first: enterprise, personal, project, plugin, bundled', () => {
    const options = {
      env: environment(),
      enterprise: join(base, 'e'),
      home: true,
      project,
      packages: true,
      plugins: [join(base, 'p1'), join(base, 'p2')],
    }
    expect(roots({ ...options, bundled: join(base, 'b') })).toEqual([
      `enterprise ${base}/e`,
      `personal ${home}/.agents/skills`,
      `personal ${home}/.repertoire/skills`,
      `personal ${home}/.claude/skills`,
      `project ${project}/.agents/skills`,
      `project ${project}/.repertoire/skills`,
      `project ${project}/.claude/skills`,
      `plugin ${base}/p1`,
      `plugin ${base}/p2`,
      'plugin npm',
      `bundled ${base}/b`,
    ])
  })

  it('[DISC-7] include the bundled skills only by option, and last', async () => {
    expect(roots({ enterprise: false })).toEqual([])
    expect(roots({ enterprise: false, bundled: true })).toEqual(['bundled bundled'])
    expect(roots({ enterprise: false, bundled: join(base, 'b') })).toEqual([`bundled ${base}/b`])
    expect(roots({ enterprise: false, bundled: false })).toEqual([])
    const names = await found(standardSources({ enterprise: false, bundled: true }))
    expect(names).toEqual(['bundled review-a-skill', 'bundled write-a-skill'])
  })

  it('take other folders for the personal and the project layer', () => {
    const options = { env: environment(), enterprise: false, project } as const
    expect(roots({ ...options, personal: join(base, 'mine'), projectFolders: [join(base, 'ours')] })).toEqual([
      `personal ${base}/mine`,
      `project ${base}/ours`,
    ])
    expect(roots({ ...options, personal: false, projectFolders: false })).toEqual([])
  })

  it('take the home folder from the environment', () => {
    const locations = standardSources({ enterprise: false, home: true }).map(({ id }) => id)
    expect(locations.slice(0, 3)).toEqual(['home:.agents/skills', 'home:.repertoire/skills', 'home:.claude/skills'])
    expect(standardSources({ enterprise: false, home: homedir() }).map(({ id }) => id)).toContain('home:.agents/skills')
    expect(rootsOnly({ enterprise: false, env: environment() })).toContain(`personal ${home}/.agents/skills`)
    expect(rootsOnly({ enterprise: false, env: {} })).toEqual([])
    expect(rootsOnly({ enterprise: false, env: { [userVariable]: '' } })).toEqual([])
    expect(rootsOnly({ enterprise: false, env: {}, home })).toHaveLength(3)
  })

  it('take the folder of an administrator for the enterprise layer, unless others are named', () => {
    expect(rootsOnly({ env: {} })).toEqual([expect.stringMatching(/^enterprise .*repertoire.skills$/)])
    expect(rootsOnly({ env: {}, enterprise: join(base, 'mine') })).toEqual([`enterprise ${base}/mine`])
  })

  it('refuse an enterprise folder that a project could set', () => {
    expect(() => standardSources({ enterprise: './skills' })).toThrow('"./skills" is relative')
  })

  it('can each be switched off', () => {
    expect(rootsOnly({ enterprise: false, home: false, project: false, plugins: false, bundled: false })).toEqual([])
  })

  it('have no project unless it is given, whatever the working folder is', () => {
    expect(rootsOnly({ env: environment() }).some((root) => root.startsWith('project'))).toBe(false)
    const given = relative(process.cwd(), project)
    expect(rootsOnly({ env: {}, enterprise: false, project: given })[0]).toBe(`project ${project}/.agents/skills`)
  })

  it('can be kept in other folders', () => {
    const options = { enterprise: false, env: environment(), project, folders: ['.claude/skills'] } as const
    expect(rootsOnly(options)).toEqual([`personal ${home}/.claude/skills`, `project ${project}/.claude/skills`])
    expect(options.folders).toEqual(['.claude/skills'])
  })

  it('contain a folder once, in its highest layer, also if the home folder is the project or links lead there', () => {
    expect(rootsOnly({ enterprise: false, env: environment(), project: home })).toEqual([
      `personal ${home}/.agents/skills`,
      `personal ${home}/.repertoire/skills`,
      `personal ${home}/.claude/skills`,
    ])
    skill(join(home, '.agents/skills/a'))
    mkdirSync(join(project, '.agents'), { recursive: true })
    symlinkSync(join(home, '.agents/skills'), join(project, '.agents/skills'))
    expect(rootsOnly({ enterprise: false, env: environment(), project })).toEqual([
      `personal ${home}/.agents/skills`,
      `personal ${home}/.repertoire/skills`,
      `personal ${home}/.claude/skills`,
      `project ${project}/.repertoire/skills`,
      `project ${project}/.claude/skills`,
    ])
  })

  it('find the existing folders, and report no missing ones', async () => {
    skill(join(home, '.agents/skills/a'))
    skill(join(project, '.repertoire/skills/b'))
    skill(join(project, '.claude/skills/c'))
    expect(await found(standardSources({ env: environment(), enterprise: false, home: true, project }))).toEqual([
      'personal a',
      'project b',
      'project c',
    ])
  })

  it('[FRONT-5] report folders that the program named and that are missing or hold no skill', async () => {
    skill(join(home, '.agents/skills/a'))
    skill(join(project, '.claude/skills/c'))
    mkdirSync(join(base, 'empty'))
    const reported = async (options: StandardSourcesOptions) =>
      (await found(standardSources({ env: environment(), enterprise: false, home: true, project, ...options }))).filter(
        (each) => each.includes('ROOT_'),
      )
    // Beside a project, few home folders have everything.
    expect(await reported({ folders: ['.claude/skill'] })).toEqual(['project ROOT_MISSING'])
    expect(await reported({ folders: ['.claude/skill'], project: false })).toEqual(['personal ROOT_MISSING'])
    expect(await reported({ folders: ['.claude/skills', '.agents/skills'] })).toEqual([])
    mkdirSync(join(project, 'skills'))
    expect(await reported({ folders: ['skills'] })).toEqual(['project ROOT_WITHOUT_SKILLS'])
    for (const [option, layer] of [
      ['enterprise', 'enterprise'],
      ['personal', 'personal'],
      ['projectFolders', 'project'],
      ['plugins', 'plugin'],
      ['bundled', 'bundled'],
    ] as const) {
      expect(await reported({ [option]: join(base, 'none') })).toEqual([`${layer} ROOT_MISSING`])
      expect(await reported({ [option]: [join(base, 'empty')] })).toEqual([`${layer} ROOT_WITHOUT_SKILLS`])
    }
  })

  it('[FRONT-5] report a project that does not exist or is a file, whatever else is named', async () => {
    writeFileSync(join(base, 'file'), '')
    const reported = async (options: StandardSourcesOptions) =>
      found(standardSources({ env: {}, enterprise: false, ...options }))
    for (const more of [
      {},
      { trustProject: false },
      { folders: [] },
      { projectFolders: false },
      { packages: true },
    ] as const) {
      expect(await reported({ project: join(base, 'nowhere'), ...more })).toEqual(['project ROOT_MISSING'])
      expect(await reported({ project: join(base, 'file/below'), ...more })).toEqual(['project ROOT_MISSING'])
      expect(await reported({ project: join(base, 'file'), ...more })).toEqual(['project ROOT_NOT_A_FOLDER'])
      expect(await reported({ project, ...more })).toEqual([])
    }
    const repertoire = await openRepertoire({ sources: standardSources({ env: {}, project: join(base, 'projcet') }) })
    expect(repertoire.explain('c').text).toContain(`${join(base, 'projcet')} does not exist`)
  })

  it('[FRONT-5] explain says which named folder is missing', async () => {
    skill(join(project, '.claude/skills/c'))
    const sources = standardSources({ enterprise: false, project, folders: ['.claude/skill'] })
    const { verdict, text } = (await openRepertoire({ sources })).explain('c')
    expect(verdict).toBe('unknown')
    expect(text).toContain(`${join(project, '.claude/skill')} does not exist`)
  })

  it('[DISC-11, ABUSE-22] load nothing of a project that is not trusted, and say so', async () => {
    skill(join(home, '.agents/skills/a'))
    skill(join(project, '.agents/skills/b'))
    expect(
      await found(standardSources({ env: environment(), enterprise: false, home: true, project, trustProject: false })),
    ).toEqual(['personal a', 'project WORKSPACE_UNTRUSTED'])
  })

  it('[ABUSE-16] follow links in the layers that are named, and in no other', async () => {
    skill(join(base, 'store/a'))
    for (const place of [home, project]) {
      mkdirSync(join(place, '.agents/skills'), { recursive: true })
      symlinkSync(join(base, 'store/a'), join(place, '.agents/skills/a'))
    }
    const options = {
      env: environment(),
      enterprise: false,
      home: true,
      project,
      followLinks: ['personal'],
    } as const
    expect(await found(standardSources(options))).toEqual(['personal a', 'project SKILL_FOLDER_LINKED'])
  })

  it('[ABUSE-27] read hard links where a package manager makes them, in plugins and bundled skills, and nowhere else', async () => {
    const options = { enterprise: join(base, 'e'), home, project, plugins: join(base, 'p'), bundled: join(base, 'b') }
    for (const folder of ['e', 'home/.agents/skills', 'project/.agents/skills', 'p', 'b']) {
      skill(join(base, folder, 'a'))
      writeFileSync(join(base, 'store'), 'text')
      linkSync(join(base, 'store'), join(base, folder, 'a/note'))
    }
    const read: string[] = []
    const folders: [SkillSource['layer'], SkillFolder][] = []
    for (const source of standardSources(options)) {
      for await (const item of source.scan()) if ('folder' in item) folders.push([source.layer, item.folder])
    }
    for (const [layer, folder] of folders) {
      const result = await folder.read('note').then(
        () => 'read',
        (error: unknown) => (isSkillError(error) ? error.code : 'no SkillError'),
      )
      read.push(`${layer} ${result}`)
    }
    expect(read).toEqual([
      'enterprise RESOURCE_REFUSED',
      'personal RESOURCE_REFUSED',
      'project RESOURCE_REFUSED',
      'plugin read',
      'bundled read',
    ])
  })

  it('[DISC-4, DISC-2] have no personal layer for a user without a home folder', () => {
    // As in a container: an id that the system's list of users does not have, and no HOME.
    const child = `
      const { standardSources } = await import(process.argv[1])
      if (process.getuid() === 0) process.setuid(54321)
      console.log(JSON.stringify(standardSources({ home: true }).map(({ layer }) => layer)))
    `
    const options = { env: { ...(process.getuid?.() !== 0 && { HOME: home }) }, encoding: 'utf8' } as const
    const args = ['--conditions=@repertoire/source', '--input-type=module', '--eval', child, NODE]
    const layers: unknown = JSON.parse(execFileSync(process.execPath, args, options))
    // The last one names places that are not searched.
    const withHome = ['enterprise', 'personal', 'personal', 'personal', 'project']
    expect(layers).toEqual(process.getuid?.() === 0 ? ['enterprise'] : withHome)
  })
})
