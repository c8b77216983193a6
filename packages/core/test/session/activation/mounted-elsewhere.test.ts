import { execFile } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type AdapterSession, adapterSession, openAdapterSession } from '../../../src/adapter.ts'
import type { SavedSession } from '../../../src/index.ts'
import {
  makeSkills,
  HOST,
  base,
  root,
  spaces,
  problems,
  write,
  manifest,
  open,
  call,
  activate,
  below,
} from './mount-world.ts'
import { hooksBy } from '../hook-runner.ts'
import { refusal } from '../outcome.ts'
import { CORE, NODE } from '../../bundled-entries.ts'
import { processRunner } from '../scripts/script-world.ts'
import { givenPath } from '../session-world.ts'

makeSkills()

describe('what is named by a private path', () => {
  it.each([
    ['Read', (path: string) => ({ file_path: path })],
    ['Grep', (path: string) => ({ pattern: 'x', path })],
  ])('[ACT-5, GATE-4] %s cannot read scripts by any of their paths', async (tool, input) => {
    const { session } = await open({ scripts: { hooks: undefined, runner: undefined } })
    await activate(session)
    const { location } = session.state.active[0]!.mount!
    for (const path of [
      'private:/.skills/pdf/scripts/run.sh',
      'PRIVATE:/.skills/PDF/scripts/../scripts/run.sh',
      'private://.skills//pdf/scripts/run.sh',
      'private:/.skills/pdf/scripts/*.sh',
      join(location, 'scripts/run.sh'),
      join(location, 'scripts/{run,x}.sh'),
      join(base, 'skills/pdf/scripts/run.sh'),
    ]) {
      const outcome = await call(session, tool, input(path))
      expect({ path, ...outcome }).toMatchObject({
        path,
        ...refusal('SCRIPT_READ_BLOCKED', /scripts are run, not read/),
      })
      // What it is told to run is the copy, where it really lies.
      expect(outcome.text).toContain(JSON.stringify(`${location}/scripts/`).slice(1, -1))
    }
    expect(await call(session, 'Read', { file_path: 'private:/.skills/pdf/references/guide.md' })).toMatchObject({
      ok: true,
      value: 'ran',
    })
  })

  it('[ACT-5, RES-2] is read by the resource tool, and a script is not', async () => {
    const { session } = await open()
    await activate(session)
    await activate(session, 'csv')
    const read = (path: string, skill?: string) => call(session, 'read_skill_resource', { path, skill })
    expect(await read('private:/.skills/pdf/references/guide.md')).toMatchObject({
      ok: true,
      text: expect.stringContaining('one\ntwo') as string,
    })
    expect(await read('private:/.skills/pdf/scripts/run.sh')).toMatchObject(
      refusal('SCRIPT_READ_BLOCKED', /"scripts\/run\.sh" is a script/),
    )
    expect(await read('private:/.skills/pdf/../csv/SKILL.md')).toMatchObject(
      refusal('RESOURCE_REFUSED', /is not a relative path inside it/),
    )
    expect(await read('private:/.skills/pdf/references/guide.md', 'csv')).toMatchObject(
      refusal('RESOURCE_REFUSED', /private:/),
    )
    expect(await read('private:/.skills/other/a.md')).toMatchObject(refusal('RESOURCE_REFUSED', /private:/))
  })

  it('[ACT-5] is the real path for the host’s tools, and every other path stays as it is', async () => {
    const { session } = await open()
    await activate(session)
    const { location } = session.state.active[0]!.mount!
    expect(await givenPath(session, 'private:/.skills/pdf')).toBe(location)
    expect(await givenPath(session, 'private:/.skills/pdf/references/./guide.md')).toBe(
      join(location, 'references/guide.md'),
    )
    expect(await givenPath(session, 'private:/.skills/pdf/.env')).toBe(join(location, '.env'))
    for (const path of ['/etc/hosts', 'a/b.md', 'C:\\x', 'file:///x']) expect(await givenPath(session, path)).toBe(path)
  })

  it.each([
    'private:/.skills/pdf/../../x',
    'private:/.skills/pdf/..',
    'private:/.skills/pdf//etc',
    'private:/.skills/pdf/%2e%2e/x',
    'private:/.skills/pdf/a\\..\\b',
    'private:/.skills/../x',
    'PRIVATE:\\.skills\\pdf',
    ' private:/.skills/pdf/a.md',
    'private:/.skills/pdf-evil/a.md',
    'private:/.skills/csv/a.md',
    'private:',
  ])('[ACT-5, RES-3] is no real path where it leads elsewhere: %j', async (path) => {
    const { session } = await open()
    await activate(session)
    expect([path, undefined]).toContain(await givenPath(session, path))
  })
})

