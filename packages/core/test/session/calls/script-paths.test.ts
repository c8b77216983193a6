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

describe('scripts of a skill in a folder of a file system', () => {
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
    ['read_many_files', { paths: ['README.md', 'scripts/go.sh'] }],
    ['Grep', { path: 'scripts/go.sh' }],
    ['Grep', { path: 'go.sh', cwd: `${LOCATION}/scripts` }],
    ['Grep', { path: 'scripts/go.sh', root: LOCATION }],
    ['Grep', { path: '.', paths: ['notes', `${LOCATION}/scripts/go.sh`] }],
    ['grep_search', { path: `${LOCATION}/docs/../scripts/run` }],
    ['Read', { file_path: 'file:///home/u/.skills/free/scripts/run' }],
    ['Read', { file_path: '~/.skills/free/scripts/run' }],
  ])('[GATE-4] keeps a script from %s that names it: %j', async (tool, input) => {
    const outcome = await judged(tool, { pattern: '.', ...input }, '/home/u')
    expect(code(outcome)).toBe('SCRIPT_READ_BLOCKED')
    expect(outcome.text).toContain('scripts are run, not read')
  })

  it.each([
    ['Grep', { path: `${LOCATION}/scripts` }],
    ['Grep', { path: '.', glob: '**/*.sh' }],
    ['Grep', {}],
    ['read_many_files', { paths: ['scripts/*'] }],
    ['read_many_files', { paths: [`${LOCATION}/references/*`, 'docs/{a,b}.md'] }],
    ['Grep', { path: '.', exclude: 'scripts/go.sh' }],
  ])('[GATE-4] does not guess which files %s shows of folders and patterns: %j', async (tool, input) => {
    expect(code(await judged(tool, { pattern: 'scripts/go.sh', ...input }, '/home/u'))).toBe('ok')
  })

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
