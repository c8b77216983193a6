import { describe, expect, it } from 'vitest'
import { adapterSession } from '../../../src/adapter.ts'
import type { Outcome, SkillSource } from '../../../src/index.ts'
import { source, open, activation, run } from '../hostile-world.ts'
import { code } from '../outcome.ts'
import { mapped } from '../../mapped-source.ts'

describe('scripts of an active skill', () => {
  it.each(['./scripts/run', 'scripts/./run', 'scripts/run', 'SCRIPTS/Run', './scripts/go.sh'])(
    '[GATE-4] shows the script %j not even as a resource',
    async (path) => {
      const session = await open()
      await run(session, activation('free'))
      expect(code(await run(session, { id: '2', tool: 'read_skill_resource', input: { path } }))).toBe(
        'SCRIPT_READ_BLOCKED',
      )
    },
  )
})

describe('paths of a read tool', () => {
  const read = async (path: string, cwd?: string): Promise<string> => {
    const session = await open(cwd === undefined ? {} : { cwd })
    await run(session, activation('free'))
    return code(await run(session, { id: '2', tool: 'Read', input: { file_path: path } }))
  }

  it.each([
    'scripts/run',
    './Scripts/go.sh',
    'x/../scripts/go.sh',
    'memory:memory/FREE/scripts/new.sh',
    'free/scripts/go.sh',
  ])('[GATE-4] keeps %j from the model, whatever the case and the folder that it is taken against', async (path) => {
    expect(await read(path)).toBe('SCRIPT_READ_BLOCKED')
  })

  it("[GATE-4] leaves a project's own scripts alone, which the skill does not have", async () => {
    expect(await read('scripts/build.sh', '/project')).toBe('ok')
    expect(await read('scripts/go.sh', '/project')).toBe('SCRIPT_READ_BLOCKED')
    expect(await read('/project/scripts/go.sh', '/project')).toBe('ok')
  })
})