describe('a private copy whose folder changes', () => {
  const runner = processRunner()
  const tools = {
    read: (session: AdapterSession) => call(session, 'read_skill_resource', { path: 'references/guide.md' }),
    run: (session: AdapterSession) => call(session, 'run_skill_script', { path: 'scripts/run.sh' }),
    again: (session: AdapterSession) => call(session, 'activate_skill', { name: 'pdf', args: 'other' }),
  }

  it.each(['is edited', 'is removed'])('[ACT-5, DISC-12] serves every tool of the session where it %s', async (how) => {
    const { session, repertoire } = await open({ scripts: { runner } })
    await activate(session)
    const edit = (): void => {
      for (const file of ['SKILL.md', 'references/guide.md', 'scripts/run.sh'])
        if (how === 'is removed') rmSync(join(base, 'skills/pdf'), { recursive: true, force: true })
        else write(`pdf/${file}`, `${manifest('pdf')}edited`)
    }
    edit()
    const elsewhere = await open({ scripts: { runner } }, { saved: session.save() })
    for (const at of [session, elsewhere.session]) {
      expect(await tools.read(at)).toMatchObject({ ok: true, text: expect.stringContaining('one\ntwo') as string })
      expect(await tools.run(at)).toMatchObject({ ok: true, value: { stdout: 'run\n' } })
    }
    expect(await tools.again(session)).toMatchObject({ text: expect.stringContaining('Body of pdf: other.') as string })
    await session.end()
    await repertoire.close()
  })

  it('[ACT-5] is not served if it was changed itself, and the folder is used without copies', async () => {
    const { session } = await open({ scripts: { runner } })
    await activate(session)
    const { location } = session.state.active[0]!.mount!
    rmSync(join(location, 'references/guide.md'))
    writeFileSync(join(location, 'references/guide.md'), 'forged')
    expect(await tools.read(session)).toMatchObject(refusal('RESOURCE_REFUSED', /has changed since/))
    await session.end()
    const plain = await open({ scripts: { runner }, mounts: undefined })
    await activate(plain.session)
    write('pdf/references/guide.md', 'edited')
    expect(await tools.read(plain.session)).toMatchObject(refusal('RESOURCE_REFUSED', /has changed since/))
    await plain.session.end()
  })

  it('[ACT-5] is what the host’s tools are given, by its real path, and nothing else is rewritten', async () => {
    const { session } = await open()
    await activate(session)
    const { location } = session.state.active[0]!.mount!
    const step = await session.step({ tools: ['Read', 'Write', 'mystery'] })
    const given = async (tool: string, input: unknown) => {
      let seen: unknown
      await step.call({ id: tool, tool, input }, (judged) => (seen = judged.input))
      return seen
    }
    const path = 'private:/.skills/pdf/references/guide.md'
    expect(await given('Read', { file_path: path, limit: 1 })).toEqual({
      file_path: join(location, 'references/guide.md'),
      limit: 1,
    })
    expect(await given('Write', { file_path: 'a.md', content: path })).toEqual({ file_path: 'a.md', content: path })
    expect(await given('Read', { file_path: 'private:/.skills/none/a.md' })).toEqual({
      file_path: 'private:/.skills/none/a.md',
    })
    expect(await given('mystery', { path })).toEqual({ path })
  })
})

