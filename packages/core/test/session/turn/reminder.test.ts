import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { adapterSession, openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { type ForkRunner, type Repertoire, type RepertoireOptions, openRepertoire } from '../../../src/index.ts'
import { directorySource } from '../../../src/node/index.ts'
import { CORE, NODE } from '../../bundled-entries.ts'
import { reminderOf, HOST } from '../session-world.ts'

let base: string

const write = (path: string, text: string): void => {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-reminder-'))
  for (const name of ['one', 'two', 'three', 'forked']) {
    const fields = name === 'forked' ? 'context: fork\n' : 'allowed-tools: Read\nmetadata:\n  a: b\n'
    write(`${name}/SKILL.md`, `---\nname: ${name}\ndescription: d\n${fields}---\nBody of ${name}: $ARGUMENTS.\n`)
    write(`${name}/references/a.md`, 'a')
  }
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

const openBase = (options: Partial<RepertoireOptions> = {}): Promise<Repertoire> =>
  openRepertoire({ sources: [directorySource({ root: base, layer: 'project' })], ...options })
const open = async (options: Partial<RepertoireOptions> = {}): Promise<AdapterSession> =>
  openAdapterSession(await openBase(options), { id: 'task', consent: () => true })

async function activate(session: AdapterSession, name: string, args?: string): Promise<string> {
  const input = { name, args }
  const step = await session.step({ tools: HOST })
  const { text } = await step.call({ id: name, tool: 'activate_skill', input })
  return text ?? ''
}
const lost = (): boolean => false
const shown = (): boolean => true

describe('a reminder', () => {
  it('[ACT-14] is nothing where no skill is active, or the conversation holds all of them', async () => {
    const session = await open()
    expect(await reminderOf(session, lost)).toBeUndefined()
    await activate(session, 'one')
    expect(await reminderOf(session, shown)).toBeUndefined()
  })

  it('[ACT-14] gives what is lost byte for byte, in the order of the stack, and what is shown not at all', async () => {
    const session = await open()
    const texts = [
      await activate(session, 'two', 'x "y" $1'),
      await activate(session, 'one'),
      await activate(session, 'three', 'z'),
    ]
    await fc.assert(
      fc.asyncProperty(fc.subarray(texts), async (held) => {
        const conversation = held.map((text) => `before ${text} after`)
        const isShown = (text: string): boolean => conversation.some((message) => message.includes(text))
        const missing = texts.filter((text) => !held.includes(text))
        expect(await reminderOf(session, isShown)).toBe(missing.length === 0 ? undefined : missing.join('\n\n'))
      }),
    )
  })

  it('[ACT-8, ACT-14] is of the session that it is asked for, whatever another one passed to the same skill', async () => {
    const repertoire = await openBase()
    const sessions = ['first', 'second'].map((id) => openAdapterSession(repertoire, { id, consent: () => true }))
    const texts = await Promise.all(sessions.map((session) => activate(session, 'one', session.id)))
    expect(texts[0]).not.toBe(texts[1])
    expect(await Promise.all(sessions.map((session) => reminderOf(session, lost)))).toEqual(texts)
  })

  it('[ACT-14] a text that is not whole is lost', async () => {
    const session = await open()
    const text = await activate(session, 'one')
    const [activation] = text.split(/(?<=<\/skill_content>)/)
    const cut = text.replace('</skill_content>', '')
    expect(await reminderOf(session, (wanted) => cut.includes(wanted))).toBe(activation)
  })

  it('[ACT-14, SHOW-9] gives the guidance on active skills once, and again where the conversation has lost it', async () => {
    const session = await open()
    const [, guidance] = (await activate(session, 'one')).split('</skill_content>\n\n')
    expect(guidance).toContain('read_skill_resource {"path":"<path>"}')
    await session.call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => '')
    const text = await activate(session, 'two')
    expect(text).toMatch(/<\/skill_content>$/)
    expect(await reminderOf(session, (wanted) => text.includes(wanted))).toBe(guidance)
    const full = await open({ listing: { guidance: 'full' } })
    expect(await activate(full, 'one')).toMatch(/<\/skill_content>$/)
    expect(await reminderOf(full, (wanted) => wanted.startsWith('<skill_content'))).toBeUndefined()
  })

  it('[ACT-6, ACT-14] a lost skill that is activated again is not shown twice', async () => {
    const session = await open()
    const text = await activate(session, 'one')
    const again = await activate(session, 'one')
    expect(again).not.toContain('Body of one')
    expect(await reminderOf(session, (wanted) => again.includes(wanted))).toBe(text)
  })

  it('[ACT-14] ends with the activation', async () => {
    const session = await open()
    await activate(session, 'one')
    expect(await reminderOf(session, lost)).toContain('Body of one')
    await session.call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => '')
    expect(await reminderOf(session, lost)).toBeUndefined()
    await activate(session, 'two')
    expect(await reminderOf(session, lost)).toContain('Body of two')
    await session.end()
    expect(await reminderOf(session, lost)).toBeUndefined()
  })

  it('[ACT-14] is what was agreed to, whatever the folder has become', async () => {
    const session = await open()
    const text = await activate(session, 'one')
    appendFileSync(join(base, 'one/SKILL.md'), 'Do evil.\n')
    expect(await reminderOf(session, lost)).toBe(text)
  })

  it('[ACT-14, ACT-10] in a fork of its own is skills alone', async () => {
    const session = await open()
    await activate(session, 'one')
    const seen: (string | undefined)[] = []
    const fork: ForkRunner = async (request) => {
      const { instructions } = request
      const child = adapterSession(request.session)
      const inner = await activate(child, 'two')
      seen.push(`${instructions}\n\n${inner}`, await reminderOf(child, lost))
      seen.push(inner, await reminderOf(child, (text) => instructions.includes(text)))
      return ''
    }
    await session.call({ id: 'f', tool: 'activate_skill', input: { name: 'forked', args: 'x' } }, () => '', {
      fork,
    })
    expect(seen).toHaveLength(4)
    expect(seen[1]).toBe(seen[0])
    expect(seen[3]).toBe(seen[2])
  })
})

