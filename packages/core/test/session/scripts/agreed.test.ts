import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { ConsentRequest } from '../../../src/index.ts'
import { isTextOfContent } from '../../../src/adapter.ts'
import { directorySource } from '../../../src/node/index.ts'
import { code, refusal } from '../outcome.ts'
import { call, openScripts, processRunner, run, scriptFiles, toolNames, use } from './script-world.ts'

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

/** The skills on a disk, where a test can change them. */
function onDisk(): { readonly root: string; readonly write: (path: string, text: string) => void } {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-scripts-'))
  roots.push(root)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  for (const [skill, files] of Object.entries(scriptFiles())) {
    for (const [path, text] of Object.entries(files)) write(`${skill}/${path}`, text)
  }
  return { root, write }
}

describe('a script that was agreed to', () => {
  it.each([
    ['tool/scripts/args.sh', 'echo other'],
    ['tool/data.txt', 'other\n'],
    ['tool/SKILL.md', '---\nname: tool\ndescription: Other.\n---\n'],
  ])('[RUN-9] [ABUSE-50] is not run where %s has changed since', async (path, text) => {
    const { root, write } = onDisk()
    const { session, runner } = await openScripts({ sources: [directorySource({ root, layer: 'project' })] })
    await use(session, 'tool')
    expect(code(await run(session, 'scripts/args.sh'))).toBe('ok')
    write(path, text)
    expect(await run(session, 'scripts/args.sh')).toMatchObject(
      refusal('SCRIPT_CHANGED', /"scripts\/args\.sh" was not run: .* has changed since the skill was activated/),
    )
    expect(runner.jobs).toHaveLength(1)
  })

  it('[RUN-9] [ABUSE-50] is not run where a file is gone, and not with one that has come since', async () => {
    const { root, write } = onDisk()
    const { session, runner } = await openScripts({ sources: [directorySource({ root, layer: 'project' })] })
    await use(session, 'tool')
    write('tool/scripts/new.sh', 'echo new')
    expect(code(await run(session, 'scripts/new.sh'))).toBe('RESOURCE_NOT_FOUND')
    expect(code(await run(session, 'scripts/args.sh'))).toBe('ok')
    expect(runner.jobs[0]?.files.map(({ path }) => path)).not.toContain('scripts/new.sh')
    unlinkSync(join(root, 'tool/data.txt'))
    expect(code(await run(session, 'scripts/args.sh'))).toBe('SCRIPT_CHANGED')
  })

  it('[RUN-9] is run in another process, if nothing has changed', async () => {
    const { root, write } = onDisk()
    const sources = [directorySource({ root, layer: 'project' })]
    const first = await openScripts({ sources })
    await use(first.session, 'tool')
    const saved = JSON.parse(JSON.stringify(first.session.save())) as ReturnType<typeof first.session.save>
    const second = await openScripts({ sources }, { saved })
    expect(code(await run(second.session, 'scripts/args.sh'))).toBe('ok')
    write('tool/data.txt', 'other')
    const third = await openScripts({ sources }, { saved })
    expect(code(await run(third.session, 'scripts/args.sh'))).toBe('SCRIPT_CHANGED')
  })
})