describe('a fork with a private copy', () => {
  it('[ACT-5, ACT-10, ACT-13] has a copy and hooks of its own, until the fork ends', async () => {
    write('forked/SKILL.md', manifest('forked', 'context: fork\nhooks:\n  pre: [before.sh]\n  post: [after.sh]\n'))
    for (const name of ['before', 'after']) write(`forked/${name}.sh`, 'true')
    const events: string[] = []
    const { session } = await open({
      scripts: hooksBy(({ script }) => {
        events.push(`${script}, copies: ${below(spaces).filter((path) => path.endsWith('SKILL.md')).length}`)
        return { ok: true }
      }),
    })
    await activate(session)
    await session.step({ tools: HOST })
    const input = { name: 'forked', args: 'now' }
    const outcome = await session.call({ id: 'fork', tool: 'activate_skill', input }, () => 'ran', {
      fork: async ({ session: child, instructions }) => {
        const [outer, own] = adapterSession(child).state.active.map(({ mount }) => mount!.location)
        events.push(`at work, copies: ${[outer!, own!].filter((path) => existsSync(join(path, 'SKILL.md'))).length}`)
        expect(instructions).toContain('Skill directory: private:/.skills/forked\n')
        expect(instructions).toContain('Body of forked: now.')
        expect(await givenPath(child, 'private:/.skills/forked/SKILL.md')).toBe(join(own!, 'SKILL.md'))
        expect(await givenPath(child, 'private:/.skills/pdf/SKILL.md')).toBe(join(outer!, 'SKILL.md'))
        return 'done'
      },
    })
    expect(outcome).toMatchObject({ ok: true, value: { name: 'forked', forked: true, result: 'done' } })
    expect(events).toEqual(['before.sh, copies: 1', 'at work, copies: 2', 'after.sh, copies: 1'])
    expect(readdirSync(spaces)).toEqual(['task'])
    await session.end()
    expect(below(spaces)).toEqual([])
  })
})

describe('a session with mounts that goes on elsewhere', () => {
  it('[ACT-5, ACT-15] ends in another process, which removes what the first one mounted', async () => {
    const { session } = await open()
    await activate(session)
    await activate(session, 'csv')
    const script = `
      import { openRepertoire } from ${JSON.stringify(CORE)}
      import { directorySource, privateMounts } from ${JSON.stringify(NODE)}
      import { hooksBy } from ${JSON.stringify(new URL('../hook-runner.ts', import.meta.url).href)}
      const { root, skills, saved } = JSON.parse(process.env.REPERTOIRE_TEST)
      const repertoire = await openRepertoire({
        sources: [directorySource({ root: skills, layer: 'project' })],
        mounts: privateMounts({ root }),
        scripts: hooksBy(({ script }) => {
          console.log(script)
          return { ok: true }
        }),
      })
      const session = repertoire.openSession({ saved })
      const step = await session.step({ tools: ['Read'] })
      const guide = { file_path: 'private:/.skills/pdf/references/guide.md' }
      await step.call({ id: '0', tool: 'Read', input: guide }, ({ input }) => console.log(input.file_path))
      const input = { file_path: 'private:/.skills/pdf/scripts/run.sh' }
      console.log((await step.call({ id: '1', tool: 'Read', input }, () => 'ran')).refusal.code)
      await session.end()
      console.log(session.state.ended)
    `
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: {
        ...process.env,
        REPERTOIRE_TEST: JSON.stringify({ root, skills: join(base, 'skills'), saved: session.save() }),
      },
    })
    expect(stdout.trim().split(/\r?\n/)).toEqual([
      join(spaces, 'task/.skills/pdf/references/guide.md'),
      'SCRIPT_READ_BLOCKED',
      'scripts/after.sh',
      'true',
    ])
    expect(below(spaces)).toEqual([])
  })

  it('[ACT-15] takes a state from before there were mounts, arguments and hooks', async () => {
    const { session } = await open({ mounts: undefined })
    await activate(session)
    const saved = JSON.parse(JSON.stringify(session.save())) as SavedSession
    const resumed = await open({}, { saved })
    expect(resumed.session.state).toEqual(session.state)
    expect(resumed.session.state.active[0]).not.toHaveProperty('mount')
    expect(await call(resumed.session, 'Read', { file_path: join(base, 'skills/pdf/scripts/run.sh') })).toMatchObject(
      refusal('SCRIPT_READ_BLOCKED', /run/),
    )
    await resumed.session.end()
    expect(problems).toEqual([])
  })

  it.each([
    ['args', 7],
    ['mount', 'private:/x'],
    ['mount', { path: 'private:/x' }],
    ['mount', { path: 'private:/x', location: 7 }],
    ['post', 'sh'],
    ['post', [7]],
  ])('[ACT-15] refuses a state whose %s is %j', async (field, value) => {
    const { session, repertoire } = await open()
    await activate(session)
    const saved = JSON.parse(JSON.stringify(session.save()), (key, part: unknown) =>
      key === 'active' ? (part as object[]).map((skill) => ({ ...skill, [field]: value })) : part,
    ) as SavedSession
    expect(() => openAdapterSession(repertoire, { saved })).toThrow(
      expect.objectContaining({
        code: 'STATE_INVALID',
        message: expect.stringContaining(`active[0].${field}`) as string,
      }) as Error,
    )
  })
})