describe('patterns and folders that take scripts in', () => {
  const LOCATION = '/home/u/.skills/free'
  const placed: SkillSource = {
    ...source,
    scan: () =>
      mapped(source, (found) => ({
        ...found,
        folder: {
          ...found.folder,
          location: `/home/u/.skills/${found.folderName}`,
          alias: `/private/u/.skills/${found.folderName}`,
        },
      })),
  }
  const judged = async (tool: string, input: object, cwd?: string): Promise<Outcome> => {
    const session = await open({ hostTools: ['Bash', tool], cwd }, { sources: [placed] })
    await run(session, activation('free'))
    return run(session, { id: '2', tool, input })
  }

  it.each([
    'scripts/*',
    './scripts/**',
    'scripts/g?.sh',
    'scripts/[a-z]o.sh',
    'scripts/[]g]*',
    'scripts/{x,go}.sh',
    '{docs,scripts}/*.{md,sh}',
    'scripts/{x,{g,y}o}.sh',
    'scripts/@(go|x).sh',
    'scr\\ipts/go.sh',
    '**/*.sh',
    '*.sh',
    '**',
    `${LOCATION}/**/scripts/*.sh`,
    `${LOCATION}/**/**/go.sh`,
    `${LOCATION}/SCRIPTS/G*`,
    `${LOCATION}/docs/../scripts/*`,
    '/private/u/.skills/*/scripts/run',
    '~/.skills/free/s*/run',
    'file:///home/u/.skills/free/scripts/*',
    '/x/*/../../home/u/.skills/free/scripts/go.sh',
    '/x/[.][.]/home/u/.skills/free/scripts/go.sh',
    '/x/.*/home/u/.skills/free/scripts/go.sh',
    `${'{a,b}'.repeat(20)}x`,
    `*${'a'.repeat(2_000)}`,
  ])('[GATE-4] keeps the scripts that %j may name from a tool that reads', async (path) => {
    for (const [tool, input] of [
      ['Read', { file_path: path }],
      ['read_many_files', { paths: ['README.md', path] }],
    ] as const) {
      const outcome = await judged(tool, input, '/home/u')
      expect(code(outcome)).toBe('SCRIPT_READ_BLOCKED')
      expect(outcome.text).toContain('scripts are run, not read')
    }
    expect(code(await judged('read_many_files', { paths: [path] }))).toBe('SCRIPT_READ_BLOCKED')
  })

  it.each([
    '**/*.py',
    '*.ts',
    'src/**/*',
    `${LOCATION}/references/*`,
    `${LOCATION}/*.md`,
    'app/[...slug]/page.sh',
    'app/(group)/(..)photo/[id]/go.sh',
    'report (1).md',
    'docs/{a,b}.md',
    '*.{md,txt}',
  ])('[GATE-4] leaves %j alone, which names none', async (path) => {
    expect(code(await judged('read_many_files', { paths: [path] }, '/home/u/project'))).toBe('ok')
  })

  it("[GATE-4] leaves a project's patterns alone where the skill lies elsewhere", async () => {
    for (const path of ['**/*.sh', '*', '**']) {
      expect(code(await judged('read_many_files', { paths: [path] }, '/project'))).toBe('ok')
    }
  })

  it.each([
    'scripts/go.sh',
    `${LOCATION}/scripts`,
    `${LOCATION}/scripts/`,
    LOCATION,
    '/private/u/.skills/free',
    '.skills/free',
  ])('[GATE-4] lets no search show the scripts below %j', async (path) => {
    expect(code(await judged('Grep', { pattern: '.', path }, '/home/u'))).toBe('SCRIPT_READ_BLOCKED')
  })

  it.each([
    { glob: '.skills/free/scripts/*' },
    { glob: '**/scripts/*.sh' },
    { glob: 'go.sh' },
    { glob: 'go.*', path: LOCATION },
    { path: '.', glob: '.skills/*/scripts/**' },
    { path: '/home/u/.skills', glob: 'free/**' },
    { path: '/', include: 'home/u/.skills/free/scripts/*.sh' },
    { path: 'scripts', cwd: LOCATION },
    { path: 'free/scripts', root: '/home/u/.skills' },
    { path: '.', paths: ['notes', `${LOCATION}/scripts/go.sh`] },
    { options: { glob: ['*.md', 'scripts/go.sh'] } },
  ])('[GATE-4] lets no search show the scripts that its arguments name together: %j', async (input) => {
    for (const tool of ['Grep', 'grep_search'])
      expect(code(await judged(tool, { pattern: '.', output_mode: 'content', ...input }, '/home/u'))).toBe(
        'SCRIPT_READ_BLOCKED',
      )
  })

  it.each([
    { path: '.', glob: '*.ts', '-A': 3 },
    { path: 'src', glob: 'lib/**' },
    { path: '/home/u', glob: '**/*.sh', type: 'sh' },
    { path: '.', exclude: 'scripts/go.sh' },
    { path: `${LOCATION}/references`, glob: '*.md' },
  ])('[GATE-4] lets a search go whose pattern names no folder or file of a skill: %j', async (input) => {
    expect(code(await judged('Grep', { pattern: 'scripts/go.sh', ...input }, '/home/u'))).toBe('ok')
  })

  it.each([undefined, '.', '/home/u', '/home/u/.skills', 'scripts', `${LOCATION}/references`, `${LOCATION}/notes.md`])(
    '[GATE-4] lets a search of %j go, a whole project or what holds no script',
    async (path) => {
      expect(code(await judged('Grep', { pattern: 'x', path }, '/home/u'))).toBe('ok')
    },
  )

  it('[GATE-4] keeps a script from a tool by either spelling of the folder, and says where to run it', async () => {
    for (const path of [`${LOCATION}/scripts/run`, '/private/u/.skills/free/scripts/run']) {
      const outcome = await judged('Read', { file_path: path }, '/')
      expect(code(outcome)).toBe('SCRIPT_READ_BLOCKED')
      expect(outcome.text).toContain(`${LOCATION}/scripts/run`)
    }
    const session = await open({ id: 's', hostTools: ['Read'] }, { sources: [placed] })
    await run(session, activation('free'))
    expect(adapterSession(session).state.active).toMatchObject([
      { location: LOCATION, alias: '/private/u/.skills/free' },
    ])
    const again = await open({ saved: session.save(), hostTools: ['Read'] }, { sources: [placed] })
    const read = { id: '2', tool: 'Read', input: { file_path: '/private/u/.skills/free/scripts/run' } }
    expect(code(await run(again, read))).toBe('SCRIPT_READ_BLOCKED')
  })
})