describe('what a person agrees to', () => {
  const ask = async (options: Parameters<typeof openScripts>[0], skill = 'tool'): Promise<ConsentRequest> => {
    const requests: ConsentRequest[] = []
    const { session } = await openScripts(options, { consent: (request) => requests.push(request) > 0 })
    await use(session, skill)
    return requests[0]!
  }

  it('[RUN-12] says what would run the scripts, with which isolation', async () => {
    const isolation = { name: 'virtual shell', isolated: true, notes: ['It has no git.'] }
    const request = await ask({ scripts: { runner: processRunner({ name: 'virtual', isolation }) } })
    expect(request.runner).toStrictEqual({
      name: 'virtual',
      isolation: 'virtual shell',
      isolated: true,
      network: false,
      notes: ['It has no git.'],
    })
    expect(request.text).toContain(
      '\n  run by:        virtual (isolated: "virtual shell", no network)\n  of the runner: It has no git.\n',
    )
    expect(request.text).not.toContain('warning')
  })

  it('[RUN-12] [ABUSE-53] warns of a runner without isolation, and says where scripts may use the network', async () => {
    const request = await ask({})
    expect(request.runner).toMatchObject({ isolated: false })
    expect(request.text).toContain('run by:        process (NOT ISOLATED, the network is not kept from them)')
    expect(request.text).toContain('warning:       scripts have all the rights of this program')
    const isolation = { name: 'box', isolated: true, notes: [] }
    const open = await ask({ scripts: { runner: processRunner({ isolation }), network: true } })
    expect(open.text).toContain('(isolated: box, with the network)')
  })

  it('[RUN-12] says nothing of a runner that would run nothing', async () => {
    expect((await ask({}, 'plain')).runner).toBeUndefined()
    expect((await ask({ scripts: { runner: undefined } })).runner).toBeUndefined()
  })

  it('[ABUSE-93] shows what hides in the words of a runner', async () => {
    const isolation = { name: 'b\u202Eox', isolated: true, notes: ['a\u200Bb\n  sha256: x'] }
    const { text } = await ask({ scripts: { runner: processRunner({ name: 'x\ny', isolation }) } })
    expect(text).toContain('"x\\u{A}y" (isolated: b\\u{202E}ox')
    expect(text).toContain('of the runner: a\\u{200B}b\\u{A}  sha256: x')
  })

  it('[RUN-9] [ABUSE-94] holds for that runner, its isolation and the network alone', async () => {
    const isolation = { name: 'box', isolated: true, notes: [] }
    const boxed = processRunner({ isolation })
    const first = await openScripts({ scripts: { runner: boxed } })
    await use(first.session, 'tool')
    const saved = first.session.save()
    for (const other of [
      { scripts: { runner: processRunner() } },
      { scripts: { runner: processRunner({ isolation: { ...isolation, name: 'other' } }) } },
      { scripts: { runner: boxed, network: true } },
    ]) {
      const { session } = await openScripts(other, { saved })
      expect(await toolNames(session)).not.toContain('run_skill_script')
      expect(await run(session, 'scripts/args.sh')).toMatchObject(
        refusal('SCRIPT_UNAVAILABLE', /not what was agreed to\. Deactivate it/),
      )
      expect(code(await call(session, 'deactivate_skill', {}))).toBe('ok')
      expect(code(await use(session, 'tool'))).toBe('ok')
      expect(code(await run(session, 'scripts/args.sh'))).toBe('ok')
    }
    const denied = await openScripts({ scripts: { runner: processRunner() } }, { saved, consent: () => false })
    await call(denied.session, 'deactivate_skill', {})
    expect(code(await use(denied.session, 'tool'))).toBe('CONSENT_DENIED')
    const again = await openScripts({ scripts: { runner: boxed } }, { saved, consent: () => false })
    await call(again.session, 'deactivate_skill', {})
    expect(code(await use(again.session, 'tool'))).toBe('ok')
  })

  it('[ABUSE-94] gives a request another id for another runner, and knows its text again', async () => {
    const activate = { id: 'c', tool: 'activate_skill', input: { name: 'tool' } }
    const requestOf = async (options: Parameters<typeof openScripts>[0]): Promise<ConsentRequest> => {
      const { session } = await openScripts(options, { id: 's', consent: undefined })
      return (await session.preview(activate, { asks: true })).waits!
    }
    const process = await requestOf({})
    const isolation = { name: 'box', isolated: true, notes: [] }
    const boxed = await requestOf({ scripts: { runner: processRunner({ isolation }) } })
    const none = await requestOf({ scripts: { runner: undefined } })
    expect(new Set([process.id, boxed.id, none.id]).size).toBe(3)
    for (const request of [process, boxed, none]) {
      const known = [process, boxed, none].filter((other) => isTextOfContent(other.text, request))
      expect(known).toStrictEqual([request])
    }
  })
})