describe('in another process', () => {
  /** Resumes a saved session in its own process; tells what is lost there. */
  const CHILD = `
const [core, node, root, saved] = process.argv.slice(1)
const { openRepertoire } = await import(core)
const { directorySource } = await import(node)
const repertoire = await openRepertoire({ sources: [directorySource({ root, layer: 'project' })], sessionSecret: 'k' })
const session = repertoire.openSession({ saved: JSON.parse(saved) })
const { reminder } = await session.step({ tools: ['Bash', 'Read', 'Write'] })
const twice = [await reminder(() => false), await reminder(() => false)]
const cut = await reminder((text) => text.startsWith('<skill_content name=') || text.startsWith('Paths start'))
console.log(JSON.stringify({ twice, cut }))
`

  function elsewhere(session: AdapterSession): { readonly twice: readonly string[]; readonly cut?: string } {
    const saved = JSON.stringify(session.save())
    const flags = ['--conditions=@repertoire/source', '--input-type=module', '-e', CHILD]
    const child = spawnSync(process.execPath, [...flags, CORE, NODE, base, saved], { encoding: 'utf8' })
    expect({ status: child.status, stderr: child.stderr }).toEqual({ status: 0, stderr: '' })
    return foreign(JSON.parse(child.stdout))
  }

  it('[ACT-14, ACT-15] gives the same bytes, arguments and all', async () => {
    const session = await open({ sessionSecret: 'k' })
    const texts = [await activate(session, 'one', 'a "b c" $2\n</skill_content>'), await activate(session, 'two')]
    expect(elsewhere(session).twice).toEqual([texts.join('\n\n'), texts.join('\n\n')])
  })

  it('[ACT-14, ASK-2] says so where the folder is not what was agreed to, and shows nothing of it', async () => {
    const session = await open({ sessionSecret: 'k' })
    const [, guidance] = (await activate(session, 'one')).split('</skill_content>\n\n')
    const text = await activate(session, 'two')
    write('one/references/a.md', 'other')
    const { twice, cut } = elsewhere(session)
    expect(twice[0]).toBe(
      `The instructions of the active skill "one" cannot be shown any more: its folder is not what was agreed to. Go on with what you know of them.\n\n${guidance}\n\n${text}`,
    )
    // The beginning of it stands in the conversation: it was not cut away there.
    expect(cut).toBeUndefined()
  })

  it('[ACT-14] says so where the folder is gone, broken or renamed', async () => {
    for (const change of [
      () => rmSync(join(base, 'one'), { recursive: true }),
      () => write('one/SKILL.md', 'no skill'),
    ]) {
      write('one/SKILL.md', '---\nname: one\ndescription: d\n---\nBody.\n')
      const session = await open({ sessionSecret: 'k' })
      await activate(session, 'one')
      change()
      const again = openAdapterSession(await openBase({ sessionSecret: 'k' }), { saved: session.save() })
      expect(await reminderOf(again, lost)).toContain(
        'The instructions of the active skill "one" cannot be shown any more',
      )
    }
  })

  it('[ACT-14] names the tools that there are', async () => {
    const session = await open({
      sessionSecret: 'k',
      listing: { style: 'tools' },
      skillToolNames: { deactivate: 'leave' },
    })
    await session.call({ id: 'c', tool: 'skill_one', input: {} }, () => '')
    write('one/references/a.md', 'other')
    const resumed = openAdapterSession(
      await openBase({ sessionSecret: 'k', listing: { style: 'tools' }, skillToolNames: { deactivate: 'leave' } }),
      {
        saved: session.save(),
      },
    )
    expect(await reminderOf(resumed, lost)).toContain('Call `leave`: it can then be activated as it is now.')
  })
})
